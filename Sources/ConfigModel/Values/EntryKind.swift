// SPDX-License-Identifier: Apache-2.0

/// The kind of an entry in a namespace: a value, a schema or a rule.
///
/// Stores, clients and the digest treat all kinds alike, by keys that are unique across kinds: a value by its own key, a schema
/// as `schema:app.colors.*`, a rule as `rule:app.color`. No configuration key contains a colon.
public enum EntryKind: String, Hashable, Sendable, CaseIterable {
    /// The value of a configuration key.
    case value
    /// A schema for values, by the key, or by the pattern of the keys: `app.colors.*`, or `*`.
    case schema
    /// A rule, by the key whose value it selects, or the shared evaluators, as ``sharedRules``.
    case rule

    /// The name of the evaluators that the rules of a namespace share, which are stored like a rule.
    public static let sharedRules = "$evaluators"

    /// The prefix of the keys of this kind.
    public var prefix: String {
        switch self {
        case .value: ""
        case .schema: "schema:"
        case .rule: "rule:"
        }
    }

    /// The name of a list of entries of this kind: in documents, in answers and in the paths of requests.
    package var listName: String {
        switch self {
        case .value: "entries"
        case .schema: "schemas"
        case .rule: "rules"
        }
    }

    /// The key by which an entry is held.
    public func key(of name: String) -> String { prefix + name }

    /// The name of an entry of this kind by its key; `nil` if it is of another kind.
    public func name(of key: String) -> String? {
        guard EntryKind(of: key) == self else { return nil }
        return self == .value ? key : String(Substring(key.utf8.dropFirst(prefix.utf8.count)))
    }

    /// The kind of an entry by its key.
    public init(of key: String) {
        self =
            switch key.utf8.first {
            case UInt8(ascii: "s") where key.utf8.starts(with: "schema:".utf8): .schema
            case UInt8(ascii: "r") where key.utf8.starts(with: "rule:".utf8): .rule
            default: .value
            }
    }

    /// The kind and the name of an entry by its key.
    public static func named(_ key: String) -> (kind: EntryKind, name: String) {
        let kind = EntryKind(of: key)
        return (kind, kind.name(of: key) ?? key)
    }

    /// The error in a name, as a phrase that completes "the key …"; `nil` if it is valid.
    public func problem(inName name: String) -> String? {
        switch self {
        case .value: KeyRule.problem(in: name)
        case .schema: SchemaName.problem(in: name)
        case .rule: name == Self.sharedRules ? nil : KeyRule.problem(in: name)
        }
    }

    /// The error in the key of an entry of any kind, as a phrase that completes "the key …"; `nil` if it is valid.
    public static func problem(inKey key: String) -> String? {
        let (kind, name) = named(key)
        return kind.problem(inName: name)
    }
}

extension EntryKind: LosslessStringConvertible {
    /// The name on the wire.
    public var description: String { rawValue }

    /// Reads what ``description`` writes; anything else is `nil`.
    public init?(_ text: String) { self.init(rawValue: text) }
}
