// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigClient
import ConfigModel
import ConfigRules
import ConfigWire
import Files
import Programs

struct RolloutCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollout",
        abstract: "Give a share of the users another value.",
        usage: "livery rollout <key> <variant> <percentage> [<options>]",
        discussion: """
            Sets the rule of a key so that a share of the users gets the variant, and all others the default variant. \
            Whether a user is in the share depends on the key and the targeting key: it is the same on every device, after \
            every restart, and when the share grows. Programs without a context get the value of the key.
            A key without a rule gets one: its value becomes the variant `default`, and VARIANT=VALUE defines the other \
            variant, with a value as for `livery set`. Other targeting is an error, unless --overwrite is given. If \
            another writer changes the namespace during the command, the rule is read again, unless --expect is given.

            EXAMPLES
              livery rollout app.background.color blue='#0000FF' 1%
              livery rollout app.background.color blue 25% -m 'No complaints so far'
              livery rollout app.background.color blue 50% --dry-run
              livery rollout app.background.color blue 0%

            `livery rule preview KEY` counts the users of each variant. To end a rollout, publish the value and remove \
            the rule: `livery set KEY VALUE`, `livery rule unset KEY`.

            As JSON: \(EntryKind.rule.changesShape()).
            """
    )

    @Argument(help: "The key.", completion: KeyCompletion.names())
    var key: String

    @Argument(help: "The variant, or VARIANT=VALUE or VARIANT:=JSON for a new variant or another value.")
    var variant: String

    @Argument(help: "The share of the users, such as 25% or 0.5%, at most 100%.", transform: Percentage.read)
    var percentage: Percentage

    @OptionGroup var typing: ValueKindOption

    @Flag(help: "Overwrite targeting that is not a rollout.")
    var overwrite = false

    @OptionGroup var writing: PublishOptions
    @OptionGroup var access: ServerOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if assignment.name.isEmpty { throw ValidationError("The variant has a name.") }
        if typing.type != nil, assignment.value == nil { throw ValidationError("--type is for VARIANT=VALUE.") }
    }

    /// The variant, and the text of its value and its type if they are given.
    private var assignment: (name: String, value: String?, type: ValueKind?) {
        guard let (name, text, isJSON) = TypedAssignment.parts(of: variant) else { return (variant, nil, nil) }
        return (name, text, isJSON ? .json : typing.type)
    }

    func check() throws(ConfigError) { try EntryKind.value.check(key) }

    func run(in session: OperatorSession) async throws {
        // The new rule is made of the present one.
        let present = try await session.change(.rule, writing, isAtomic: true) { present throws(ConfigError) in
            ConfigDiff(.rule, setting: [key: try rule(in: present)], in: present)
        }
        session.noteMissingValue(ofKey: key, in: present)
        if !session.style.isJSON { try session.write(words(before: present.rules[key]), .faint) }
    }

    private func rule(in present: NamespaceContents) throws(ConfigError) -> EntryValue {
        let (name, text, type) = assignment
        var rollout = Rollout(variant: name, share: percentage, overwrites: overwrite)
        if let text { rollout.value = try present.value(of: text, as: type, forKey: key) }
        do throws(ConfigError) {
            let rule = try rollout.rule(changing: present.rules[key], valueForEverybody: present.values[key])
            return ConfigRule.namingBucketing(rule)
        } catch {
            throw error.naming(key: key)
        }
    }

    /// `blue for 25 % of the users, 10 % before.`
    private func words(before rule: EntryValue?) -> String {
        let name = assignment.name
        let before = rule.flatMap(Rollout.present).flatMap { present in
            present.variant.hasSameScalars(as: name) ? ", \(present.share) before" : nil
        }
        return "\(name) for \(percentage) of the users\(before ?? "")."
    }
}
