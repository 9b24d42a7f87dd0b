// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigModel
import Files
import Foundation
import Programs
import RemoteConfig
import Testing

@testable import LiveryApp
@testable import LiveryCommands

/// The errors for wrong command lines, and the format of the help.
struct CommandLineTests {
    @Test func optionsHaveValuesThatBeginWithMarks() {
        let line = ["set", "a=\u{301}", "--message=\u{301}x", "--type=json", "--", "--message=\u{301}"]
        let expected = ["set", "a=\u{301}", "--message", "\u{301}x", "--type=json", "--", "--message=\u{301}"]
        #expect(Program.separated(line) == expected)
    }

    private static func ending(_ arguments: [String]) -> Ending? {
        var running: (any ParsableCommand.Type)?
        do {
            var command = try Livery.command(for: arguments)
            guard !(command is any LiveryCommand) else { return nil }
            running = type(of: command)
            try command.run()
            return nil
        } catch {
            return Main.ending(error, of: running, arguments)
        }
    }

    @Test(
        arguments: [
            (["get", "a", "--follow"], "--follow is an option of 'livery' without a command, not of"),
            (["get", "a", "--color", "8"], "--color is an option of 'livery' without a command and others, not of"),
            (["list", "--replace"], "--replace is an option of 'livery import', not of 'livery list'."),
            (["logout", "--token-file", "f"], "--token-file is an option of 'livery' without a command and others"),
            (["login", "--seen", "3"], "--seen is an option of 'livery get' and others, not"),
            (["export", "--json"], "--json is an option of 'livery' without a command and others, not"),
            (["doctor", "--json"], "--json is an option of"),
            (["--server", "http://h"], "pass the server as the source: livery http"),
            (["--json", "list"], "Options must follow the command: livery list …"),
            (["help", "nope"], "Unknown command 'nope'"), (["help", "get", "nope"], "Unknown command 'nope'"),
            (["nope"], "'nope' is neither a command nor a file"),
            (["sett"], "neither a command nor a file; did you mean 'set'?"),
            (["Set", "a", "1"], "did you mean 'set'?"), (["hist"], "did you mean 'history'?"),
            (["roll"], "'livery --help' lists the commands."),
            (["localhost:3000"], "'localhost:3000' is not a file; for a server, use http://localhost:3000"),
            (["127.0.0.1:3000", "--plain"], "for a server, use http://127.0.0.1:3000"),
            (["sett", "a", "1"], "did you mean 'set'?"), (["rule", "sett", "k"], "'sett'; did you mean 'set'?"),
            (["help", "rolout"], "'rolout'; did you mean 'rollout'?"),
            (["schema", "x"], "'livery schema --help' lists"),
            (["rollout", "k", "v=1", "150%"], "the percentage must be at most 100%"),
            (["wall", "nope"], "'nope' is neither a number of screens nor a file"),
            (["wall", "0"], "The number of screens must be at least 1, not '0'."),
            (["list", "--json", "--plain"], "Usage: livery list [<prefix>]"),
            (["import", "f", "--dry-run", "--batches"], "--dry-run and --batches are mutually exclusive"),
            (["--plain", "--color", "8"], "--color applies to the full screen only"),
            (["login", "--stdin", "--token-file", "f"], "--stdin and --token-file are mutually exclusive"),
        ] as [([String], String)]
    )
    func misplacedOptionNamesItsCommand(arguments: [String], message: String) throws {
        let ending = try #require(Self.ending(arguments))
        #expect(ending.code == 64)
        #expect(ending.output.isEmpty)
        #expect(ending.errors.hasPrefix("Error: "))
        #expect(ending.errors.contains(message), "\(ending.errors)")
    }

