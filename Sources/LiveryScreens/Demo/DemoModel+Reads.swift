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

    /// Uses a text that was typed, and closes its prompt. The prompt stays open, with the reason, if the text is not accepted.
    mutating func answer(_ prompt: Prompt, _ text: String) {
        do throws(ConfigError) {
            if case .context = prompt { try users.use(text) }
            for index in panels.indices { try panels[index].receive(prompt, text) }
            _ = toggle(.prompt(prompt))
            updatePanels()
        } catch {
            show(error.message)
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
