// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Files
import TerminalUI

/// The progress of long work on standard error: a bar on a terminal, lines elsewhere.
struct ProgressLine {
    var what: String
    var total: Int
    var isTerminal = Output.error.isTerminal
    var columns = Size(terminal: Output.error.descriptor)?.columns ?? 80

    /// Work of fewer parts shows nothing.
    static let threshold = 1000

    func show(_ done: Int) {
        // Progress that cannot be shown does not fail the work.
        try? Output.error.write(text(done))
    }

    /// Ends the line of the bar, for a message.
    func interrupt() {
        if isTerminal, total > Self.threshold { try? Output.error.write("\n") }
    }

    func text(_ done: Int) -> String {
        guard total > Self.threshold else { return "" }
        let count = "\(done.grouped) of \(total.grouped) \(what)"
        guard isTerminal else { return count + "\n" }
        // The last column stays free, so that no terminal wraps the line.
        let room = min(columns - 1 - count.columnWidth - 3, 40)
        let end = done == total ? "\n" : ""
        guard room >= 4 else { return "\r\(count.truncated(toColumns: columns - 1))\u{1B}[K\(end)" }
        let filled = room * done / total
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: room - filled)
        return "\r[\(bar)] \(count)\u{1B}[K\(end)"
    }
}
