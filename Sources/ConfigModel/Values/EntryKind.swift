// SPDX-License-Identifier: Apache-2.0

/// What an entry of a namespace is: the value of a key, or what stands beside the values.
///
/// Stores, clients and the digest hold all of them alike, by keys that no two of them share: a value by its own key, a schema
/// as `schema:app.colors.*`, a rule as `rule:app.color`. No configuration key has a colon.
public enum EntryKind: String, Hashable, Sendable, CaseIterable {
    /// The value of a configuration key.
    case value
    /// What values have to keep, by what it is for, as in ``SchemaName``.
    case schema
    /// Who gets which value of a key, by the key; or what rules share, as ``sharedRules``.
    case rule

    /// The name of the rule that is none: the evaluators that the namespace's rules refer to, by name.
    public static let sharedRules = "$evaluators"

    /// What the keys of this kind begin with.
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
        switch self {
        case .value: EntryKind(of: key) == .value ? key : nil
        case .schema, .rule:
            key.utf8.starts(with: prefix.utf8) ? String(Substring(key.utf8.dropFirst(prefix.utf8.count))) : nil
        }
    }

    /// The kind of an entry by its key.
    public init(of key: String) {
        guard key.utf8.contains(UInt8(ascii: ":")) else {
            self = .value
            return
        }
        self = [.schema, .rule].first { $0.name(of: key) != nil } ?? .value
    }

    /// The kind and the name of an entry by its key.
    public static func named(_ key: String) -> (kind: EntryKind, name: String) {
        let kind = EntryKind(of: key)
        return (kind, kind.name(of: key) ?? key)
    }

    /// What is wrong with a name, as a phrase that completes "the key …"; `nil` if nothing is.
    public func problem(inName name: String) -> String? {
        switch self {
        case .value: KeyRule.problem(in: name)
        case .schema: SchemaName.problem(in: name)
        case .rule: name == Self.sharedRules ? nil : KeyRule.problem(in: name)
        }
    }

    /// What is wrong with the key of an entry of any kind, as a phrase that completes "the key …"; `nil` if nothing is.
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
