import ArgumentParser
import ConfigModel
import TerminalUI

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
        do {
            var command = try Livery.parseAsRoot()
            if let command = command as? any LiveryCommand {
                try await command.execute()
            } else {
                try command.run()
            }
        } catch let error as ConfigError {
            StandardError.write("Error: \(error.description.sanitized())")
            Livery.exit(withError: ExitCode.failure)
        } catch {
            Livery.exit(withError: error)
        }
    }
}
