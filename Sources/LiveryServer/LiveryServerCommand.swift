import ArgumentParser
import ConfigModel
import ConfigServer

/// The program's commands.
struct LiveryServerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "livery-server",
        abstract: "Serve configurations that change while they are used.",
        usage: "livery-server [serve] [<options>]\nlivery-server <command> [<arguments>] [<options>]",
        discussion: """
            Keeps its data in one SQLite file, or shares a database with other servers. Without tokens it serves this machine alone; with a token file it can \
            listen anywhere, preferably with TLS.

            EXAMPLES
              Serve ./livery.sqlite on http://127.0.0.1:3000:
                livery-server
              Make a token, which is shown this once, and serve other machines:
                livery-server token create ci --role write --token-file tokens.jsonl
                livery-server --address 0.0.0.0:443 --token-file tokens.jsonl \\
                  --tls-certificate cert.pem --tls-private-key key.pem
              Copy the data while the server runs; put a copy in their place while it
              does not:
                livery-server backup /backups/livery.sqlite
                livery-server restore /backups/livery.sqlite --replace

            SIGNALS
              TERM, INT   finish what is under way, end the streams, exit; at once on
                          a second signal
              HUP         read the token file and the certificate again
            """,
        version: SemanticVersion.livery.description,
        subcommands: [Serve.self, TokenCommand.self, Backup.self, Restore.self],
        defaultSubcommand: Serve.self
    )
}
