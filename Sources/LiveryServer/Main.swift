import ArgumentParser
import ConfigModel
import ConfigServer
import Foundation

/// The program. Errors are one line on standard error.
@main
enum Main {
    static func main() async {
        do {
            var command = try LiveryServerCommand.parseAsRoot()
            if var command = command as? any AsyncServerCommand {
                try await command.execute()
            } else {
                try command.run()
            }
        } catch let error as ConfigError {
            fail(error.description)
        } catch let error as StoreError {
            fail(error.description)
        } catch {
            LiveryServerCommand.exit(withError: error)
        }
    }

    private static func fail(_ message: String) -> Never {
        StandardError.write("livery-server: \(message)")
        Foundation.exit(1)
    }
}

/// A command that waits.
protocol AsyncServerCommand: ParsableCommand {
    mutating func execute() async throws
}

/// Where messages for people go.
enum StandardError {
    static func write(_ line: String) {
        FileHandle.standardError.write(Data((line + "\n").utf8))
    }
}
