// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigClient
import ConfigModel
import ConfigWire
import Files
import Programs

struct RuleListCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the rules of the namespace.",
        usage: "livery rule list [<options>]",
        discussion: """
            As JSON: {"namespace": …, "revision": …, "rules": [{"key": …, "rule": …, "revision": …, "created_at": …, "updated_at": …}]}, \
            sorted by key; the key of the shared evaluators is $evaluators.
            """
    )

    @OptionGroup var access: ServerOptions
    @OptionGroup var output: OutputOptions

    func run(in session: OperatorSession) async throws {
        let (rules, revision) = try await session.client.entries(.rule)
        try session.write(rules, of: .rule, at: revision, Self.table(of: rules, clock: .local))
    }

    static func table(of rules: [EntryMessage], clock: ClockFormat) -> TextTable {
        TextTable(
            headings: ["KEY", "VARIANTS", "TARGETING", "REVISION", "CHANGED"],
            rows: rules.map { rule in
                [
                    Span(rule.key, .key), Span(RuleWords.variants(of: rule)), Span(RuleWords.targeting(of: rule)),
                    "\(rule.revision)", Span(clock.dateAndClock(rule.updatedAt), .faint),
                ]
            }
        )
    }
}

struct RuleShowCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Print the rule of a key.",
        usage: "livery rule show <key> [<options>]",
        discussion: """
            The rule is printed as JSON, for `livery rule set` to read back. $evaluators is the key of the evaluators that rules share.

            EXAMPLES
              livery rule show app.background.color
              livery rule show app.background.color > color.rule.json

            As JSON, with --json: {"namespace": …, "key": …, "rule": …, "revision": …, "created_at": …, "updated_at": …}.
            """
    )

    @Argument(help: "The key.", completion: KeyCompletion.ofRules)
    var key: String

    @OptionGroup var access: ServerOptions
    @OptionGroup var form: EntryOutputOptions

    func check() throws(ConfigError) { try RuleWords.check(key: key) }

    func run(in session: OperatorSession) async throws {
        let rule = try await session.client.entry(key, .rule)
        if form.json { return try session.writeJSON(rule) }
        try session.writeJSON(Array(rule.value.canonicalJSON.utf8))
    }
}
