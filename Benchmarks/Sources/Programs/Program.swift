// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// A full-screen program to be measured, and how to tell that all of it is on the screen.
struct Program: Sendable {
    let name: String
    let command: Command
    let isComplete: @Sendable (VirtualScreen) -> Bool

    /// Starts the program on a new terminal.
    func start(columns: Int = 80, rows: Int = 24) throws -> PseudoTerminal {
        var command = command
        command.environment["TERM"] = command.environment["TERM"] ?? "xterm-256color"
        let configuration = VirtualScreen.Configuration.terminal(named: command.environment["TERM"] ?? "")
        return try PseudoTerminal(running: command, columns: columns, rows: rows, configuration: configuration)
    }

    /// Reads until the whole first frame is there.
    func awaitFirstFrame(on terminal: PseudoTerminal) throws {
        try terminal.readUntil("the first frame of \(name)") { isComplete($0) }
    }
}

extension Program {
    /// Livery, following a document.
    static func livery(following file: ConfigFile, terminal: String = "xterm-256color") throws -> Program {
        let color = file.initialColor
        return Program(
            name: "livery",
            command: Command(
                try builtProduct(named: "livery"),
                [file.path],
                environment: environment(home: file.folder, terminal: terminal)
            ),
            isComplete: { screen in screen.contains("Meeeeoowwww!") && ExpectedFrame(color).isShown(on: screen) }
        )
    }

    /// Livery, following a source other than a file.
    static func livery(following source: String, home: TemporaryDirectory) throws -> Program {
        Program(
            name: "livery",
            command: Command(
                try builtProduct(named: "livery"),
                [source],
                environment: environment(home: home, terminal: "xterm-256color")
            ),
            isComplete: { $0.contains("live ") }
        )
    }

    /// The installed programs to compare with, each with its own default settings.
    static func peers(home: TemporaryDirectory) -> [Program] {
        [
            peer("htop", home: home, shows: ["F10Quit", "Mem[", "Load average", "PID"]),
            peer("btop", home: home, shows: ["cpu", "up ", "Total:", "download", "Pid:", "signals"]),
        ].compactMap(\.self)
    }

    private static func peer(_ name: String, home: TemporaryDirectory, shows texts: [String]) -> Program? {
        guard Command.isInstalled(name) else {
            progress("\(name) is not installed, and is left out.")
            return nil
        }
        return Program(
            name: name,
            command: Command(name, environment: environment(home: home, terminal: "xterm-256color")),
            isComplete: { screen in texts.allSatisfy(screen.contains) }
        )
    }

    /// An environment without settings and caches of a user.
    private static func environment(home: TemporaryDirectory, terminal: String) -> [String: String] {
        Command.environment(terminal: terminal, adding: ["HOME": home.path])
    }
}
