// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigChanges
import ConfigModel
import ConfigWire
import Programs

struct RolloutFinishCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "finish",
        abstract: "Make the variant of all users the value of the key, and remove the rule.",
        usage: "livery rollout finish <key> [<options>]",
        discussion: """
            At 100 %, the value of the variant becomes the value of the key. At 0 %, the key keeps its value, or gets \
            that of the default variant if it has none. The rule is removed in the same revision. All programs, with \
            and without a context, then get the value of the key. At any other percentage, and for a rule with \
            conditions or computed weights, nothing is written. After a conflict with another writer the command is retried, unless \
            --expect is given.

            EXAMPLES
              livery rollout finish app.background.color --dry-run
              livery rollout finish app.background.color -m 'Blue for all users'

            As JSON: \(EntryKind.changesShape(of: .value)).
            """
    )

    @Argument(help: "The key.", completion: KeyCompletion.names(of: .rule, as: .value))
    var key: String

    @OptionGroup var writing: PublishOptions
    @OptionGroup var access: ServerOptions
    @OptionGroup var output: OutputOptions

    func check() throws(ConfigError) { try EntryKind.value.check(key) }

    func run(in session: OperatorSession) async throws {
        try await session.change(.value, writing, isAtomic: true) { present throws(ConfigError) in
            try RolloutEnd(of: key, rule: present.rules[key], defaultValue: present.values[key]).changes
        }
    }
}
