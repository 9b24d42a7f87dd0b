// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigModel
import ConfigRules
import Programs

/// Who a value is for: `--context user=42 --context language=es`.
struct ContextOptions: ParsableArguments {
    @Option(
        name: .customLong("context"),
        help: ArgumentHelp(
            "The user to evaluate rules for: user=42 is the targeting key, any other name an attribute; can be repeated.",
            valueName: "name=value"
        )
    )
    var given: [String] = []

    func validate() throws {
        for word in given { _ = try Self.attribute(word) }
    }

    /// The context; `nil` if nothing was said.
    var context: EvaluationContext? {
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

    /// A name and a value: JSON other than a string where it is some, else text.
    private static func attribute(_ word: String) throws(ValidationError) -> (name: String, value: EntryValue) {
        try Program.checkIsText(word, "--context")
        // By scalars: a mark that combines with the sign is part of the value.
        guard let place = word.unicodeScalars.firstIndex(of: "="), place > word.startIndex else {
            throw ValidationError("--context is name=value, such as user=42 or language=es, not '\(word)'.")
        }
        let (name, text) = (String(word[..<place]), String(word.unicodeScalars[place...].dropFirst()))
        let value = keyNames.contains(ExactString(name)) ? nil : try? EntryValue(json: Array(text.utf8))
        return (name, value ?? .string(text))
    }
}
