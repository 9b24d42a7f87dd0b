import ConfigModel
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
            FileHandle.standardError.write(Data("livery-server: \(error)\n".utf8))
            Foundation.exit(1)
        } catch {
            LiveryServerCommand.exit(withError: error)
        }
    }
}
