// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigModel
import ConfigRules
import Essentials
import Files
import LiveryCommands
import LiveryScreens
import Programs
import TerminalUI

struct WallCommand: LiveryCommand {
    static let configuration = CommandConfiguration(
        commandName: "wall",
        abstract: "Show many clients of one source side by side as they receive changes.",
        usage: "livery wall [<count>] [<source>] [<options>]",
        discussion: """
            Each small screen is a client with its own connection and its name in the corner: wall-1, wall-2 and so \
            on. The name is the targeting key of the client, so that a rollout spreads from screen to screen. The \
            status line shows how many clients have received the last change, and the time between the first and the \
            last.

            EXAMPLES
              Show 4 clients of ./config.json, 9 of a server, 24 of a document:
                livery wall
                livery wall 9 http://127.0.0.1:3000
                livery wall 24 https://example.com/config.json
              Change a value for all of them:
                livery set app.background.color '#87CEFA'

            KEYS
              + -  add a screen, remove one
              r    refresh all clients
              ?    show all keys
              q    quit
            """
    )

    @Argument(help: ArgumentHelp("The number of screens (default: 4, or as many as fit).", valueName: "count"))
    var count: String?

    @OptionGroup var sourceOptions: SourceOptions

    @Option(
        help: ArgumentHelp("Set the colour depth: auto, never, 8, 16, 256 or truecolor.", valueName: "depth"),
        completion: .list(ColorChoice.allCases.map(\.rawValue)),
        transform: ColorChoice.named
    )
    var color = ColorChoice.auto

    private static let standardCount = 4

    mutating func validate() throws {
        // A source may be the only argument.
        if let word = count, Int(word) == nil, sourceOptions.place == nil {
            (count, sourceOptions.place) = (nil, word)
        }
        try sourceOptions.check {
            "'\($0)' is neither a number of screens nor a file; see the examples in 'livery wall --help'."
        }
        guard let count else { return }
        guard let number = Int(count), number >= 1 else {
            throw ValidationError("The number of screens must be at least 1, not '\(count)'.")
        }
    }

    func execute() async throws {
        let environment = Program.environment
        let place = try sourceOptions.sourcePlace(environment: environment)
        guard Output.standard.isTerminal else {
            throw ProgramFailure(.usage, "livery wall requires a terminal; for text output, run 'livery --plain'")
        }
        let keys = UserKeys.usable(environment: environment)
        do {
            let driver = try CursesDriver(profile: TerminalProfile(choice: color, environment: environment))
            let clients = try number(in: driver.size)
            // Measured: each client of a server opens four.
            try ProgramResources.check(files: 16 + 5 * clients)
            let app = WallApp(
                driver: driver,
                keys: keys,
                source: place,
                context: try sourceOptions.context ?? EvaluationContext()
            )
            let signal = try await app.run(clients: clients)
            if let signal { endProcess(by: signal) }
        } catch let error as TerminalError {
            throw ProgramFailure(.usage, error.description)
        }
    }

    /// - Throws: `ProgramFailure` if the terminal is too small for the requested number.
    private func number(in size: Size) throws -> Int {
        let most = WallLayout.maximumScreens(in: size)
        guard let number = count.flatMap({ Int($0) }) else { return min(Self.standardCount, most) }
        if number <= most { return number }
        throw ProgramFailure(.usage, "\(WallLayout.capacity(of: size)); enlarge the terminal or use a smaller font")
    }
}
