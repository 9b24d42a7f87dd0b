// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigChanges
import ConfigClient
import ConfigModel
import ConfigRules
import ConfigWire
import Files
import Programs
import TerminalUI

struct RuleSetCommand: PublishingCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Set the rule of a key.",
        usage: "livery rule set <key> <file> [<options>]",
        discussion: """
            The file contains one rule: an object with variants (required), defaultVariant, state, targeting and \
            metadata. An invalid rule is rejected and each error is reported with its location, such as an unknown \
            operator or variant, or an invalid weight. The variants must match the JSON Schema of the key, and \
            have the type of its value; --type allows another one. Use `livery rule preview` to see the effect of a \
            rule before you set it.
            The key $evaluators sets the shared evaluators: an object of named operations, which rules reference with \
            {"$ref": name}.

            EXAMPLES
              livery rule set app.background.color color.rule.json
              livery rule set app.background.color color.rule.json --dry-run
              livery rule set '$evaluators' shared.json

            As JSON: \(EntryKind.changesShape(of: .rule)); old is null for a new rule.
            """
    )

    @Argument(
        help: "The key, or $evaluators for the shared evaluators.",
        completion: KeyCompletion.names(of: .rule, .value)
    )
    var key: String

    @Argument(help: "The rule; - for standard input.", completion: .file(extensions: ["json"]))
    var file: String

    @OptionGroup var typing: ValueKindOption
    @OptionGroup var writing: PublishOptions
    @OptionGroup var access: ServerOptions
    @OptionGroup var output: OutputOptions

    var publishing: PublishOptions { writing }

    func check() throws(ConfigError) { try EntryKind.rule.check(key) }

    func run(in session: OperatorSession) async throws {
        let value = try InputFile.value(at: file, of: .rule)
        let rule = key == EntryKind.sharedRules ? value : ConfigRule.namingBucketing(value)
        let present = try await session.change(.rule, writing) { present throws(ConfigError) in
            try present.checkVariants(of: rule, as: typing.type, forKey: key)
            return ConfigDiff(.rule, setting: [key: rule], in: present)
        }
        session.noteMissingValue(ofKey: key, in: present)
    }
}

extension OperatorSession {
    /// Reports what a rule that was set means for programs without a context, if its key has no value.
    func noteMissingValue(ofKey key: String, in present: NamespaceContents) {
        guard key != EntryKind.sharedRules, present.values[key] == nil else { return }
        let advice = "programs without a context use their own default; set a value with `livery set`"
        Output.error.writeLine("Note: \(key) has no value: \(advice)".sanitized())
    }
}
