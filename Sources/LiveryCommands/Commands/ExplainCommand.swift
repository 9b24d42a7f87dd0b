// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigChanges
import ConfigClient
import ConfigModel
import ConfigRules
import ConfigWire
import Files
import Programs

struct ExplainCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Show the value of a key for a user, and why.",
        usage: "livery explain <key> [--context <name=value> ...] [<options>]",
        discussion: """
            Prints the value, the variant, the reason as defined by OpenFeature, and each decision with its location \
            in the rule. --context sets the attributes of the user; without it, the command prints the default value, \
            which programs without a context use. The context is evaluated locally and never sent to the server.

            EXAMPLES
              livery explain app.background.color --context user=42
              livery explain app.background.color --context user=42 --json

            As JSON: {"namespace": …, "revision": …, "key": …, "value": …, "default_value": …, "variant": …, "reason": \
            …, "steps": [{"pointer": …, "condition": …} or {"pointer": …, "bucket": …, "total": …}]}, and \
            "stepsTruncated": true if there were more; without a rule or a context, variant is null, steps is empty, \
            and reason is STATIC without a rule, else DEFAULT.
            """
    )

    @Argument(help: "The key.", completion: KeyCompletion.names(of: .value, .rule, as: .value))
    var key: String

    @OptionGroup var audience: ContextOptions
    @OptionGroup var access: ServerOptions
    @OptionGroup var output: OutputOptions

    func check() throws(ConfigError) { try EntryKind.value.check(key) }

    func run(in session: OperatorSession) async throws {
        let now = try await session.client.snapshot()
        let contents = NamespaceContents(of: now)
        let context = try audience.context
        let result = try EvaluatedKey(key, in: contents, for: context)
        if session.style.isJSON {
            return try session.writeResult { object in
                object.member("revision") { $0.number(now.cursor.revision) }
                result.writeMembers(to: &object)
            }
        }
        try session.write(result.lines(hasRule: contents.rules[key] != nil, hasContext: context != nil))
        try session.write("Revision \(now.cursor.revision).", .faint)
    }
}

extension EvaluatedKey {
    fileprivate func lines(hasRule: Bool, hasContext: Bool) -> [[Span]] {
        let head = [Span(key, .key), Span(" = \(value.canonicalJSON)")]
        guard let explanation else {
            let reason = hasRule ? "The key has a rule; pass --context to evaluate it." : "The key has no rule."
            return [head, [Span("the default value. \(reason)")]]
        }
        let steps = explanation.steps.map { [Span("  \($0.pointer): \($0.decision.words)")] }
        let line = defaultValue.map { "default value: \($0.canonicalJSON)" }
        let rest = explanation.isTruncated ? [[Span("  … (more decisions)", .faint)]] : []
        return [head, [Span(explanation.evaluation.words)]] + steps + rest
            + [[Span(line ?? "no default value: other users get the default of their program", .faint)]]
    }

    fileprivate func writeMembers(to object: inout JSONWriter) {
        object.member("key") { $0.string(key) }
        object.member("value") { $0.value(value) }
        object.member("default_value") { $0.optional(defaultValue) { $0.value($1) } }
        writeReason(to: &object)
        RuleExplanation.writeSteps(of: explanation, to: &object)
    }
}
