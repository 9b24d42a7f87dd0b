// SPDX-License-Identifier: Apache-2.0

/// `NAME=TEXT`, or `NAME:=JSON` for JSON in any form.
enum TypedAssignment {
    /// - Returns: `nil` for a word without a sign.
    static func parts(of word: String) -> (name: String, text: String, isJSON: Bool)? {
        // By scalars: a mark that combines with the sign is part of the value.
        let scalars = word.unicodeScalars
        guard let sign = scalars.firstIndex(of: "=") else { return nil }
        let name = scalars[..<sign]
        let isJSON = name.last == ":"
        return (String(isJSON ? name.dropLast() : name), String(scalars[sign...].dropFirst()), isJSON)
    }
}
