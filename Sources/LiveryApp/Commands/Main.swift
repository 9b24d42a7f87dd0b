import ArgumentParser
import ConfigModel
import Files
import Programs

/// A command that may wait, and does its work on the main actor.
protocol LiveryCommand: ParsableCommand {
    @MainActor
    func execute() async throws
}

/// Begins and stays on the main actor. `AsyncParsableCommand` would leave it at once, for a pool of threads that is
/// never quite idle again (see `QueueExecutor`).
@main
enum Main {
    @MainActor
    static func main() async {
        StandardStreams.prepare()
        let arguments = Array(CommandLine.arguments.dropFirst())
        var running: (any ParsableCommand.Type)?
        do {
            var command = try Livery.command(for: arguments)
            running = type(of: command)
            if let command = command as? any LiveryCommand {
                try await command.execute()
            } else {
                try command.run()
            }
        } catch {
            ending(error, of: running, arguments).endProcess()
        }
    }

    /// How the program ends that met an error.
    static func ending(
        _ error: any Error,
        of command: (any ParsableCommand.Type)?,
        _ arguments: [String]
    ) -> Ending {
        let error = (error as? ConfigError)?.failure ?? error
        var ending = Ending(error, of: Livery.program, command: command)
        if command == nil, ending.code == ProgramExit.usage.rawValue {
            ending.advise(OptionAdvice(Livery.program).lines(for: arguments))
        }
        return ending
    }
}
