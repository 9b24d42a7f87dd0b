// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

struct RolloutCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollout",
        abstract: "Roll out a value to a percentage of the users, and finish the rollout.",
        usage: """
            livery rollout <key> <variant> <percentage> [<options>]
            livery rollout finish <key> [<options>]
            """,
        discussion: """
            A rollout is a rule that gives a percentage of the users another value of a key. `livery rollout` without a \
            subcommand is `livery rollout set`, whose help lists the options.

            EXAMPLES
              livery rollout app.background.color blue='#0000FF' 1%
              livery rollout app.background.color blue 25%
              livery rollout app.background.color blue 100%
              livery rollout finish app.background.color
            """,
        subcommands: [RolloutSetCommand.self, RolloutFinishCommand.self],
        defaultSubcommand: RolloutSetCommand.self
    )
}
