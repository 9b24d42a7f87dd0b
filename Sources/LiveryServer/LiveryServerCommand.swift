import ArgumentParser
import ConfigServer

/// The program's commands.
struct LiveryServerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "livery-server",
        abstract: "Serve configurations that change while they are used.",
        discussion: """
            Keeps its data in one SQLite file. Without tokens it serves this machine alone; with a token file it can \
            listen anywhere, preferably with TLS.

            EXAMPLES
              livery-server                                serve ./livery.sqlite on http://127.0.0.1:3000
              livery-server --address 127.0.0.1:0          take any free port and say which
              livery-server token create ci --role write --namespaces shop >> tokens.jsonl
                                                           make a token; it is shown once, on standard error
              livery-server --address 0.0.0.0:443 --token-file tokens.jsonl \\
                --tls-certificate cert.pem --tls-private-key key.pem
              livery-server backup /backups/livery.sqlite  copy the data, also while the server runs
              livery-server restore /backups/livery.sqlite put a copy in their place, while it does not

            SIGNALS
              TERM, INT   take no more requests, finish those under way, end the streams, exit
              HUP         read the token file again
            """,
        version: ServerVersion.current,
        subcommands: [Serve.self, TokenCommand.self, Backup.self, Restore.self],
        defaultSubcommand: Serve.self
    )
}