    @Test(
        arguments: [
            (["schema", "chek"], "'check'?", "schema <subcommand>"), (["rule", "sett", "k"], "'set'?", "rule <sub"),
            (["help", "schema", "chek"], "'check'?", "schema <subcommand>"),
            (["rollout", "finsih"], "'finish'?", "rollout <key> <variant>"),
            (["rollout", "finsih", "k"], "'finish'?", "rollout <key> <variant>"),
            (["rollout", "k", "v"], "argument '<percentage>'", "rollout <key> <variant>"),
            (["rollout", "finish"], "argument '<key>'", "rollout finish <key>"),
            (["history", "--bogus"], "option '--bogus'", "history [<key>]"),
            (["schema", "check", "--bogus"], "option '--bogus'", "schema check [<file>]"),
            (["rollback", "x"], "a revision, or KEY", "rollback <revision>"), (["nope"], "a file", "[<source>]"),
        ]
    )
    func anErrorOfUsageShowsTheUsageOfItsCommand(arguments: [String], message: String, usage: String) throws {
        let errors = try #require(Self.ending(arguments)).errors
        #expect(errors.hasPrefix("Error: ") && errors.contains(message + ""), "\(errors)")
        #expect(errors.contains("\nUsage: livery \(usage)"), "\(errors)")
    }

    @Test("Any unknown word after a command shows the usage of that command")
    func unknownSubcommandsOfEveryGroupShowItsUsage() throws {
        for command in Self.commands where !command.configuration.subcommands.isEmpty && command != Livery.self {
            let name = try #require(command.configuration.commandName)
            for word in command.configuration.subcommands.map({ $0._commandName + "x" }) {
                let errors = try #require(Self.ending([name, word])).errors
                #expect(errors.contains("\nUsage: livery \(name) <") && errors.contains("did you mean"), "\(errors)")
            }
        }
    }

    @Test(arguments: [[], ["a.json"], ["http://h/v1/shop"]])
    func commonCommandLinesMatchTheParser(arguments: [String]) throws {
        let demo = try #require(Livery(arguments))
        let parsed = try #require(try Livery.parseAsRoot(arguments) as? Livery)
        #expect(demo.sourceOptions.place == parsed.sourceOptions.place)
        #expect(demo.sourceOptions.connection.tokenFile == parsed.sourceOptions.connection.tokenFile)
        #expect(demo.sourceOptions.connection.insecureHost == parsed.sourceOptions.connection.insecureHost)
        #expect(demo.sourceOptions.connection.given == parsed.sourceOptions.connection.given)
        #expect(demo.color == parsed.color)
        #expect([demo.json, demo.plain, demo.follow] == [parsed.json, parsed.plain, parsed.follow])
    }

    @Test(arguments: [["--json"], ["list"], ["a.json", "b.json"], ["--color", "8"], [""], ["-./a"]])
    func allOtherCommandLinesAreTheParsers(arguments: [String]) {
        #expect(Livery(arguments) == nil)
    }

    private static let commands = all(in: Livery.self)

    private static func all(in command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
        [command] + command.configuration.subcommands.flatMap(all)
    }

    @Test(arguments: [["--help"], ["help"], ["help", "set"], ["set", "--help"], ["--version"], ["get", "--version"]])
    func helpAndVersionGoToStandardOutput(arguments: [String]) throws {
        let ending = try #require(Self.ending(arguments))
        #expect(ending.code == 0)
        #expect(ending.errors.isEmpty)
        #expect(!ending.output.isEmpty)
    }

