// SPDX-License-Identifier: Apache-2.0

/// An error of a decoder or an encoder, with its position in the value.
///
/// ```
/// at [2].url: expected a string, found a number
/// ```
package struct CodingFault: Error, Sendable {
    /// The names and indices that lead to the part that is wrong; empty for the value itself.
    package let path: [any CodingKey]
    /// The error, as one sentence without a full stop.
    package let message: String

    package init(_ message: String, at path: [any CodingKey] = []) { (self.message, self.path) = (message, path) }

    /// The same error relative to the enclosing value.
    package func below(_ key: any CodingKey) -> CodingFault { CodingFault(message, at: [key] + path) }

    /// - Parameter error: the error thrown by the coder or by the type's own code.
    package init(_ error: any Error) {
        switch error {
        case let fault as CodingFault: self = fault
        case DecodingError.keyNotFound(let key, let context):
            (path, message) = (context.codingPath, "the member \(key.stringValue.shownAsKey) is missing")
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
            DecodingError.dataCorrupted(let context):
            (path, message) = (context.codingPath, Self.sentence(context.debugDescription))
        case EncodingError.invalidValue(_, let context):
            (path, message) = (context.codingPath, Self.sentence(context.debugDescription))
        case let error as ConfigError: (path, message) = ([], error.message)
        default: (path, message) = ([], String(describing: error).excerpt(ofScalars: 200))
        }
    }

    /// The message after its place.
    package var description: String {
        let place = Self.text(of: path)
        return place.isEmpty ? message : "at \(place): \(message)"
    }

    /// The path as it is written in JavaScript: `menu[2].url`, `["a b"]`.
    private static func text(of path: [any CodingKey]) -> String {
        path.reduce(into: "") { text, key in
            if let index = key.index {
                text += "[\(index)]"
            } else if key.isPlainName {
                text += (text.isEmpty ? "" : ".") + key.stringValue
            } else {
                text += "[" + EntryValue.string(key.stringValue.shownAsKey).canonicalJSON + "]"
            }
        }
    }

    /// Foundation and the standard library write sentences with a capital and a full stop.
    private static func sentence(_ text: String) -> String {
        let text = text.hasSuffix(".") ? text.dropLast() : text[...]
        let isWord = text.dropFirst().first?.isLowercase == true
        return ((isWord ? text.prefix(1).lowercased() : String(text.prefix(1))) + text.dropFirst())
            .excerpt(ofScalars: 200)
    }
}

extension CodingKey {
    /// The position, of an element of an array. The key of a dictionary is a name, also if it is a number.
    package var index: Int? { intValue.flatMap { String($0) == stringValue ? nil : $0 } }

    fileprivate var isPlainName: Bool {
        !stringValue.isEmpty
            && stringValue.utf8.allSatisfy {
                $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
            }
    }
}

/// The place of a part that no `CodingKey` of a type names.
package struct PartKey: CodingKey {
    package let stringValue: String
    package let intValue: Int?

    /// The place of an element.
    package init(index: Int) { (stringValue, intValue) = ("Index \(index)", index) }

    package init(stringValue: String) { (self.stringValue, intValue) = (stringValue, nil) }
    package init(intValue: Int) { self.init(index: intValue) }

    /// The member for the encoded superclass.
    package static let superclass = PartKey(stringValue: "super")
}
