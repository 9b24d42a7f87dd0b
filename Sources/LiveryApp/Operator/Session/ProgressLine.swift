import ConfigModel
import Files
import Foundation
import TerminalUI

/// The progress of long work on standard error: a bar on a terminal, lines elsewhere.
struct ProgressLine {
    let total: Int
    let what: String
    let isTerminal: Bool
    let columns: Int

    /// Work of fewer parts shows nothing.
    static let threshold = 1000

    init(of what: String, total: Int) {
        self.init(
            of: what,
            total: total,
            isTerminal: isatty(STDERR_FILENO) != 0,
            columns: TerminalSize.columns(of: STDERR_FILENO) ?? 80
        )
    }

    init(of what: String, total: Int, isTerminal: Bool, columns: Int) {
        self.what = what
        self.total = total
        self.isTerminal = isTerminal
        self.columns = columns
    }

    func show(_ done: Int) {
        try? Output.error.write(text(done))
    }

    /// Ends the line of the bar, for a message.
    func interrupt() {
        if isTerminal, total > Self.threshold { try? Output.error.write("\n") }
    }

    /// The output when so many parts are done.
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
