// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import RemoteConfig
import TerminalUI

extension DemoModel {
    /// What the inspector is to show.
    var inspected: InspectedState {
        InspectedState(configuration: configuration, notes: notes, history: history) { [tweaks = state.tweaks] key in
            tweaks.readKnown().first { $0.id == key }?.explanation ?? []
        }
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

    /// Hands an event to the inspector, if that is open and nothing lies over it; `nil` if it means nothing there.
    mutating func withInspector(_ update: (inout InspectorModel) -> InspectorModel.Response) -> [Effect]? {
        guard overlay == nil, var inspector else { return nil }
        // Changed in place: there may be many rows, and nobody else is to hold them.
        self.inspector = nil
        let response = update(&inspector)
        if response == .close { return [] }
        self.inspector = inspector
        switch response {
        case .ignored: return nil
        case .close, .done: return []
        case .help: return perform(.help)
        case .copy(let text): return [.copy(text)]
        }
    }
}
