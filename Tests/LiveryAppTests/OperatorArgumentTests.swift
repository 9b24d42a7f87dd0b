// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigModel
import ConfigRules
import LiveryScreens
import Programs
import RemoteConfig
import TestSupport
import Testing

@testable import LiveryApp
@testable import LiveryCommands

struct OperatorArgumentTests {
    @Test(
        arguments: [
            ["get"], ["get", "a", "b"], ["set"], ["set", "a"], ["set", "a", "1", "--expect", "1", "--if-match", "2"],
            ["set", "a", "1", "--create", "--expect", "1"], ["set", "a=1", "b=2", "--create"],
            ["set", "a=1", "--type", "x"],
            ["set", "a", "1", "--expect", "-1"], ["unset"], ["unset", "a", "b", "--if-match", "1"],
            ["list", "--json", "--plain"], ["history", "--limit", "0"], ["rollback"], ["rollback", "x"],
            ["rollback", "1", "2"], ["rollback", "--to", "1"], ["rollback", "a", "--to", "x"], ["restore"], ["import"],
            ["export", "--flat", "--nested"], ["export", "--exact", "--flat"], ["diff"], ["watch", "--nonsense"],
            ["schema", "set"], ["schema", "set", "a"], ["schema", "set", "a", "f", "--from", "g"],
            ["schema", "unset"], ["schema", "show"], ["schema", "show", "a", "--json", "--plain"],
            ["get", "a", "--details", "--json"],
            ["history", "a", "--schema", "a"], ["schema", "list", "--json", "--plain"],
            ["import", "f", "--remove-all"], ["unset", "a", "--remove-all"], ["unset", "--prefix", ""],
        ]
    )
    func contradictoryArgumentsAreRejected(arguments: [String]) {
        let error = #expect(throws: (any Error).self) { try Livery.command(for: arguments) }
        #expect(error.map { Livery.exitCode(for: $0) } == .validationFailure)
    }

    @Test func attributesThatOnlyLookTheSameAreApart() throws {
        let words = ["\u{E9}=1", "e\u{301}=2", "targeting\u{212A}ey=3", "user=\u{301}x", "\u{E9}=4"]
        let context = try #require(try ContextOptions.parse(words.flatMap { ["--context", $0] }).context)
        #expect(context.targetingKey.map { ExactString($0) } == "\u{301}x")
        #expect(EntryValue.object(context.attributes) == ["\u{E9}": 4, "e\u{301}": 2, "targeting\u{212A}ey": 3])
    }

    @Test(arguments: [
        (["app.offset", "-5"], ["app.offset=-5"]), (["app.offset", "-0.5", "--dry-run"], ["app.offset=-0.5"]),
        (["-m", "why", "app.offset", "-1e3"], ["app.offset=-1e3"]),
        (["app.offset", "--", "-5"], ["app.offset", "-5"]),
        (["--dry-run", "app.offset", "-5"], ["app.offset=-5"]), (["--create", "app.offset", "-5"], ["app.offset=-5"]),
        (["--literal", "app.offset", "-5"], ["app.offset=-5"]), (["--type=number", "a", "-5"], ["a=-5"]),
        (["--type", "number", "app.offset", "-5"], ["app.offset=-5"]),
        (["app.offset", "--dry-run", "-5"], ["app.offset=-5"]), (["a", "-m", "why", "-5"], ["a=-5"]),
        (["a=1", "b", "-5"], ["a=1", "b=-5"]),
    ])
    func negativeNumbersAreValuesOfSet(arguments: [String], assignments: [String]) throws {
        let command = try Livery.command(for: ["set"] + arguments)
        #expect((command as? SetCommand)?.assignments == assignments)
    }

    @Test func rolloutWithoutASubcommandSetsAShare() throws {
        let share = try Livery.command(for: ["rollout", "k", "v=1", "10%"]) as? RolloutSetCommand
        #expect(share?.key == "k" && share?.variant == "v=1")
        #expect(try Livery.command(for: ["rollout", "finish", "k"]) is RolloutFinishCommand)
    }

    /// Its last word is completed by no key then.
    @Test(arguments: [
        (["a", ""], true), (["-m", "why", "a", "x"], true), (["a", "--create", ""], true), ([""], false),
        (["a=1", ""], false), (["a", "b", ""], false), (["-m", "why", ""], false), (["--dry-run", "a"], false),
        (["set", ""], true), (["a"], false),
    ])
    func theValueOfSetIsNoKey(words: [String], isValue: Bool) {
        #expect(SetCommand.isValue(lastOf: ["set"] + words) == isValue)
    }

