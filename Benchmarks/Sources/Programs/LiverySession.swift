// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import TerminalUI
import TestSupport

/// A livery on a terminal, and the document that it follows.
final class LiverySession {
    /// The outcome of one change of the document.
    struct Change {
        /// From just before the file was touched to the last byte that followed.
        let latency: Duration
        let bytes: Int
        let pieces: Int
    }

    let file: ConfigFile
    let terminal: PseudoTerminal
    private let matcher: ColorMatcher?
    private let isBehindAnother: Bool

    /// Livery itself on the terminal, with its first frame drawn.
    ///
    /// - Parameters:
    ///   - type: The value of `TERM`.
    ///   - matcher: The matcher for the colour of each cell, if colours are checked.
    ///   - otherKeys: The number of keys that are not shown on the screen.
    init(
        columns: Int = 80,
        rows: Int = 24,
        terminal type: String = "xterm-256color",
        matcher: ColorMatcher? = nil,
        otherKeys: Int = 0
    ) throws {
        file = try ConfigFile(otherKeys: otherKeys)
        let program = try Program.livery(following: file, terminal: type)
        terminal = try program.start(columns: columns, rows: rows)
        self.matcher = matcher
        isBehindAnother = false
        try program.awaitFirstFrame(on: terminal)
        try awaitRest()
    }

    /// Waits until livery sleeps: the work that it defers until after its first frame does not belong to a change.
    private func awaitRest() throws {
        var used = Duration.zero
        while try terminal.usage().processorTime != used {
            used = try terminal.usage().processorTime
            try terminal.read(for: .milliseconds(300))
        }
    }

    /// A terminal on which something shows livery, such as a tmux.
    init(showing file: ConfigFile, on terminal: PseudoTerminal) throws {
        self.file = file
        self.terminal = terminal
        matcher = nil
        isBehindAnother = true
        try terminal.readUntil("livery's first frame") { ExpectedFrame(file.initialColor).isShown(on: $0) }
        try terminal.readUntilQuiet()
    }

    /// The minimal program that follows the document, in C.
    static func least() throws -> LiverySession {
        let file = try ConfigFile()
        let command = Command(try builtProduct(named: "ServerLoad"), ["follow-file", file.folder.path, "config.json"])
        return try LiverySession(showing: file, on: try PseudoTerminal(running: command, columns: 80, rows: 24))
    }

    /// The processor time that livery has used so far; `nil` if it is not livery that runs on the terminal.
    func processorTime() throws -> Duration? {
        isBehindAnother ? nil : try terminal.usage().processorTime
    }

    /// Changes the colour, and reads until the whole new frame is there and nothing has come for a while after it.
    func change(
        to color: RGBColor,
        by replacement: ConfigFile.Replacement,
        quiet: Duration = .milliseconds(20)
    ) throws -> Change {
        let frame = ExpectedFrame(color, matcher: matcher)
        var output = Output(after: terminal.bytesReceived.count)
        let start = try file.replace(with: color, by: replacement)
        try terminal.readUntil("the frame in \(color)", deadline: .seconds(5)) { screen in
            output.note(total: terminal.bytesReceived.count)
            return frame.isShown(on: screen)
        }
        while try terminal.awaitOutput(within: quiet) { output.note(total: terminal.bytesReceived.count) }
        let latency = output.lastArrival.map { start.duration(to: $0) } ?? .zero
        return Change(latency: latency, bytes: output.bytes, pieces: output.pieces)
    }
}
