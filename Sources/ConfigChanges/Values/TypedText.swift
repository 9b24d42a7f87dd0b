// SPDX-License-Identifier: Apache-2.0

package import ConfigModel

/// A text that a person typed where a value of any type is possible.
package enum TypedText {
    /// Whether a text is JSON or a string without quotation marks.
    ///
    /// JSON is text that begins like an array, an object or a string, the words `true`, `false` and `null`, and a number as in
    /// RFC 8785. `1.10`, `1.0`, `01`, `1e3`, `+1`, ` 1` and numbers with more digits than a double represents are strings: as
    /// numbers, such as a version or a code, they would change.
    package static func isJSON(_ text: String) -> Bool {
        switch form(of: text) {
        case .container: true
        case .word(let word): word.utf8.elementsEqual(text.utf8)
        case .number(let number):
            number.utf8.elementsEqual(text.utf8)
                // A number that JSON cannot have is not written as JSON writes it.
                && (try? EntryValue(json: Array(number.utf8)))?.canonicalJSON == number
        case nil: false
        }
    }

    /// Whether a text begins like a value of JSON, written in any form: for a place whose type is known.
    package static func beginsLikeJSON(_ text: String) -> Bool { form(of: text) != nil }

    /// The form of a text, without the white space around it.
    private enum Form: Equatable {
        /// An array, an object or a quoted text, which may be incomplete.
        case container
        case word(String)
        case number(String)
    }

    /// - Returns: `nil` for a text that cannot be scanned.
    private static func form(of text: String) -> Form? {
        guard var scanner = try? JSONScanner(Array(text.utf8)) else { return nil }
        scanner.skipWhitespace()
        guard let first = scanner.current else { return nil }
        let form: Form
        do throws(ConfigError) {
            switch first {
            case UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "\""): return .container
            case UInt8(ascii: "a")...UInt8(ascii: "z"): form = .word(try scanner.word().map(String.init) ?? "null")
            default: form = .number(try scanner.numberText().text)
            }
        } catch {
            return nil
        }
        scanner.skipWhitespace()
        return scanner.current == nil ? form : nil
    }
}

/// `NAME=TEXT`, or `NAME:=JSON` for JSON in any form.
package enum TypedAssignment {
    /// - Returns: `nil` for a word without a sign.
    package static func parts(of word: String) -> (name: String, text: String, isJSON: Bool)? {
        // By scalars: a mark that combines with the sign is part of the value.
        let scalars = word.unicodeScalars
        guard let sign = scalars.firstIndex(of: "=") else { return nil }
        let name = scalars[..<sign]
        let isJSON = name.last == ":"
        return (String(isJSON ? name.dropLast() : name), String(scalars[sign...].dropFirst()), isJSON)
    }

    /// A word whose parts are a name and a value, where a text is of a type that is known.
    package static func text(_ name: String, _ value: EntryValue) -> String {
        if case .string(let text) = value { return "\(name)=\(text)" }
        return "\(name):=\(value.canonicalJSON)"
    }
}
