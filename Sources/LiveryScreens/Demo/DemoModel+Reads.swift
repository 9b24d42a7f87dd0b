// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import TerminalUI

// What the open panels read from the source, and what is typed for them.
extension DemoModel {
    /// Starts the missing reads of the open panels, and cancels the reads that no panel needs any more.
    mutating func read() -> [Effect] {
        let steps = reads.update(needs: panels.reduce(into: []) { $0.formUnion($1.needs) })
        // Panels show that a read runs.
        if !steps.isEmpty { updatePanels() }
        return effects(of: steps)
    }

    mutating func cancelReads() -> [Effect] {
        let steps = reads.cancel()
        updatePanels()
        return effects(of: steps)
    }

    /// The effects of steps; a request that is also one of the operator's work is not cancelled.
    private func effects(of steps: [DeskReads.Step]) -> [Effect] {
        steps.compactMap { step in
            switch step {
            case .start(let request): .request(request)
            case .cancel(let request): desk.running.contains(request) ? nil : .cancel(request)
            }
        }
    }

    /// Whether an effect cancels a request that a panel needs.
    func isNeeded(_ effect: Effect) -> Bool {
        if case .cancel(let request) = effect { reads.isRunning(request) } else { false }
    }

    /// Uses a text that was typed.
    mutating func answer(_ prompt: Prompt, _ text: String) -> [Effect] {
        switch prompt {
        case .save(let saved):
            if text.isEmpty { return [] }
            return [.save(SaveRequest(path: text, text: saved.text))]
        case .context(_, let recent):
            do throws(ConfigError) {
                try users.use(text)
                updatePanels()
                return []
            } catch {
                let effects = toggle(.prompt(.context(current: text, recent: recent)))
                show(error.message)
                return effects
            }
        case .variant, .attribute: return receive { $0.receive(prompt, text) }.flatMap { perform($0) }
        }
    }
}

extension CopyOutcome {
    /// The feedback on the screen.
    func feedback(on text: String) -> String {
        switch self {
        case .sent: "Sent to the clipboard: \(text.prefix(100))"
        case .unsupported: "Cannot copy: the terminal has no clipboard support; save to a file instead"
        case .tooLong(let limit):
            "Cannot copy \(text.utf8.count.grouped) bytes: terminals accept at most \(limit.grouped); save to a file instead"
        }
    }
}
