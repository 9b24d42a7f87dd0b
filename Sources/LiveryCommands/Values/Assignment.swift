// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel

/// A key, and where its value comes from.
struct Assignment: Hashable, Sendable {
    enum Origin: Hashable, Sendable {
        case text(String)
        /// A file, or standard input for `-`.
        case file(String)
    }

    var key: String
    var origin: Origin
    /// Whether the value is always read as JSON.
    var isJSON = false

    /// Reads `KEY VALUE`, or `KEY=VALUE` and `KEY:=JSON` for each of several keys, where a value may be `-` or `@file` unless
    /// it is literal.
    static func read(_ arguments: [String], isLiteral: Bool) throws(ConfigError) -> [Assignment] {
        let assignments: [Assignment]
        // By scalars: a mark that combines with the sign is part of the value.
        if arguments.count == 2, !arguments[0].unicodeScalars.contains("=") {
            assignments = [try Assignment(key: arguments[0], text: arguments[1], isLiteral: isLiteral)]
        } else {
            assignments = try arguments.map { (argument) throws(ConfigError) in
                guard let (key, text, isJSON) = TypedAssignment.parts(of: argument) else {
                    throw ConfigError(.rejected, "expected KEY VALUE, or KEY=VALUE for each of several keys")
                }
                return try Assignment(key: key, text: text, isLiteral: isLiteral, isJSON: isJSON)
            }
        }
        try check(assignments)
        for case .text(let text) in assignments.map(\.origin) where text.carriesBytes {
            throw ConfigError(.rejected, "the value is not valid UTF-8; check the terminal's encoding")
        }
        return assignments
    }

    private init(key: String, text: String, isLiteral: Bool, isJSON: Bool = false) throws(ConfigError) {
        try EntryKind.value.check(key)
        (self.key, self.isJSON) = (key, isJSON)
        switch text {
        case _ where isLiteral: origin = .text(text)
        case "-": origin = .file("-")
        case _ where text.utf8.first == UInt8(ascii: "@"): origin = .file(String(text.unicodeScalars.dropFirst()))
        default: origin = .text(text)
        }
    }

    private static func check(_ assignments: [Assignment]) throws(ConfigError) {
        var keys: Set<String> = []
        if let twice = assignments.first(where: { !keys.insert($0.key).inserted }) {
            throw ConfigError(.duplicateKey, "duplicate key; remove one", key: twice.key)
        }
        guard assignments.count(where: { $0.origin == .file("-") }) <= 1 else {
            throw ConfigError(.rejected, "standard input can be used for one key only")
        }
    }
}
