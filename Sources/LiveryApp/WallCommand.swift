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
        abstract: "Show many clients of one source side by side, to see a change reach them all.",
        usage: "livery wall [<count>] [<source>] [<options>]",
        discussion: """
            Each small screen is a client with a connection of its own, named in its corner: wall-1, wall-2 and so on. \
            The name is its targeting key, so that a rollout is seen to spread from screen to screen. \
            The bottom line says how many have the last change, and the time from the first to the last of them.

            EXAMPLES
              Four clients of ./config.json, nine of a server, 24 of a document:
                livery wall
                livery wall 9 http://127.0.0.1:3000
                livery wall 24 https://example.com/config.json
              Change a value, and all of them with it:
                livery set app.background.color '#87CEFA'

            KEYS
              + -  one screen more, one fewer
              r    read the source again now, by all clients
              ?    all keys
              q    leave
            """
    )

    @Argument(help: ArgumentHelp("How many screens (default: 4, or as many as fit).", valueName: "count"))
    var count: String?

    @OptionGroup var sourceOptions: SourceOptions

    @Option(
        help: ArgumentHelp("How many colours to use: auto, never, 8, 16, 256 or truecolor.", valueName: "depth"),
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
            "'\($0)' is neither a number of screens nor a file; 'livery wall --help' has examples."
        }
        guard let count else { return }
        guard let number = Int(count), number >= 1 else {
            throw ValidationError("Expected a number of screens from 1, not '\(count)'.")
        }
    }

    func execute() async throws {
        let environment = ProcessInfo.processInfo.environment
        let keys = try DemoApp.keys(environment: environment)
        let place = try sourceOptions.sourcePlace(environment: environment)
        guard Output.standard.isTerminal else {
            throw ProgramFailure(.usage, "a wall of screens needs a terminal; 'livery --plain' prints what one shows")
        }
        do {
            let driver = try CursesDriver(profile: TerminalProfile(choice: color, environment: environment))
            let app = WallApp(
                driver: driver,
                keys: keys,
                source: place,
                context: try sourceOptions.context ?? EvaluationContext()
            )
            let signal = try await app.run(clients: try number(in: driver.size))
            if let signal { endProcess(by: signal) }
        } catch let error as TerminalError {
            throw ProgramFailure(.usage, error.description)
        }
    }

    /// - Throws: `ProgramFailure` if the terminal is too small for the requested number.
    private func number(in size: Size) throws -> Int {
        let most = WallLayout.mostScreens(in: size)
        guard let number = count.flatMap({ Int($0) }) else { return min(Self.standardCount, most) }
        if number <= most { return number }
        throw ProgramFailure(.usage, "\(WallLayout.capacity(of: size)); make the terminal larger, or its font smaller")
    }
}
