// SPDX-License-Identifier: Apache-2.0

package import ConfigModel

/// JSON that a person typed as the value of a key.
package enum JSONText {
    /// - Parameter isOfKey: whether it is the value of a key, which other commands and options could change.
    /// - Throws: the error, with the text to type instead.
    package static func value(of text: String, isOfKey: Bool = true) throws(ConfigError) -> EntryValue {
        do throws(ConfigError) {
            return try EntryValue(json: Array(text.utf8))
        } catch {
            var advised = error
            advised.location = nil
            advised.message = message(of: error, in: text, isOfKey: isOfKey)
            throw advised
        }
    }

    private static func message(of error: ConfigError, in text: String, isOfKey: Bool) -> String {
        let isWhole = error.location == startOfValue(in: text)
        let place = error.location.map { " at \($0)" } ?? ""
        switch error.code {
        case .syntax:
            return "invalid JSON\(place): \(error.message)" + (isOfKey ? "; for a string, use --type string" : "")
        case .unsupportedValue where isWhole && !isOfKey: return isNull(text) ? "null is not a value" : error.message
        case .unsupportedValue where isWhole:
            return isNull(text)
                ? "null is not a value; to remove the key, use `livery unset`; to set the string, use --type string"
                : "\(error.message) (--type string)"
        case _ where isWhole: return error.message
        default: return "\(error.message) (error\(place))"
        }
    }

    /// - Returns: `nil` for a text that cannot be scanned, whose error has no place.
    private static func startOfValue(in text: String) -> TextLocation? {
        guard var scanner = try? JSONScanner(Array(text.utf8)) else { return nil }
        scanner.skipWhitespace()
        return scanner.location
    }

    // Whether a text is JSON is the question in these functions; the value is parsed, with its errors, elsewhere.
    private static func isNull(_ text: String) -> Bool {
        guard var scanner = try? JSONScanner(Array(text.utf8)) else { return false }
        return (try? scanner.anyValue()) == .null
    }

    /// Whether a value equals its input: each number of an array or object is written as in RFC 8785, and a single number or
    /// word is the whole text.
    package static func keeps(_ text: String, as value: EntryValue) -> Bool {
        switch value {
        case .array, .object: hasCanonicalNumbers(text)
        case .string(let read): text.utf8.elementsEqual(read.utf8)
        default: text.utf8.elementsEqual(value.canonicalJSON.utf8)
        }
    }

    /// Whether the numbers of a text are in their canonical form; a text that cannot be scanned has none that are.
    private static func hasCanonicalNumbers(_ text: String) -> Bool {
        guard var scanner = try? JSONScanner(Array(text.utf8)) else { return false }
        while let byte = scanner.current {
            switch byte {
            case UInt8(ascii: "\""):
                if (try? scanner.text()) == nil { return false }
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                guard let number = try? scanner.numberText().text else { return false }
                guard (try? EntryValue(json: Array(number.utf8)))?.canonicalJSON == number else { return false }
            default: scanner.advance()
            }
        }
        return true
    }
}
