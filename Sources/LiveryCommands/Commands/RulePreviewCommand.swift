// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigChanges
import ConfigClient
import ConfigModel
import ConfigRules
import ConfigWire
import Files
import Programs
import RemoteConfig
import TerminalUI

struct RulePreviewCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "preview",
        abstract: "Show how many users get each variant, now and with a draft.",
        usage: "livery rule preview <key> [<file>] [<options>]",
        discussion: """
            Nothing is published. With a file, its rule is compared with the current rule of the key; without a file, \
            only the current rule is evaluated. --contexts reads a file with one JSON object per line, such as \
            {"targetingKey": "user-42", "language": "es"}; by default, 10,000 users with the attributes of --context \
            are generated.

            EXAMPLES
              livery rule preview app.color color.rule.json
              livery rule preview app.color color.rule.json --contexts people.jsonl
              livery rule preview app.color --users 1000 --context language=es

            As JSON: {"namespace": …, "revision": …, "key": …, "contexts": …, "moved": …, "results": [{"targetingKey": \
            …, "now": {"variant": …, "value": …, "reason": …}, "then": …}]} in the order of the contexts; "moved" and \
            "now" are omitted without a file. variant and value are null if the rule selects none.
            """
    )

    @Argument(help: "The key.", completion: KeyCompletion.names(of: .value, .rule, as: .value))
    var key: String

    @Argument(help: "The draft rule; - for standard input.", completion: .file(extensions: ["json"]))
    var file: String?

    @Option(
        help: ArgumentHelp(
            "Read contexts from this file, one JSON object per line; - for standard input.",
            valueName: "file"
        ),
        completion: .file(extensions: ["jsonl", "ndjson"])
    )
    var contexts: String?

    @Option(help: ArgumentHelp("Set the number of generated users (default: 10000).", valueName: "count"))
    var users: Int?

    @OptionGroup var made: ContextOptions
    @OptionGroup var access: ServerOptions
    @OptionGroup var output: OutputOptions

    private static let maximumUsers = 1_000_000
    private static let maximumBytes = 256 * 1024 * 1024

    func validate() throws {
        if contexts != nil, users != nil || !made.given.isEmpty {
            throw ValidationError("--contexts cannot be combined with --users or --context.")
        }
        if file == "-", contexts == "-" { throw ValidationError("Standard input can be used for one file only.") }
        if let users, !(1...Self.maximumUsers ~= users) {
            throw ValidationError("--users must be from 1 to \(Self.maximumUsers.grouped).")
        }
    }

    func check() throws(ConfigError) { try EntryKind.value.check(key) }

    func run(in session: OperatorSession) async throws {
        let draft = try file.map { try InputFile.value(at: $0, of: .rule) }
        let contexts = try readContexts()
        let now = try await session.client.snapshot()
        let present = NamespaceContents(of: now)
        var next = present
        if let draft { next.rules[key] = draft }
        let preview = RulePreview(
            of: key,
            now: try present.rule(ofKey: key),
            then: try next.rule(ofKey: key),
            defaultValue: present.values[key],
            for: contexts,
            at: Timestamp.now.seconds
        )
        if session.style.isJSON {
            return try session.writeResult { object in
                object.member("revision") { $0.number(now.cursor.revision) }
                object.member("key") { $0.string(key) }
                preview.writeMembers(to: &object, isDraft: draft != nil)
            }
        }
        try Output.standard.write(preview.table(isDraft: draft != nil).text(style: session.style))
        try session.write(preview.lines(isDraft: draft != nil))
    }

    private func readContexts() throws -> [EvaluationContext] {
        guard let path = contexts else {
            return RulePreview.users(users ?? 10_000, like: try made.context)
        }
        let lines = try InputFile.bytes(at: path, atMost: Self.maximumBytes)
            .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        var contexts: [EvaluationContext] = []
        for (index, line) in lines.enumerated() where !line.allSatisfy({ [0x20, 0x09, 0x0D].contains($0) }) {
            do throws(EvaluationError) {
                contexts.append(try EvaluationContext(json: Array(line)))
            } catch {
                let place = TextLocation(line: index + 1, column: 1)
                let name = InputFile.name(of: path)
                throw ConfigError(.syntax, error.message, location: place).naming(source: name)
            }
        }
        return contexts
    }
}
