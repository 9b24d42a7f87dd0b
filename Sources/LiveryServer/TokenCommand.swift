import ArgumentParser
import ConfigModel
import ConfigServer

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
            discussion: """
                The line for the token file goes to standard output, the token itself to standard error, this once: the \
                server keeps only its hash.

                EXAMPLE
                  livery-server token create ci --role write --namespaces shop,web >> tokens.jsonl
                """
        )

        @Argument(help: "Who will hold it: the author in the history and in the audit log.")
        var name: String

        @Option(help: "What it may do: read, write or admin (default: read).")
        var role = Role.read

        @Option(help: ArgumentHelp("In which namespaces, separated by commas; * is all.", valueName: "names"))
        var namespaces = "*"

        func validate() throws {
            guard !name.isEmpty, name.utf8.count <= 128 else { throw ValidationError("The name has 1 to 128 bytes.") }
            for namespace in names ?? [] {
                if let problem = ConfigNamespace.problem(in: namespace) {
                    throw ValidationError("The namespace '\(namespace)' \(problem).")
                }
            }
        }

        private var names: Set<String>? {
            namespaces == "*" ? nil : Set(namespaces.split(separator: ",").map(String.init))
        }

        func run() {
            let (text, token) = AccessToken.random(name: name, role: role, namespaces: names)
            print(String(decoding: token.json, as: UTF8.self))
            StandardError.write("token: \(text)")
        }
    }

    /// `livery-server token list`.
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the tokens of a file.")

        @Option(help: ArgumentHelp("The token file.", valueName: "path"))
        var tokenFile: String?

        func run() throws {
            guard let path = Settings().text(tokenFile, "token.file") else {
                throw ValidationError("Name the file with --token-file.")
            }
            for token in try TokenFile(path: path).read().tokens {
                let namespaces = token.namespaces?.sorted().joined(separator: ",") ?? "*"
                print("\(token.name)\t\(token.role.rawValue)\t\(namespaces)")
            }
        }
    }
}

extension Role: ExpressibleByArgument {}
