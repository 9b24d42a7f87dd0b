// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import RemoteConfig
import TerminalUI

extension DemoModel {
    /// The state for the panels.
    var panelState: PanelState {
        let explain = { @Sendable [tweaks = state.tweaks] key in
            tweaks.readKnown().first { $0.id == key }?.explanation ?? []
        }
        return PanelState(
            configuration: configuration,
            notes: notes,
            history: history,
            explain: explain,
            tweaks: state.tweaks
        )
    }

    /// The keys whose values on the screen are not those of the source.
    private var notes: [String: KeyNote] {
        var notes: [String: KeyNote] = [:]
        let refused = values.problems.compactMap { problem in problem.key.map { ($0, problem) } }
        for (key, problem) in values.tweaked.map({ ($0, nil) }) + refused.map({ ($0.0, Optional($0.1)) }) {
            guard let value = values.text(forKey: key) else { continue }
            let isTweaked = values.tweaked.contains(key)
            notes[key] = KeyNote(problem: problem, isTweaked: isTweaked, valueInForce: value)
        }
        for problem in configuration.snapshot.ruleProblems {
            guard let key = problem.key, notes[key]?.problem == nil else { continue }
            guard let entry = configuration.snapshot.entries[key] else { continue }
            let (isTweaked, used) = (values.tweaked.contains(key), values.text(forKey: key))
            notes[key] = KeyNote(
                problem: problem,
                isTweaked: isTweaked,
                valueInForce: used ?? entry.value.canonicalJSON
            )
        }
        return notes
    }

    /// Opens a panel in place of the panels that are not below it, or closes it and the panels above.
    mutating func toggle(_ layer: PanelLayer, _ make: (DemoModel) -> any DemoPanel) {
        overlay = nil
        let isOpen = panels.contains { $0.layer == layer }
        panels.removeAll { $0.layer >= layer }
        if !isOpen { panels.append(make(self)) }
    }

    mutating func updatePanels() {
        guard !panels.isEmpty else { return }
        let state = panelState
        for index in panels.indices { panels[index].update(state) }
    }

    mutating func markPanels() {
        for index in panels.indices { panels[index].mark(activity.changedKeys) }
    }

    /// Hands an event to the panel on top, if nothing lies over it; `nil` if it means nothing there.
    mutating func handleInPanel(_ event: InputEvent) -> [Effect]? {
        guard overlay == nil, !panels.isEmpty else { return nil }
        // Changed in place: there may be many rows.
        switch panels[panels.count - 1].handle(event) {
        case .ignored: return nil
        case .close:
            panels.removeLast()
            return []
        case .done(let intents): return intents.flatMap { perform($0) }
        }
    }

    private mutating func perform(_ intent: PanelIntent) -> [Effect] {
        switch intent {
        case .help: perform(Action.help)
        case .copy(let text): [.copy(text)]
        case .tweak(let command): [.tweak(command)]
        }
    }
}
