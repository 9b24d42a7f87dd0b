// SPDX-License-Identifier: Apache-2.0

package import ArgumentParser
import ConfigModel
package import ConfigRules
import Programs

/// The evaluation context: `--context user=42 --context language=es`.
package struct ContextOptions: ParsableArguments {
    @Option(
        name: .customLong("context"),
        help: ArgumentHelp(
            """
            Evaluate rules for this user: user=42 sets the targeting key, any other name an attribute, name:=value a \
            JSON attribute; repeatable.
            """,
            valueName: "name=value"
        )
    )
    package var given: [String] = []

    package init() {}

    package func validate() throws {
        for word in given { _ = try Self.attribute(word) }
    }

    /// The context; `nil` if none was given.
    package var context: EvaluationContext? {
        get throws(ValidationError) {
            if given.isEmpty { return nil }
            var context = EvaluationContext()
            var attributes: [EntryObject.Member] = []
            for word in given {
                let (name, value) = try Self.attribute(word)
                if Self.keyNames.contains(ExactString(name)) {
                    context.targetingKey = if case .string(let text) = value { text } else { value.canonicalJSON }
                } else {
                    attributes.append((name, value))
                }
            }
            // Of attributes of one name the last one counts.
            context.attributes = EntryObject(attributes)
            return context
        }
    }

    /// The names by which the targeting key can be given.
    private static let keyNames: Set<ExactString> = ["user", ExactString(EvaluationContext.targetingKeyName)]

    /// A name and a value: `name=value` as for the value of a new key, where JSON that is not valid is a text as well, or
    /// `name:=value` with JSON.
    private static func attribute(_ word: String) throws(ValidationError) -> (name: String, value: EntryValue) {
        try Program.checkIsText(word, "--context")
        guard let (name, text, isJSON) = TypedAssignment.parts(of: word), !name.isEmpty else {
            throw ValidationError("--context expects name=value, such as user=42 or language=es, not '\(word)'.")
        }
        if isJSON {
            do throws(ConfigError) {
                return (name, try JSONText.value(of: text, isOfKey: false))
            } catch {
                throw ValidationError("--context \(name): \(error.message).")
            }
        }
        // Input that is not a value of another type is a string.
        let value = keyNames.contains(ExactString(name)) ? nil : try? ValueKind.value(text, like: nil)
        return (name, value ?? .string(text))
    }
}
