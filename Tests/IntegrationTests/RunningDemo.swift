// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The real program on a real terminal, following a file that the test may change.
struct RunningDemo {
    let folder: TemporaryDirectory
    let terminal: PseudoTerminal

    static let pink = ##"{"app.background.color": "#FFB6C1", "app.fun_button.text": "Meeeeoowwww! 😸"}"##
    static let sky = ##"{"app.background.color": "#87CEFA", "app.fun_button.text": "Can't wait!"}"##

    /// Starts the program and waits until it shows the file's contents, which may be missing in the first frame.
    ///
    /// - Parameter wrapper: a program that starts it, and its first arguments, perhaps as another user.
    init(
        columns: Int = 80,
        rows: Int = 24,
        terminal name: String = "xterm-256color",
        config: String? = RunningDemo.pink,
        arguments: [String] = [],
        environment: [String: String] = [:],
        configuration: VirtualScreen.Configuration? = nil,
        line: SlowLine? = nil,
        wrapper: [String] = [],
        waitingFor text: String = "live "
    ) throws {
        folder = try TemporaryDirectory()
        var standard = VirtualScreen.Configuration.terminal(named: name)
        // As every real one does; the program waits for silent ones.
        standard.answers.deviceAttributes = "?62;22"
        if let config { try folder.write(config, to: "config.json") }
        // Tests use no keys, tweaks or cached values of the user.
        var folders = ["XDG_CONFIG_HOME": folder.path, "XDG_CACHE_HOME": folder["cache"]]
        if !wrapper.isEmpty {
            folders["HOME"] = folder.path
            try folder.allow(0o777, on: ".")
        }
        terminal = try PseudoTerminal(
            running: Command(
                words: wrapper + [try builtProduct(named: "livery")] + arguments,
                environment: Command.environment(terminal: name, adding: folders.merging(environment) { $1 }),
                workingDirectory: folder.path
            ),
            columns: columns,
            rows: rows,
            configuration: configuration ?? standard,
            line: line
        )
        if !text.isEmpty { try terminal.readUntil("the first frame") { $0.contains(text) } }
    }

    /// Writes the file in place, as `echo >` does: first empty, then full.
    func overwrite(_ config: String) throws {
        try Data(config.utf8).write(to: URL(filePath: folder["config.json"]))
    }

    /// Types a text, and waits until the screen shows another.
    func type(_ text: String, until shown: String) throws {
        try terminal.write(text)
        try waitFor(shown)
    }

    func waitFor(_ text: String) throws {
        try terminal.readUntil("\"\(text)\" on the screen") { $0.contains(text) }
    }

    func waitForBackground(_ color: VirtualScreen.Color) throws {
        try terminal.readUntil("the background \(color)") { $0.cell(row: 0, column: 0).visibleBackground == color }
    }

    /// The background of the upper left cell.
    var background: VirtualScreen.Color { terminal.screen.cell(row: 0, column: 0).visibleBackground }

    /// Leaves by a key and checks that the terminal is as it was.
    func quit() throws -> ExitStatus {
        try terminal.write("q")
        return try terminal.waitForExit()
    }
}

/// The program in a folder.
///
/// - Parameter environment: variables to add to those of each command (``Command/environment(adding:)``).
func liveryCommand(
    _ arguments: [String] = [],
    environment: [String: String] = [:],
    in folder: TemporaryDirectory
) throws -> Command {
    Command(
        try builtProduct(named: "livery"),
        arguments,
        environment: Command.environment(adding: environment),
        workingDirectory: folder.path
    )
}

extension Tmux {
    /// The program in tmux, following a file in a folder that the test keeps.
    static func withDemo(terminal: String = "tmux-256color") throws -> (tmux: Tmux, folder: TemporaryDirectory) {
        let folder = try TemporaryDirectory()
        try folder.write(RunningDemo.pink, to: "config.json")
        return (try withDemo(in: folder, terminal: terminal), folder)
    }

    /// The program in tmux, with settings and cached values in a folder that the test keeps.
    static func withDemo(
        _ arguments: [String] = [],
        in folder: TemporaryDirectory,
        terminal: String = "tmux-256color"
    ) throws -> Tmux {
        let folders = ["XDG_CONFIG_HOME": folder.path, "XDG_CACHE_HOME": folder.path]
        let livery = try liveryCommand(arguments, environment: folders, in: folder)
        return try Tmux(running: livery, columns: 80, rows: 24, terminal: terminal)
    }
}

/// Waits until a program in the background has taken notice: it has gone to sleep several times, or was stopped.
func waitUntilItRunsInTheBackground(_ program: pid_t) throws {
    #if os(Linux)
        func sleeps() throws -> Int { try ProcessUsage(ofRunning: program).voluntaryContextSwitches }
        let before = try sleeps()
        try until("the program to run in the background") {
            let status = try String(contentsOfFile: "/proc/\(program)/status", encoding: .utf8)
            return try status.contains("\nState:\tT") || sleeps() >= before + 5
        }
    #endif
}
