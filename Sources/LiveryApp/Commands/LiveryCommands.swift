import ArgumentParser
import Programs

/// The program where a command is named: the same commands without the demo's options.
///
/// The parser takes the options of a command also from what follows its subcommands. With the demo's options here,
/// `livery set a 1 --source URL` would be understood, and would write elsewhere.
struct LiveryCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: Livery.configuration.commandName,
        abstract: Livery.configuration.abstract,
        version: Livery.configuration.version,
        subcommands: Livery.configuration.subcommands
    )
}

extension Livery {
    /// The program as its messages and its help need it.
    static let program = Program(
        Livery.self,
        hints: [
            "--source": "a command takes its server from --server",
            "--server": "the demo takes its server from --source",
            "--namespace": "the demo takes it from --source, such as http://127.0.0.1:3000/v1/shop",
        ]
    )

    /// The command that a command line means.
    ///
    /// - Parameter arguments: the command line, without the program's name.
    static func command(for arguments: [String]) throws -> any ParsableCommand {
        try program.checkHelpTopic(arguments)
        let names = configuration.subcommands.map { $0._commandName }
        if let first = arguments.first, names.contains(first) { return try LiveryCommands.parseAsRoot(arguments) }
        let command = try parseAsRoot(arguments)
        guard command is any LiveryCommand, !(command is Livery) else { return command }
        let name = type(of: command)._commandName
        throw ValidationError("The command goes first, and its options follow: livery \(name) …")
    }
}
