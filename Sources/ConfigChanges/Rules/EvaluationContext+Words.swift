// SPDX-License-Identifier: Apache-2.0

package import ConfigModel
package import ConfigRules

extension EvaluationContext {
    /// Reads a context as a person types it: `user=42` sets the targeting key, any other name an attribute, and `name:=value`
    /// an attribute from JSON.
    ///
    /// - Throws: `typeMismatch` or the error in the JSON, with the word.
    package init(words: [String]) throws(ConfigError) {
        self.init()
        var attributes: [EntryObject.Member] = []
        for word in words {
            let (name, value) = try Self.attribute(word)
            if Self.keyNames.contains(ExactString(name)) {
                targetingKey = if case .string(let text) = value { text } else { value.canonicalJSON }
            } else {
                attributes.append((name, value))
            }
        }
        // Of attributes of one name the last one counts.
        self.attributes = EntryObject(attributes)
    }

    /// The names by which the targeting key can be given.
    private static let keyNames: Set<ExactString> = ["user", ExactString(targetingKeyName)]

    /// A name and a value: `name=value` as for the value of a new key, where JSON that is not valid is a text as well, or
    /// `name:=value` with JSON.
    private static func attribute(_ word: String) throws(ConfigError) -> (name: String, value: EntryValue) {
        guard let (name, text, isJSON) = TypedAssignment.parts(of: word), !name.isEmpty else {
            throw ConfigError(.typeMismatch, "expected name=value, such as user=42 or language=es, not '\(word)'")
        }
        if isJSON {
            do throws(ConfigError) {
                return (name, try JSONText.value(of: text, isOfKey: false))
            } catch {
                throw error.naming(key: name)
            }
        }
        // Input that is not a value of another type is a string.
        let value = keyNames.contains(ExactString(name)) ? nil : try? ValueKind.value(text, like: nil)
        return (name, value ?? .string(text))
    }

    /// Reads a context from one line, whose words are separated by spaces outside of quotes; `nil` from a blank one.
    package init?(line: String) throws(ConfigError) {
        let words = Self.words(of: line)
        if words.isEmpty { return nil }
        try self.init(words: words)
    }

    private static func words(of line: String) -> [String] {
        var (words, word) = ([String](), "")
        var (isQuoted, isEscaped) = (false, false)
        for scalar in line.unicodeScalars {
            if scalar == " ", !isQuoted {
                if !word.isEmpty { words.append(word) }
                word = ""
                continue
            }
            if scalar == "\"", !isEscaped { isQuoted.toggle() }
            isEscaped = scalar == "\\" && !isEscaped
            word.unicodeScalars.append(scalar)
        }
        return word.isEmpty ? words : words + [word]
    }

    /// The context as ``init(line:)`` reads it: `user=42 language=es`.
    package var line: String {
        let key = targetingKey.map { key in
            key.utf8.contains { " \"".utf8.contains($0) }
                ? "user:=\(EntryValue.string(key).canonicalJSON)" : "user=\(key)"
        }
        let others = attributes.map { name, value in
            // A text that does not read as another kind needs no quotation marks.
            if case .string(let text) = value, !text.utf8.contains(where: { " \"".utf8.contains($0) }),
                (try? ValueKind.value(text, like: nil)) ?? value == value
            {
                return "\(name)=\(text)"
            }
            return "\(name):=\(value.canonicalJSON)"
        }
        return ([key].compactMap(\.self) + others).joined(separator: " ")
    }
}
