// SPDX-License-Identifier: Apache-2.0

/// The rule for the name of a schema: a key (`app.title`), all keys with a prefix (`app.colors.*`), or all keys (`*`).
///
/// Of several schemas that are for a key, the longest name counts, and the key's own before any other.
package enum SchemaName {
    /// The error in a name, as a phrase that completes "the key …"; `nil` if it is valid.
    ///
    /// A name is a key, or a key of up to 126 characters with `.*` behind it, or `*`.
    package static func problem(in name: String) -> String? {
        if name == all { return nil }
        if name.utf8.count > KeyRule.maximumLength { return "is longer than \(KeyRule.maximumLength) characters" }
        guard let problem = KeyRule.problem(in: prefix(of: name) ?? name) else { return nil }
        return "\(problem); expected a key, a pattern such as 'app.*', or '*' for all keys"
    }

    /// The names by which a schema would be for a key, the one that counts first: for `app.colors.sky` it is itself, then
    /// `app.colors.*`, `app.*` and `*`.
    package static func candidates(forKey key: String) -> [String] {
        var names = [key]
        var rest = key[...]
        while let dot = rest.lastIndex(of: ".") {
            rest = rest[..<dot]
            names.append(rest + ".*")
        }
        return names + [all]
    }

    /// Whether a schema of this name is for a key, if no other is.
    package static func covers(_ name: String, key: String) -> Bool {
        if name == all || name == key { return true }
        return prefix(of: name).map { key.utf8.count > $0.utf8.count && key.hasPrefix($0 + ".") } ?? false
    }

    private static let all = "*"

    private static func prefix(of name: String) -> String? { name.hasSuffix(".*") ? String(name.dropLast(2)) : nil }
}
