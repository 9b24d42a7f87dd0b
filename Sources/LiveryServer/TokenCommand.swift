import ArgumentParser
import ConfigModel
import ConfigServer
import Files
import Foundation

struct TokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Make tokens, and list those of a file.",
        subcommands: [Create.self, List.self]
    )

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
            .path(
                "token-file",
                "The token file to add it to; made, for its owner only, if not there",
                default: "LIVERY_TOKEN_FILE"
            )
        )
        var tokenFile: Setting<String?>

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
            guard let path = try Settings().value(tokenFile) else {
                try Output.error.write("token: \(text)\n")
                return try Output.standard.write(token.json + [UInt8(ascii: "\n")])
            }
            // Shown first: a token that nobody has seen must not be in the file.
            try TokenFile(path: path).append(token) { try Output.standard.write(text + "\n") }
            Output.error.writeLine("added '\(name)' to \(path); the token is shown this once")
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the tokens of a file.",
            discussion: "A line has the name, the role and the namespaces, with tabs between them."
        )

        @Option(.path("token-file", "The token file", default: "LIVERY_TOKEN_FILE"))
        var tokenFile: Setting<String?>

        func run() throws {
            guard let path = try Settings().value(tokenFile) else {
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

struct TokenFile {
    /// More than that is not a token file.
    private static let maximumBytes = 64 << 20

    let path: String

    func read() throws(ConfigError) -> TokenTable {
        try TokenTable(file: try bytes(), named: path)
    }

    private func bytes(orIfMissing empty: [UInt8]? = nil) throws(ConfigError) -> [UInt8] {
        do throws(FileError) {
            return try FileContent.bytes(at: path, atMost: Self.maximumBytes)
        } catch {
            if error.isMissing, let empty { return empty }
            let advice =
                if error.isMissing {
                    "does not exist; make it with 'livery-server token create'"
                } else if error.isTooLarge {
                    "is larger than \(Self.maximumBytes) bytes; remove tokens that are not used"
                } else {
                    "cannot be read; check that it is a file that this user may read"
                }
            throw ConfigError(.unreadable, "the token file \(path) \(advice)", underlying: error)
        }
    }

    /// - Parameter show: shows the token to its future holder. If it throws, the file stays as it was.
    /// - Throws: ``ConfigError`` if the file is broken already, has the name already, or cannot be read or written.
    func append(_ token: AccessToken, showing show: () throws -> Void) throws {
        let present = try bytes(orIfMissing: [])
        guard !(try TokenTable(file: present, named: path)).tokens.contains(where: { $0.name == token.name }) else {
            let message = "there is a token '\(token.name)' already; choose another name, or remove its line first"
            throw ConfigError(.duplicateKey, message, source: path)
        }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw unwritable(OutputError(code: errno)) }
        defer { close(descriptor) }
        try show()
        let isOpenLine = present.last.map { $0 != UInt8(ascii: "\n") } ?? false
        do throws(OutputError) {
            try Output(descriptor: descriptor).write((isOpenLine ? "\n" : "").utf8 + token.json + "\n".utf8)
            guard fsync(descriptor) == 0 else { throw OutputError(code: errno) }
        } catch {
            throw unwritable(error)
        }
    }

    private func unwritable(_ error: OutputError) -> ConfigError {
        ConfigError(.unreadable, "the token file \(path) cannot be written: \(error.reason)")
    }
}
