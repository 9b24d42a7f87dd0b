// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A program in a real tmux, with a separate server on a private socket.
///
/// Tmux is a mature terminal emulator, so its screen can confirm that of ``VirtualScreen``.
///
/// ```swift
/// let tmux = try Tmux(running: Command("/bin/sh", ["-c", "echo hello; exec cat"]), columns: 80, rows: 24)
/// try tmux.waitFor { $0.contains("hello") }
/// try tmux.sendKeys("C-d")
/// ```
///
/// The server and everything in it end when this object goes away.
package final class Tmux: Sendable {
    private let folder: TemporaryDirectory
    private let environment: [String: String]

    /// Whether tmux is installed.
    package static var isInstalled: Bool { Command.isInstalled("tmux") }

    /// Starts a server with one window, and a program in it.
    ///
    /// - Parameters:
    ///   - command: The program, with its arguments and its whole environment but for `TERM`.
    ///   - columns: The window's width.
    ///   - rows: The window's height.
    ///   - terminal: The value of `TERM` within tmux (`default-terminal`).
    package init(
        running command: Command,
        columns: Int = 80,
        rows: Int = 24,
        terminal: String = "tmux-256color"
    ) throws {
        folder = try TemporaryDirectory(prefix: "tmux")
        environment = command.environment
        var start = ["start-server"]
        start += [";", "set-option", "-g", "default-terminal", terminal]
        start += [";", "set-option", "-g", "status", "off"]
        start += [";", "set-option", "-s", "escape-time", "0"]
        // The screen of a program that has ended can still be looked at.
        start += [";", "set-option", "-g", "remain-on-exit", "on"]
        start += [";", "set-option", "-gq", "remain-on-exit-format", ""]
        start += [";", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)"]
        start += ["-c", command.workingDirectory ?? folder.path, "--"]
        // One argument alone would be a script for the shell; with a second one, `env` runs the program as it is.
        start += ["env", command.executablePath ?? command.executable] + command.arguments.map(Self.literal)
        try control(start)
    }

    deinit {
        _ = try? control(["kill-server"])
    }

    /// The command that shows the window on a terminal, to be run on a ``PseudoTerminal`` of the same size.
    ///
    /// - Parameters:
    ///   - terminal: The value of `TERM` for tmux itself.
    ///   - features: The features of that terminal beyond its terminfo, by the names of tmux's `terminal-features`.
    package func attachCommand(terminal: String = "xterm-256color", features: [String] = ["RGB"]) -> Command {
        var command = client(["-T", features.joined(separator: ","), "attach-session"])
        command.environment["TERM"] = terminal
        return command
    }

    private func client(_ arguments: [String]) -> Command {
        Command(
            "tmux",
            ["-u", "-S", folder["s"], "-f", "/dev/null"] + arguments,
            environment: environment.filter { $0.key != "TMUX" }
        )
    }

    /// Runs one tmux command on this server, and returns what it prints.
    ///
    /// - Throws: ``FixtureError``.
    @discardableResult
    package func control(_ arguments: [String]) throws -> String {
        try client(arguments).run().ofSuccess().standardOutput
    }

    /// An argument of which tmux does not take a semicolon at the end for the end of the command.
    private static func literal(_ argument: String) -> String {
        argument.hasSuffix(";") ? argument.dropLast() + "\\;" : argument
    }

    // MARK: Acting

    /// Presses keys, by the names that tmux has for them, such as `Enter`, `C-c`, `Up`; other text is typed.
    package func sendKeys(_ keys: String...) throws {
        try control(["send-keys"] + keys.map(Self.literal))
    }

    /// Types a text, none of which is taken for the name of a key.
    package func type(_ text: String) throws {
        try control(["send-keys", "-l", "--", Self.literal(text)])
    }

    /// Resizes the window.
    package func resize(columns: Int, rows: Int) throws {
        try control(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
    }

    /// Ends the server and everything in it.
    package func kill() throws {
        try control(["kill-server"])
    }
}
