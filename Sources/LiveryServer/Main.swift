// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigModel
import ConfigStore
import Files
import Foundation
import Programs

/// The program. An error is one line on standard error; errors of usage are followed by the usage.
@main
enum Main {
    static let program = Program(LiveryServerCommand.self, prefix: "livery-server: ")

    static func main() async {
        StandardStreams.prepare()
        var arguments: [String] = []
        var running: (any ParsableCommand.Type)?
        do {
            // An event loop and a worker for each processor, and those of the store, of signals and of libdispatch.
            // For the start: `OpenFiles` knows what the server needs.
            try ProgramResources.check(files: 8)
            let threads = 16 + 2 * ProcessInfo.processInfo.activeProcessorCount
            try ProgramResources.check(threads: threads)
            // Measured: 128 MB, and a stack of 8 MB for each thread.
            try ProgramResources.check(megabytes: 128 + 8 * threads)
            ProgramResources.endWithoutThreads(program.prefix)
            arguments = try Program.arguments()
            if let answer = program.answerToShell(arguments) { Ending(output: answer).endProcess() }
            try program.checkCommand(arguments)
            var command = try LiveryServerCommand.parseAsRoot(arguments)
            running = type(of: command)
            try checkVariables(Program.environment, for: command)
            if let serve = command as? Serve { try await serve.execute() } else { try command.run() }
        } catch {
            Ending(failure(of: error), of: program, command: running, arguments).endProcess()
        }
    }

    /// Rejects unknown variables: a typing error in LIVERY_TOKEN_FILE would serve everyone. The help is still printed.
    static func checkVariables(_ environment: [String: String], for command: any ParsableCommand) throws {
        guard type(of: command).configuration.commandName != "help",
            let problem = LiveryVariable.problems(in: environment, ofServer: true).first
        else { return }
        throw ValidationError(problem)
    }

    /// An unreachable store, or an address in use, may be available a moment later. It is not an error of the command line or
    /// of a file, and a service manager may start the server again.
    ///
    /// A server with a damaged store must not be started again before a person has repaired it.
    private static func failure(of error: any Error) -> any Error {
        switch error {
        case let error as ConfigError:
            ProgramFailure(
                error.code.exit == .unavailable ? .negative : error.code.exit,
                "\(error)" + option(error.source.flatMap { ["address": "address", "tokens": "token-file"][$0] })
            )
        case let error as StoreError:
            ProgramFailure(
                error.code == .damaged ? .data : .negative,
                "\(error)" + option([.certificate, .credentials].contains(error.reason) ? "store" : nil)
            )
        default: error
        }
    }

    /// The option for the setting that an error of a library names.
    private static func option(_ name: String?) -> String { name.map { " (--\($0))" } ?? "" }
}

struct LiveryServerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "livery-server",
        abstract: "Serve live configurations to programs.",
        usage: "livery-server [serve] [<options>]\nlivery-server <command> [<arguments>] [<options>]",
        discussion: """
            Stores its data in a SQLite file, or in MariaDB or etcd to share it with other servers. Without tokens it \
            accepts only local connections; with a token file it can listen on any address, preferably with TLS.

            EXAMPLES
              Serve ./livery.sqlite on http://127.0.0.1:3000:
                livery-server
              Create a token, which is printed once, and serve other machines:
                livery-server token create ci --role write --token-file tokens.jsonl
                livery-server --address 0.0.0.0:3000 --token-file tokens.jsonl \\
                  --tls-certificate cert.pem --tls-private-key key.pem
              Back up the store while the server runs; restore it while the server
              is stopped:
                livery-server backup /var/backups/livery/livery.sqlite \\
                  --store /var/lib/livery/livery.sqlite
                livery-server restore /var/backups/livery/livery.sqlite --replace \\
                  --store /var/lib/livery/livery.sqlite

            SIGNALS
              TERM, INT   finish requests in progress, close the streams and exit; on a
                          second signal, exit immediately
              HUP         reload the token file and the certificate; if the terminal was
                          closed, same as TERM

            LIMITS
            \(LimitsText.lines)
            """,
        version: SemanticVersion.livery.description,
        subcommands: [Serve.self, TokenCommand.self, Backup.self, Restore.self],
        defaultSubcommand: Serve.self
    )
}
