// SPDX-License-Identifier: Apache-2.0

public import ArgumentParser
import ConfigModel
import ConfigServer
import ConfigStore
public import ConfigWire
import Files
import Programs

struct TokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Make tokens, replace them, and list those of a file.",
        subcommands: [Create.self, TokenList.self, Rotate.self, Revoke.self]
    )

    /// The advice after a change of the file.
    private static let advice = "a running server reads the file again on SIGHUP"

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

        @Option(help: ArgumentHelp("How long it is valid, such as 90d (default: for ever).", valueName: "duration"))
        var expiresIn: Lifetime?

        @Option(
            .path(
                "token-file",
                "The token file to add it to; made, for its owner only, if not there",
                default: "LIVERY_TOKEN_FILE"
            )
        )
        var tokenFile: Setting<String?>

        @OptionGroup var rehearsal: RehearsalOption

        func validate() throws {
            guard !name.isEmpty, name.utf8.count <= 128 else { throw ValidationError("The name has 1 to 128 bytes.") }
            try Program.checkIsText(name, "The name")
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
            let end = expiresIn?.end(from: .ofClock())
            let (text, token) = AccessToken.random(name: name, role: role, namespaces: names, expiresAt: end)
            guard let path = try Settings().value(tokenFile) else {
                if rehearsal.dryRun { return rehearsal.tell("would make a token '\(name)': \(token.words)") }
                try Output.error.write("token: \(text)\n")
                return try Output.standard.write(token.json + [UInt8(ascii: "\n")])
            }
            try TokenFile(path: path).edit(making: true, dryRun: rehearsal.dryRun) { lines in
                guard lines.tokens(named: name).isEmpty else {
                    let advice = "choose another name, or use 'token rotate'"
                    throw ProgramFailure(.negative, "\(path): there is a token '\(name)' already; \(advice)")
                }
                lines.append(token)
                if rehearsal.dryRun { return }
                // Printed first: a token in the file must have been shown.
                try Output.standard.write(text + "\n")
            }
            if rehearsal.dryRun { return rehearsal.tell("would add '\(name)' to \(path): \(token.words)") }
            Output.error.writeLine("added '\(name)' to \(path), the token is shown this once; \(advice)")
        }
    }

    struct Rotate: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Replace a token by a new one, while both are valid for some time.",
            usage: "livery-server token rotate <name> [<options>]",
            discussion: """
                The new token has the name, the role and the namespaces of the old one, so that the history has one \
                author. The old one expires after the overlap; with --overlap 0 it is removed. All other lines of the \
                file stay as they are.

                A running server reads the file again on SIGHUP, and ends the streams of a token when it expires.

                EXAMPLE
                  livery-server token rotate ci --overlap 7d --token-file tokens.jsonl
                """
        )

        @Argument(help: "Whose token.")
        var name: String

        @Option(
            help: ArgumentHelp("How long the old token stays valid, such as 90s, 30m or 7d.", valueName: "duration")
        )
        var overlap = Lifetime.day

        @Option(help: ArgumentHelp("How long the new token is valid (default: for ever).", valueName: "duration"))
        var expiresIn: Lifetime?

        @OptionGroup var tokenFile: TokenFileOption
        @OptionGroup var rehearsal: RehearsalOption

        func run() throws {
            let path = try tokenFile.path()
            let now = Timestamp.ofClock()
            let end = overlap.end(from: now)
            try TokenFile(path: path).edit(dryRun: rehearsal.dryRun) { lines in
                let former = try lines.end(named: name, at: end, now: now)
                let (text, token) = AccessToken.random(
                    name: name,
                    role: former.role,
                    namespaces: former.namespaces,
                    expiresAt: expiresIn?.end(from: now)
                )
                lines.append(token)
                // Printed first: a token in the file must have been shown.
                if !rehearsal.dryRun { try Output.standard.write(text + "\n") }
            }
            let time = ClockFormat.local.dateAndClock(end)
            if rehearsal.dryRun {
                let old = overlap.seconds == 0 ? "remove the old one" : "have the old one expire at \(time)"
                return rehearsal.tell("would give '\(name)' a new token in \(path), and \(old)")
            }
            let old = overlap.seconds == 0 ? "the old one is removed" : "the old one expires at \(time)"
            Output.error.writeLine("'\(name)' has a new token in \(path), shown this once; \(old); \(advice)")
        }
    }

    struct Revoke: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove the tokens of a name from a file.",
            usage: "livery-server token revoke <name> [<options>]",
            discussion: """
                All other lines of the file stay as they are. A running server accepts the token until it reads the file \
                again, on SIGHUP; then it ends the token's streams as well.

                EXAMPLE
                  livery-server token revoke ci --token-file tokens.jsonl
                """
        )

        @Argument(help: "Whose tokens.")
        var name: String

        @OptionGroup var tokenFile: TokenFileOption
        @OptionGroup var rehearsal: RehearsalOption

        func run() throws {
            let path = try tokenFile.path()
            try TokenFile(path: path).edit(dryRun: rehearsal.dryRun) { lines in try lines.remove(named: name) }
            if rehearsal.dryRun { return rehearsal.tell("would remove '\(name)' from \(path)") }
            Output.error.writeLine("removed '\(name)' from \(path); \(advice)")
        }
    }
}

/// The file of tokens that a command cannot do without.
struct TokenFileOption: ParsableArguments {
    @Option(.path("token-file", "The token file", default: "LIVERY_TOKEN_FILE"))
    var tokenFile: Setting<String?>

    func path() throws -> String {
        guard let path = try Settings().value(tokenFile) else {
            throw ValidationError("Name the file with --token-file, or with LIVERY_TOKEN_FILE.")
        }
        return path
    }
}

extension AccessToken {
    /// Its rights and its end, for people.
    fileprivate var words: String {
        let place = namespaces.map { "in the namespaces \($0.sorted().joined(separator: ", "))" } ?? "in all namespaces"
        let end = expiresAt.map { "until \(ClockFormat.local.dateAndClock($0))" } ?? "for ever"
        return "role \(role.rawValue), \(place), \(end)"
    }
}

extension Role: ExpressibleByArgument {}

/// A duration as typed: `90s`, `30m`, `24h`, `7d`.
struct Lifetime: ExpressibleByArgument {
    let seconds: Int64

    static let day = Lifetime(seconds: 86_400)

    private init(seconds: Int64) { self.seconds = seconds }

    init?(argument: String) {
        guard let match = argument.wholeMatch(of: /([0-9]{1,9})([smhd]?)/), let count = Int64(match.1) else {
            return nil
        }
        let unit: Int64? =
            switch match.2 {
            case "s": 1
            case "m": 60
            case "h": 3600
            case "d": 86_400
            default: count == 0 ? 1 : nil
            }
        guard let unit, count * unit <= 36_500 * 86_400 else { return nil }
        seconds = count * unit
    }

    var defaultValueDescription: String { "\(seconds / 3600)h" }

    func end(from now: Timestamp) -> Timestamp { Timestamp(milliseconds: now.milliseconds + seconds * 1000) }
}
