// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

struct RuleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rule",
        abstract: "Manage rules, which select the value of a key for each user.",
        discussion: """
            A rule belongs to a key and has the format of a flag of flagd (https://flagd.dev): named variants, a default \
            variant, and targeting, which selects one by the attributes of a user. Programs evaluate rules themselves. A \
            program without a context gets the value of the key. The server rejects a rule with errors, and reports the \
            place of each. Rules are part of the history, of `livery rollback` and of `livery export`.

            EXAMPLE OF A RULE
              {"variants": {"pink": "#FFB6C1", "blue": "#0000FF"},
               "defaultVariant": "pink",
               "targeting": {"if": [{"==": [{"var": "language"}, "es"]}, "blue"]}}

            `livery rollout` writes the usual rule: a share of the users gets another value.
            """,
        subcommands: [
            RuleListCommand.self, RuleShowCommand.self, RuleSetCommand.self, RuleUnsetCommand.self,
            RulePreviewCommand.self,
        ]
    )
}
