// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigModel
import Files
import LiveryCommands
import Programs

/// Starts and stays on the main actor. `AsyncParsableCommand` would leave it at once, for a pool of threads that is
/// never quite idle again (see `QueueExecutor`).
@main
enum Main {
    @MainActor
    static func main() async {
        StandardStreams.prepare()
        var arguments: [String] = []
        var running: (any ParsableCommand.Type)?
        do {
            // Measured: 16 files, and 26 with a server, besides the first three; a dozen threads of 8 MB and 30 MB.
            try ProgramResources.check(files: 32)
            try ProgramResources.check(megabytes: 128)
            ProgramResources.endWithoutThreads(Livery.program.prefix)
            arguments = try Program.arguments()
            if let answer = Livery.program.answerToShell(arguments) { Ending(output: answer).endProcess() }
            var command = try Livery.command(for: arguments)
            running = type(of: command)
            for problem in LiveryVariable.problems(in: Program.environment, ofServer: false) {
                Output.error.writeLine("livery: \(problem)")
            }
            // The demo by its concrete type: to test a conformance, the runtime searches the whole program.
            if let demo = command as? Livery {
                try await demo.execute()
            } else if let command = command as? any LiveryCommand {
                try await command.execute()
            } else {
                try command.run()
            }
        } catch {
            ending(error, of: running, arguments).endProcess()
        }
    }

    static func ending(_ error: any Error, of command: (any ParsableCommand.Type)?, _ arguments: [String]) -> Ending {
        let error = (error as? ConfigError)?.failure ?? error
        return Ending(error, of: Livery.program, command: command, arguments)
    }
}

/// The program as the parser sees it where a command is named: the same commands without the demo's options.
///
/// With those, `livery set a 1 --context user=42` would be accepted, and the option ignored.
struct NamedCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: Livery.configuration.commandName,
        abstract: Livery.configuration.abstract,
        version: Livery.configuration.version,
        subcommands: Livery.configuration.subcommands
    )
}

extension Livery {
    static let program = Program(
        Livery.self,
        hints: [
            "--server": "pass the server as the source: livery http://127.0.0.1:3000",
            "--namespace": "pass the namespace in the source: livery http://127.0.0.1:3000/v1/shop",
        ]
    )

    /// The demo of the commonest command lines, none and a source, as the parser would make it; `nil` for any other.
    ///
    /// The parser reflects on every option first, which takes a fifth of the processor time until the first frame.
    init?(_ arguments: [String]) {
        guard arguments.count <= 1 else { return nil }
        if let place = arguments.first,
            !SourceOptions.isPlace(place) || place.hasPrefix("-") || SourceOptions.isHostAndPort(place)
        {
            return nil
        }
        self.init()
        sourceOptions = SourceOptions()
        sourceOptions.place = arguments.first
        sourceOptions.connection = .usual
        sourceOptions.audience = ContextOptions()
        sourceOptions.audience.given = []
        sourceOptions.noCache = false
        color = nil
        (noMotion, json, plain, follow) = (false, false, false, false)
    }

    /// The command that a command line names, without the program's name.
    static func command(for arguments: [String]) throws -> any ParsableCommand {
        if let demo = Livery(arguments) { return demo }
        try program.checkCommand(arguments)
        if arguments == ["help"] { return try parseAsRoot(["--help"]) }
        let names = configuration.subcommands.map { $0._commandName } + ["help"]
        if let first = arguments.first {
            if names.contains(first) { return try NamedCommands.parseAsRoot(CommandList.joined(arguments)) }
            if !first.utf8.starts(with: "-".utf8) { try SourceOptions.checkPlace(first) }
        }
        let command = try parseAsRoot(arguments)
        if let demo = command as? Livery {
            if let place = demo.sourceOptions.place, names.contains(place) { throw misplaced(place) }
            try demo.sourceOptions.check()
            return demo
        }
        if command is any LiveryCommand { throw misplaced(type(of: command)._commandName) }
        return command
    }

    private static func misplaced(_ command: String) -> ValidationError {
        ValidationError("Options must follow the command: livery \(command) …")
    }
}