    @Test("An attribute is a number only where its text is canonical, and JSON after :=")
    func attributeTypesFollowFromTheText() throws {
        let words = [
            "version=1.10", "build=01", "exponent=1e3", "sign=+1", "space= 1", "long=12345678901234567890", "age=30",
            "ratio=0.5", "on=true", "tags=[\"a\"]", "open=[a", "text:=\"30\"", "number:=1.10",
        ]
        let context = try #require(try ContextOptions.parse(words.flatMap { ["--context", $0] }).context)
        #expect(
            EntryValue.object(context.attributes) == [
                "version": "1.10", "build": "01", "exponent": "1e3", "sign": "+1", "space": " 1",
                "long": "12345678901234567890", "age": 30, "ratio": 0.5, "on": true, "tags": ["a"], "open": "[a",
                "text": "30", "number": 1.1,
            ]
        )
        let error = #expect(throws: (any Error).self) { try ContextOptions.parse(["--context", "a:=x"]) }
        #expect(error.map { ContextOptions.message(for: $0) }?.contains("invalid JSON") == true)
        let null = #expect(throws: (any Error).self) { try ContextOptions.parse(["--context", "a:=null"]) }
        let message = null.map { ContextOptions.message(for: $0) }
        #expect(message == "--context a: null is not a value.")
    }

    @Test func aValueMayBeginWithAMarkThatCombines() throws {
        let assignments = try Assignment.read(["a=\u{301}x"], isLiteral: false)
        #expect(assignments.map(\.key) == ["a"] && assignments.map(\.origin) == [.text("\u{301}x")])
        let error = #expect(throws: ConfigError.self) { try Assignment.read(["\u{212A}=1"], isLiteral: false) }
        #expect(error?.code == .invalidKey)
    }

    /// The same rule as the server's: only the owner, and the groups of this process, may read the file.
    @Test func secretsThatOthersCanReadAreRejected() async throws {
        let folder = try TemporaryDirectory()
        try folder.writeSecret("token", to: "file")
        let options = try ConnectionOptions.parse(["--token-file", folder["file"]])
        #expect(try await options.fileTokens()?.token() == BearerToken("token"))
        let encrypted = try ConnectionOptions.parse(["--client-certificate", folder["file"]])
        let noKey = #expect(throws: ConfigError.self) { try encrypted.transportOptions() }
        #expect(noKey?.code == .invalidOption)
        try folder.allow(0o604, on: "file")
        let error = #expect(throws: ConfigError.self) { try options.fileTokens() }
        #expect(error?.code.exit == .permission)
        let openKey = #expect(throws: ConfigError.self) { try encrypted.transportOptions() }
        #expect(openKey?.code.exit == .permission)
    }

    @Test(arguments: [
        "", "h", "ftp://h", "http://", "http://u:p@h", "http://u@h", "http://h?q", "http://h#f", "/p", "http://h\n",
        "http://h:99999", "http://h:0",
    ])
    func invalidAddressesAreRejected(text: String) throws {
        let options = try ServerOptions.parse(["--server", text])
        let error = #expect(throws: ConfigError.self) { try options.address(environment: [:]) }
        #expect(error?.code == .invalidSource)
        #expect(error?.message.contains("p@") == false)
    }

    @Test func optionsAreFoundInALineThatIsBeingTyped() {
        let line = ["livery", "get", "--server", "http://a", "-n", "x", "--server=http://b", "ap"]
        #expect(KeyCompletion.values(of: ["--server"], in: line).last == "http://b")
        #expect(KeyCompletion.values(of: ["--namespace", "-n"], in: line).last == "x")
        #expect(KeyCompletion.values(of: ["--token-file"], in: line).isEmpty)
        #expect(KeyCompletion.values(of: ["--server"], in: ["livery", "--server"]).isEmpty)
    }
}

struct LiveryArgumentTests {
    @Test(
        arguments: [
            (["http://h/c.json", "--insecure-host", "h"], "requires --token-file"),
            (["c.json", "--insecure-host", "h"], "'c.json' is a file"),
            (["c.json", "--unix-socket", "/s"], "--unix-socket requires a URL"),
            (["http://h", "--pinned-key", "x"], "invalid pinned key 'x'"),
            (["http://h", "--ca-certificate", "/dev/null"], "Not a regular file"),
            (["http://h", "--unix-socket", "s"], nil),
            (["http://h/c", "--insecure-host", "h", "--token-file", "/dev/null"], "Not a regular file"),
            (["http://h", "--insecure-host", "h"], nil), (["http://h/c.json"], nil),
        ] as [([String], String?)]
    )
    func anOptionThatTheSourceHasNoUseForIsRefused(arguments: [String], complaint: String?) throws {
        let options = try SourceOptions.parse(arguments)
        guard let complaint else {
            _ = try options.sourcePlace(environment: [:])
            return
        }
        let error = #expect(throws: (any Error).self) { try options.sourcePlace(environment: [:]) }
        #expect(error.map { "\($0)" }?.contains(complaint) == true, "\(String(describing: error))")
    }

    /// A host may answer each account with other values, which are cached for the next start.
    @Test func eachTokenFileIsAnotherAccount() throws {
        let folder = try TemporaryDirectory()
        let identities = try ["ann", "bob", "ann"].map { name in
            try folder.writeSecret("\(name)\n", to: name)
            let arguments = ["https://example.org/c.json", "--token-file", folder[name]]
            return try SourceOptions.parse(arguments).sourcePlace(environment: [:]).source().identity
        }
        #expect(identities[0] == identities[2] && identities[0] != identities[1])
        #expect(!identities[0].contains(folder.path))
    }
}
