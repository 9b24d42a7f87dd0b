import ArgumentParser
import ConfigModel
import ConfigStore
import Files
import Programs

/// The program. Errors are one line on standard error, those of usage with the usage below.
@main
enum Main {
    private static let program = Program(LiveryServerCommand.self, prefix: "livery-server: ")

    static func main() async {
        StandardStreams.prepare()
        let arguments = Array(CommandLine.arguments.dropFirst())
        var running: (any ParsableCommand.Type)?
        do {
            try program.checkHelpTopic(arguments)
            var command = try LiveryServerCommand.parseAsRoot(arguments)
            running = type(of: command)
            if var command = command as? any AsyncServerCommand {
                try await command.execute()
            } else {
                try command.run()
            }
        } catch {
            var ending = Ending(failure(of: error), of: program, command: running)
            if running == nil, ending.code == ProgramExit.usage.rawValue {
                ending.advise(OptionAdvice(program).lines(for: arguments))
            }
            ending.endProcess()
        }
    }

    private static func failure(of error: any Error) -> any Error {
        switch error {
        case let error as ConfigError: ProgramFailure(.negative, error.description)
        case let error as StoreError: ProgramFailure(.negative, error.description)
        default: error
        }
    }
}

/// A command that waits.
protocol AsyncServerCommand: ParsableCommand {
    mutating func execute() async throws
}
