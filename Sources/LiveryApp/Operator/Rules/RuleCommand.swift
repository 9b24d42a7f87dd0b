// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

struct RuleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rule",
        abstract: "Say who gets which value of a key, by rules that programs evaluate themselves.",
        discussion: """
            A rule stands beside the value of its key and is written as a flag of flagd is (https://flagd.dev): variants \
            by name, a default variant, and a targeting that chooses one by what a program knows of its user. A program \
            without such a context gets the key's value, as before. The server refuses a rule with mistakes, and names \
            the place of each. Rules are part of the history, of `livery rollback` and of `livery export`.

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
