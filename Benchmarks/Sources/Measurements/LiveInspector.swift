// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// The inspector over a server whose values change all the time: what a person waits for after each key.
struct LiveInspector {
    /// The presses of one kind, from the key to its effect on the terminal.
    struct Row {
        let name: String
        let latency: Distribution
    }

    /// The number of presses of each kind.
    let presses: Int

    private static let keyCount = 100_000
    private static let writesPerSecond = 100
    /// Keys are shown in full.
    private static let columns = 120
    /// Every key begins with the first letters; the last ones leave ever fewer.
    private static let text = Array("value77")

    static let title = """
        With \(keyCount.grouped) keys of a server that writes \(writesPerSecond) of them a second, \(columns)×24
        """

    func measure() throws -> [Row] {
        progress("  \(Self.keyCount.grouped) keys of a server")
        let server = try LiveryServerProcess(entries: Self.keyCount)
        let home = try TemporaryDirectory(prefix: "bench")
        let terminal = try Program.livery(following: server.process.url(""), home: home).start(columns: Self.columns)
        defer { try? terminal.close() }
        try terminal.readUntil("livery to follow the server") { $0.contains("live ") }
        try terminal.write("i")
        try terminal.readUntil("the inspector") { $0.contains("\(Self.keyCount.grouped) keys") }
        let writer = try RunningCommand(Self.writer(to: server.process))
        defer { writer.send(signal: SIGKILL) }
        try terminal.read(for: .milliseconds(500))
        let filter = try filter(terminal)
        let moves = try [("`j`, one row down", "j"), ("`Page Down`, one page down", "\u{1B}[6~")].map { name, key in
            Row(name: name, latency: Distribution(try (0..<presses).map { _ in try move(by: key, terminal) }))
        }
        guard writer.isRunning else { throw BenchmarkFailure("the writer ended: \(writer.standardError)") }
        return filter + moves
    }

    /// Writes one key after the other, each of them once.
    private static func writer(to server: ServerProcess) -> Command {
        let keys = server.url("/v1/default/entries/app.screen7.value[57-99957:10]")
        return Command(
            "curl",
            [
                "-sS", "--fail", "--rate", "\(writesPerSecond)/s", "-o", "/dev/null", "-X", "PUT", "--data",
                #"{"value":"new"}"#,
            ]
                + ["-H", "Content-Type: application/json", keys]
        )
    }

    /// Types a text into the filter and removes it again, letter by letter.
    private func filter(_ terminal: PseudoTerminal) throws -> [Row] {
        var (typed, removed): ([Double], [Double]) = ([], [])
        try terminal.write("/")
        try terminal.readUntil("the filter") { $0.contains("Enter Done") }
        while typed.count < presses {
            for count in 1...Self.text.count {
                typed.append(
                    try press(String(Self.text[count - 1]), terminal, shows: "/" + Self.text.prefix(count) + " ")
                )
            }
            for count in Self.text.indices.reversed() {
                removed.append(try press("\u{7F}", terminal, shows: "/" + Self.text.prefix(count) + " "))
            }
        }
        try terminal.write("\u{1B}")
        try terminal.readUntil("the list") { $0.contains("Enter Open") }
        return [
            Row(name: "a letter in the filter", latency: Distribution(typed)),
            Row(name: "`Backspace` in the filter", latency: Distribution(removed)),
        ]
    }

    private func press(_ key: String, _ terminal: PseudoTerminal, shows text: String) throws -> Double {
        // Keys come between frames and within them.
        try terminal.read(for: .milliseconds(Int.random(in: 5...45)))
        let start = ContinuousClock.now
        try terminal.write(key)
        try terminal.readUntil("\(text) on the screen") { $0.contains(text) }
        return start.duration(to: .now).milliseconds
    }

    /// Moves the cursor.
    private func move(by key: String, _ terminal: PseudoTerminal) throws -> Double {
        try terminal.read(for: .milliseconds(Int.random(in: 5...45)))
        // The key, without the value and the time, which may change.
        let row = { (screen: VirtualScreen) in
            screen.lines.first { $0.contains("▌") }?.split(separator: " ").first { $0.hasPrefix("app.") }
        }
        let before = row(terminal.screen)
        let start = ContinuousClock.now
        try terminal.write(key)
        try terminal.readUntil("the cursor on another row") { row($0) != before }
        return start.duration(to: .now).milliseconds
    }
}
