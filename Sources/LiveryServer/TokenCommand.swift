import ArgumentParser
import ConfigModel
import ConfigServer
import Files

/// `livery-server token`.
struct TokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Make tokens, and list those of a file.",
        subcommands: [Create.self, List.self]
    )

    /// `livery-server token create NAME`.
    struct Create: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make a token.",
            usage: "livery-server token create <name> [<options>]",
            discussion: """
                With a token file, the token's hash is added to it and the token itself goes to standard output, this \
                once: nobody keeps it but its holder. A server that runs reads the file again on SIGHUP.

                Without one, the line for the file goes to standard output and the token to standard error.

                ROLES
                  read     configurations, their history and their streams
                  write    change keys as well
                  admin    roll a whole namespace back as well

                EXAMPLE
                  livery-server token create ci --role write --namespaces shop,web \\
                    --token-file tokens.jsonl
                """
        )

        @Argument(help: "Who will hold it: the author in the history and in the audit log.")
        var name: String

        @Option(help: "What it may do.")
        var role = Role.read

        @Option(help: ArgumentHelp("In which namespaces, separated by commas; * is all.", valueName: "names"))
        var namespaces = "*"

        @Option(
            help: ArgumentHelp(
                "The token file to add it to (default: LIVERY_TOKEN_FILE); made, for its owner only, if not there.",
                valueName: "path"
            )
        )
        var tokenFile: String?

        func validate() throws {
            guard !name.isEmpty, name.utf8.count <= 128 else { throw ValidationError("The name has 1 to 128 bytes.") }
            if name.excerpt(ofScalars: 128) != name {
                throw ValidationError("The name may not have control characters and ends of lines.")
            }
            if names?.isEmpty == true { throw ValidationError("Name a namespace, or * for all.") }
            for namespace in names ?? [] {
                if let problem = NamespaceRule.problem(in: namespace) {
                    throw ValidationError("The namespace '\(namespace)' \(problem).")
                }
            }
        }

        private var names: Set<String>? {
            namespaces == "*" ? nil : Set(namespaces.split(separator: ",").map(String.init))
        }

        func run() throws {
            let (text, token) = AccessToken.random(name: name, role: role, namespaces: names)
            guard let path = Settings().text(tokenFile, "token.file") else {
                try Output.error.write("token: \(text)\n")
                return try Output.standard.write(token.json + [UInt8(ascii: "\n")])
            }
            // Shown first: a token that nobody has seen must not be in the file.
            try TokenFile(path: path).append(token) { try Output.standard.write(text + "\n") }
            Output.error.writeLine("added '\(name)' to \(path); the token is shown this once")
        }
    }

    /// `livery-server token list`.
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the tokens of a file.",
            discussion: "A line has the name, the role and the namespaces, with tabs between them."
        )

        @Option(help: ArgumentHelp("The token file (default: LIVERY_TOKEN_FILE).", valueName: "path"))
        var tokenFile: String?

        func run() throws {
            guard let path = Settings().text(tokenFile, "token.file") else {
                throw ValidationError("Name the file with --token-file.")
            }
            for token in try TokenFile(path: path).read().tokens {
                let namespaces = token.namespaces?.sorted().joined(separator: ",") ?? "*"
                let name = token.name.excerpt(ofScalars: 128)
                try Output.standard.write("\(name)\t\(token.role.rawValue)\t\(namespaces)\n")
            }
        }
    }
}

extension Role: ExpressibleByArgument {}
