// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigChanges
import ConfigModel
import ConfigWire

struct RuleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rule",
        abstract: "Manage rules, which select the value of a key for each user.",
        discussion: """
            A rule belongs to a key and has the format of a flagd flag (https://flagd.dev): named variants, a default \
            variant, and targeting, which selects a variant by the attributes of the user. Programs evaluate rules \
            locally. A program without a context gets the value of the key. The server rejects an invalid rule and \
            reports the location of each error. Rules are included in the history, in `livery rollback` and in `livery \
            export`.

            EXAMPLE OF A RULE
              {"variants": {"pink": "#FFB6C1", "blue": "#0000FF"},
               "defaultVariant": "pink",
               "targeting": {"if": [{"==": [{"var": "language"}, "es"]}, "blue"]}}

            `livery rollout` writes the most common rule: a percentage of the users gets another value.
            """,
        subcommands: [
            ListCommand<RuleFamily>.self, ShowCommand<RuleFamily>.self, RuleSetCommand.self,
            RemoveCommand<RuleFamily>.self, RulePreviewCommand.self,
        ]
    )
}

enum RuleFamily: NamedEntryFamily {
    static let kind = EntryKind.rule
    static let names = (one: "The key of the rule.", several: "The keys of the rules.")
    static let listText = "Shared evaluators have the key $evaluators."
    static let showText = """
        The key $evaluators prints the shared evaluators.

        EXAMPLES
          livery rule show app.background.color
          livery rule show app.background.color > color.rule.json
        """
    static let unsetText = """
        All users then get the value of the key. $evaluators can be removed only if no rule references it.

        EXAMPLE
          livery rule unset app.background.color --dry-run
        """
    static var columns: KeyValuePairs<String, @Sendable (EntryMessage) -> String> {
        ["VARIANTS": { RuleSummary.variants(of: $0) }, "TARGETING": { RuleSummary.targeting(of: $0) }]
    }
}
