// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigClient
import ConfigModel
import ConfigRules
import ConfigWire
import Files
import Programs
import TerminalUI

struct RuleSetCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Set the rule of a key.",
        usage: "livery rule set <key> <file> [<options>]",
        discussion: """
            The file has one rule: an object with variants, defaultVariant, state, targeting and metadata, of which only \
            the variants are required. A rule with errors is rejected, and each error is reported with its place: an \
            unknown operator or variant, or an invalid weight. The variants must match the JSON Schema of the key. \
            `livery rule preview` shows the effect of a rule before it is set.
            The key $evaluators sets the evaluators that rules share: an object of named operations, which rules refer \
            to by {"$ref": name}.

            EXAMPLES
              livery rule set app.background.color color.rule.json
              livery rule set app.background.color color.rule.json --dry-run
              livery rule set '$evaluators' shared.json

            As JSON: {"namespace": …, "revision": …, "rule_changes": [{"key": …, "old": …, "new": …}], \
            "dry_run": …}; old is null for a \
            new rule.
            """
    )

    @Argument(help: "The key, or $evaluators for the evaluators that rules share.", completion: KeyCompletion.kind)
    var key: String

    @Argument(help: "The rule; - for standard input.", completion: .file(extensions: ["json"]))
    var file: String

    @OptionGroup var writing: PublishOptions
    @OptionGroup var access: ServerOptions
    @OptionGroup var output: OutputOptions

    func check() throws(ConfigError) { try RuleWords.check(key: key) }

    func run(in session: OperatorSession) async throws {
        let value = try InputFile.value(at: file)
        let rule = key == EntryKind.sharedRules ? value : ConfigRule.namingBucketing(value)
        let now = try await session.client.snapshot(withSchemas: true)
        let present = NamespaceContents(of: now)
        try await session.publish(ConfigDiff(rule: rule, ofKey: key, in: present), of: .rule, in: now, writing)
        session.noteMissingValue(ofKey: key, in: present)
    }
}

struct RuleUnsetCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "unset",
        abstract: "Remove rules: all of them, as one revision, or none.",
        usage: "livery rule unset <key> ... [<options>]",
        discussion: """
            All users then get the value of the key. The rules stay in the history. If one of them does not exist, none \
            is removed and the exit code is 1. $evaluators can be removed when no rule refers to it.

            EXAMPLE
              livery rule unset app.background.color --dry-run

            As JSON: {"namespace": …, "revision": …, "rule_changes": [{"key": …, "old": …, "new": null}], \
            "dry_run": …}.
            """
    )

    @Argument(help: "The keys.", completion: KeyCompletion.ofRules)
    var keys: [String]

    @Flag(help: "Ignore rules that do not exist.")
    var ignoreMissing = false

    @OptionGroup var writing: PublishOptions
    @OptionGroup var access: ServerOptions
    @OptionGroup var output: OutputOptions

    func check() throws(ConfigError) {
        for key in keys { try RuleWords.check(key: key) }
    }

    func run(in session: OperatorSession) async throws {
        try await session.remove(keys, of: .rule, ignoringMissing: ignoreMissing, writing)
    }
}

extension ConfigDiff {
    /// What setting a rule changes.
    init(rule: EntryValue, ofKey key: String, in present: NamespaceContents) {
        self.init([KeyChange(key: key, kind: .rule, old: present.rules[key], new: rule)])
    }
}

extension OperatorSession {
    /// Says what a rule that was set means for programs without a context, if its key has no value.
    func noteMissingValue(ofKey key: String, in present: NamespaceContents) {
        guard key != EntryKind.sharedRules, present.values[key] == nil else { return }
        let advice = "programs without a context use their own default; `livery set` gives the key a value"
        Output.error.writeLine("Note: \(key) has no value, so that \(advice)".sanitized())
    }
}