    @Test func helpFitsEightyColumns() {
        for command in Self.commands {
            let help = Livery.helpMessage(for: command, columns: 80).split(
                separator: "\n",
                omittingEmptySubsequences: false
            )
            for line in help { #expect(line.count <= 80, "\(command): \(line)") }
            let lines = Set(help.map(String.init))
            for line in command.configuration.discussion.split(separator: "\n") where line.hasPrefix("  ") {
                #expect(lines.contains(String(line)), "\(command) breaks: \(line)")
            }
        }
    }

    @Test(arguments: [
        ["schema", "x\u{1B}[31my"], ["x\u{1B}[31my"], ["rollout", "k", "v", "\u{1B}[1m5"], ["--context", "\u{9B}31m"],
    ])
    func wordsOfTheCommandLineDoNotControlTheTerminal(arguments: [String]) throws {
        let errors = try #require(Self.ending(arguments)).errors
        #expect(errors.contains("\u{FFFD}") && errors.contains("\n"), "\(errors)")
        #expect(!errors.unicodeScalars.contains { ["\u{1B}", "\u{9B}", "\u{202E}"].contains($0) }, "\(errors)")
    }

    @Test(arguments: [
        ["a\nb"], ["a\r\nb"], ["\n"], ["\n "], ["set", "--nope=a\nb"], ["get", "x", "a\nb"], ["set", "a\nb", "1"],
        ["get", "x", "\n"],
    ])
    func lineFeedsOfArgumentsAreEscaped(arguments: [String]) throws {
        var running: (any ParsableCommand.Type)?
        let error = #expect(throws: (any Error).self) {
            let command = try Livery.command(for: arguments)
            running = type(of: command)
            try (command as? any OperatorCommand)?.check()
        }
        let errors = Main.ending(try #require(error), of: running, arguments).errors
        let lines = errors.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(errors.hasPrefix("Error: ") && errors.hasSuffix("\n"), "\(errors)")
        #expect(!lines.contains { $0 == "b" || $0.hasPrefix("b'") || $0.hasPrefix("'") }, "\(errors)")
    }

    @Test func closedPipeEndsWithoutAMessage() {
        let gone = Ending(OutputError(code: EPIPE), of: Livery.program)
        #expect(gone.isBrokenPipe)
        #expect(gone.errors.isEmpty)
        let full = Ending(OutputError(code: ENOSPC), of: Livery.program)
        #expect(full.code == 74)
        #expect(full.errors == "Error: cannot write the output: No space left on device\n")
    }

    @Test func anErrorOfUsageThatShowsLateHasTheUsageOfItsCommand() {
        let ending = Ending(ValidationError("Say --yes."), of: Livery.program, command: RollbackCommand.self)
        #expect(ending.code == 64)
        #expect(ending.errors.hasPrefix("Error: Say --yes.\nUsage: livery rollback <revision> [<options>]\n  "))
        #expect(ending.errors.contains("See 'livery rollback --help'"))
    }

    @Test func theDocumentationHasTheTableOfExitCodes() throws {
        let path = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../Documentation/Commands.md"
        )
        let page = try String(contentsOf: path.standardized, encoding: .utf8)
        let rows = page.split(separator: "\n").filter { $0.wholeMatch(of: /\| \d+ \|.*\|/) != nil }
        #expect(rows.map(String.init) == ProgramExit.allCases.map { "| \($0.rawValue) | \($0.meaning) |" })
        for exit in ProgramExit.allCases {
            #expect(Livery.helpMessage(columns: 80).contains(exit.meaning), "\(exit)")
        }
    }

    @Test(
        arguments: [
            (["--server", "http://h/v1/shop"], [:], "http://h", "shop"),
            (["--server", "http://h/v1/"], [:], "http://h", "default"),
            (["--server", "http://h/x/v1/shop/config"], [:], "http://h/x", "shop"),
            (["--server", "http://h/v1/shop", "-n", "shop"], [:], "http://h", "shop"),
            (["--server", "http://h/v1/shop"], ["LIVERY_NAMESPACE": "web"], "http://h", "shop"),
            (["-n", "web"], ["LIVERY_SERVER": "http://h/v1/shop"], "http://h", "web"),
            ([], ["LIVERY_SERVER": "http://h/v1/shop"], "http://h", "shop"),
            (["--server", "http://h"], ["LIVERY_NAMESPACE": "web"], "http://h", "web"),
        ] as [([String], [String: String], String, String)]
    )
    func anAddressMayNameTheNamespace(
        arguments: [String],
        environment: [String: String],
        server: String,
        namespace: String
    ) throws {
        let address = try ServerOptions.parse(arguments).address(environment: environment)
        #expect(address.text == server)
        #expect(address.namespace == namespace)
    }

    @Test(
        arguments: [
            (["--server", "http://h/v1/shop", "-n", "web"], [:]), (["--server", "http://h/v1/Shop"], [:]),
            ([], ["LIVERY_SERVER": "http://h/v1/shop", "LIVERY_NAMESPACE": "web"]),
        ] as [([String], [String: String])]
    )
    func twoNamespacesAreAnError(arguments: [String], environment: [String: String]) throws {
        let options = try ServerOptions.parse(arguments)
        let error = #expect(throws: ConfigError.self) { try options.address(environment: environment) }
        #expect(error?.code.exit == .usage)
    }
}
