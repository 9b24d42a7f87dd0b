// SPDX-License-Identifier: Apache-2.0

package import ConfigModel

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
