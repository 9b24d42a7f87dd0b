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
        abstract: "Manage tokens.",
        subcommands: [Create.self, TokenList.self, Rotate.self, Revoke.self]
    )

    /// The advice after a change of the file.
    private static let advice = "send SIGHUP to a running server to reload the file"

    struct Create: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Create a token.",
            usage: "livery-server token create <name> [<options>]",
            discussion: """
                With --token-file, adds the hash of the token to the file and prints the token on standard output. The \
                token is not stored and cannot be shown again. A running server reloads the file on SIGHUP.

                Without --token-file, prints the line for the file on standard output and the token on standard error.

                ROLES
                  read     read entries and history, open streams
                  write    read, change keys, and edit drafts
                  approve  write, and review and apply drafts
                  admin    approve, set the policy of reviews, and roll back a namespace

                SUBJECT
                Nobody approves a draft of their own. Give all tokens of a person, and those of their programs, the \
                same subject.

                EXAMPLES
                  livery-server token create ci --role write --namespaces shop,web \\
                    --token-file tokens.jsonl
                  livery-server token create ann-laptop --role approve --subject ann \\
                    --token-file tokens.jsonl
                """
        )

        @Argument(help: "The name of the token, shown as the author in the history and in the audit log.")
        var name: String

        @Option(help: "Set the role.")
        var role = Role.read

        @Option(help: "Name the person that the token belongs to (default: its name).")
        var subject: String?

        @Option(
            help: ArgumentHelp(
                "Limit the token to these namespaces, separated by commas; * allows all.",
                valueName: "names"
            )
        )
        var namespaces = "*"

        @Option(
            help: ArgumentHelp("Expire the token after this time, e.g. 90d (default: never).", valueName: "duration")
        )
        var expiresIn: Lifetime?

        @Option(
            .path(
                "token-file",
                "Token file to add the token to; created if it does not exist",
                default: "LIVERY_TOKEN_FILE"
            )
        )
        var tokenFile: Setting<String?>

        @OptionGroup var dryRunOption: DryRunOption

        func validate() throws {
            try Program.checkIsText(name, "The name")
            if names?.isEmpty == true {
                throw ValidationError("--namespaces must not be empty; use * for all namespaces.")
            }
            do {
                try AccessToken.random(name: name, role: role, namespaces: names, subject: subject).token.check()
            } catch {
                throw ValidationError(error.message)
            }
        }

        private var names: Set<String>? {
            namespaces == "*" ? nil : Set(namespaces.split(separator: ",").map(String.init))
        }

        func run() throws {
            let end = expiresIn?.end(from: .ofClock())
            let (text, token) = AccessToken.random(
                name: name,
                role: role,
                namespaces: names,
                expiresAt: end,
                subject: subject
            )
            guard let path = try Settings().value(tokenFile) else {
                if dryRunOption.dryRun {
                    return dryRunOption.report("would create the token '\(name)': \(token.words)")
                }
                try Output.error.write("token: \(text)\n")
                return try Output.standard.write(token.json + [UInt8(ascii: "\n")])
            }
            try TokenFile(path: path).edit(making: true, dryRun: dryRunOption.dryRun) { lines in
                guard lines.tokens(named: name).isEmpty else {
                    let advice = "choose another name, or use 'livery-server token rotate'"
                    throw ProgramFailure(.negative, "\(path): the token '\(name)' already exists; \(advice)")
                }
                lines.append(token)
                if dryRunOption.dryRun { return }
                // Printed first: a token in the file must have been shown.
                try Output.standard.write(text + "\n")
            }
            if dryRunOption.dryRun {
                return dryRunOption.report("would add the token '\(name)' to \(path): \(token.words)")
            }
            Output.error.writeLine(
                "added the token '\(name)' to \(path); store it now, it is not shown again; \(advice)"
            )
        }
    }

    struct Rotate: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Replace a token; both are valid during the overlap.",
            usage: "livery-server token rotate <name> [<options>]",
            discussion: """
                The new token has the same name, subject, role and namespaces, so that the author in the history does not \
                change. The old token expires after the overlap; with --overlap 0 it is removed. All other lines of \
                the file are left unchanged.

                A running server reloads the file on SIGHUP, and closes the streams of a token when it expires.

                EXAMPLE
                  livery-server token rotate ci --overlap 7d --token-file tokens.jsonl
                """
        )

        @Argument(help: "The name of the token.")
        var name: String

        @Option(
            help: ArgumentHelp("Keep the old token valid for this time, such as 90s, 30m or 7d.", valueName: "duration")
        )
        var overlap = Lifetime.day

        @Option(help: ArgumentHelp("Expire the new token after this time (default: never).", valueName: "duration"))
        var expiresIn: Lifetime?

        @OptionGroup var tokenFile: TokenFileOption
        @OptionGroup var dryRunOption: DryRunOption

        func run() throws {
            let path = try tokenFile.path()
            let now = Timestamp.ofClock()
            var end = overlap.end(from: now)
            try TokenFile(path: path).edit(dryRun: dryRunOption.dryRun) { lines in
                let former = try lines.end(named: name, at: end, now: now)
                end = min(former.expiresAt ?? end, end)
                let (text, token) = AccessToken.random(
                    name: name,
                    role: former.role,
                    namespaces: former.namespaces,
                    expiresAt: expiresIn?.end(from: now),
                    subject: former.subject
                )
                lines.append(token)
                // Printed first: a token in the file must have been shown.
                if !dryRunOption.dryRun { try Output.standard.write(text + "\n") }
            }
            let time = ClockFormat.local.dateAndClock(end)
            if dryRunOption.dryRun {
                let old = end <= now ? "remove the old one" : "let the old one expire at \(time)"
                return dryRunOption.report("would replace the token '\(name)' in \(path) and \(old)")
            }
            let old = end <= now ? "the old one was removed" : "the old one expires at \(time)"
            Output.error.writeLine(
                "replaced the token '\(name)' in \(path); store it now, it is not shown again; \(old); \(advice)"
            )
        }
    }

    struct Revoke: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove a token.",
            usage: "livery-server token revoke <name> [<options>]",
            discussion: """
                Removes all tokens with the name; all other lines of the file are left unchanged. A running server \
                accepts the tokens until it reloads the file on SIGHUP; then it also closes their streams.

                EXAMPLE
                  livery-server token revoke ci --token-file tokens.jsonl
                """
        )

        @Argument(help: "The name of the tokens.")
        var name: String

        @OptionGroup var tokenFile: TokenFileOption
        @OptionGroup var dryRunOption: DryRunOption

        func run() throws {
            let path = try tokenFile.path()
            try TokenFile(path: path).edit(dryRun: dryRunOption.dryRun) { lines in try lines.remove(named: name) }
            if dryRunOption.dryRun { return dryRunOption.report("would remove the token '\(name)' from \(path)") }
            Output.error.writeLine("removed the token '\(name)' from \(path); \(advice)")
        }
    }
}

/// The required file of tokens.
struct TokenFileOption: ParsableArguments {
    @Option(.path("token-file", "The token file", default: "LIVERY_TOKEN_FILE"))
    var tokenFile: Setting<String?>

    func path() throws -> String {
        guard let path = try Settings().value(tokenFile) else {
            throw ValidationError("Missing token file; pass --token-file, or set LIVERY_TOKEN_FILE.")
        }
        return path
    }
}

extension AccessToken {
    /// Its rights and its end, for people.
    fileprivate var words: String {
        let place = namespaces.map { "namespaces \($0.sorted().joined(separator: ", "))" } ?? "all namespaces"
        let end = expiresAt.map { "expires \(ClockFormat.local.dateAndClock($0))" } ?? "never expires"
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
