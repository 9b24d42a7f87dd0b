// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigChanges
import ConfigClient
import ConfigModel
import ConfigRules
import ConfigWire
import Files
import Programs

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

struct RolloutSetCommand: PublishingCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Roll out a value to a percentage of the users.",
        usage: "livery rollout <key> <variant> <percentage> [<options>]",
        discussion: """
            Sets the rule of a key so that a percentage of the users gets the variant, and all others the default \
            variant. The assignment depends only on the key and the targeting key: a user keeps the variant on all \
            devices, after restarts, and when the percentage grows. Programs without a context get the value of the \
            key.
            For a key without a rule, a rule is created: the value of the key becomes the variant `default`, and \
            VARIANT=VALUE defines the other variant, with a value as for `livery set`. Existing targeting that is not \
            a rollout is an error, unless --overwrite is given. After a conflict with another writer the command is \
            retried, unless --expect is given.

            EXAMPLES
              livery rollout app.background.color blue='#0000FF' 1%
              livery rollout app.background.color blue 25% -m 'No complaints so far'
              livery rollout app.background.color blue 50% --dry-run
              livery rollout app.background.color blue 0%

            `livery rule preview KEY` counts the users per variant. `livery rollout finish KEY` ends a rollout.

            As JSON: \(EntryKind.changesShape(of: .rule)).
            """
    )

    @Argument(help: "The key.", completion: KeyCompletion.names(of: .value, .rule, as: .value))
    var key: String

    @Argument(help: "The variant; VARIANT=VALUE or VARIANT:=JSON to add it or change its value.")
    var variant: String

    @Argument(help: "The percentage of the users, such as 25% or 0.5%.", transform: Self.percentage)
    var percentage: Percentage

    @OptionGroup var typing: ValueKindOption

    @Flag(help: "Replace targeting that is not a rollout.")
    var overwrite = false

    @OptionGroup var writing: PublishOptions
    @OptionGroup var access: ServerOptions
    @OptionGroup var output: OutputOptions

    var publishing: PublishOptions { writing }

    private static func percentage(_ text: String) throws(ValidationError) -> Percentage {
        do throws(ConfigError) {
            return try Percentage(text)
        } catch {
            throw ValidationError(error.message)
        }
    }

    func validate() throws {
        if assignment.name.isEmpty { throw ValidationError("The name of the variant must not be empty.") }
        if typing.type != nil, assignment.value == nil { throw ValidationError("--type requires VARIANT=VALUE.") }
    }

    /// The variant, and the text of its value and its type if they are given.
    private var assignment: (name: String, value: String?, type: ValueKind?) {
        guard let (name, text, isJSON) = TypedAssignment.parts(of: variant) else { return (variant, nil, nil) }
        return (name, text, isJSON ? .json : typing.type)
    }

    func check() throws(ConfigError) { try EntryKind.value.check(key) }

    func run(in session: OperatorSession) async throws {
        // The new rule is made from the current one.
        let present = try await session.change(.rule, writing, isAtomic: true) { present throws(ConfigError) in
            ConfigDiff(.rule, setting: [key: try rule(in: present)], in: present)
        }
        let (name, text, type) = assignment
        if type == nil, let text, let value = try value(in: present) {
            session.note(on: text, readAs: value, for: name)
        }
        session.noteMissingValue(ofKey: key, in: present)
        if !session.style.isJSON { try session.write(words(before: present.rules[key]), .faint) }
    }

    private func rule(in present: NamespaceContents) throws(ConfigError) -> EntryValue {
        let value = try value(in: present)
        do throws(ConfigError) {
            var rollout = try Rollout(present.rules[key], defaultValue: present.values[key])
            try rollout.rollOut(assignment.name, value, to: percentage, overwriting: overwrite)
            return rollout.rule
        } catch {
            throw error.naming(key: key)
        }
    }

    /// The value that is given for the variant.
    private func value(in present: NamespaceContents) throws(ConfigError) -> EntryValue? {
        guard let text = assignment.value else { return nil }
        return try present.value(of: text, as: assignment.type, forKey: key)
    }

    /// `blue for 25 % of the users, 10 % before.`
    private func words(before rule: EntryValue?) -> String {
        let name = assignment.name
        let before = rule.flatMap(Rollout.single(in:)).flatMap { former in
            former.variant.hasSameScalars(as: name) ? ", was \(former.share)" : nil
        }
        return "\(name) for \(percentage) of the users\(before ?? "")."
    }
}

struct RolloutFinishCommand: PublishingCommand {
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

    var publishing: PublishOptions { writing }

    func check() throws(ConfigError) { try EntryKind.value.check(key) }

    func run(in session: OperatorSession) async throws {
        try await session.change(.value, writing, isAtomic: true) { present throws(ConfigError) in
            try RolloutEnd(of: key, rule: present.rules[key], defaultValue: present.values[key]).changes
        }
    }
}
