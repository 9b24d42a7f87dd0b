internal import ConfigModel

/// The keys under which stores keep schemas: `schema:` and what the schema is for, such as `schema:app.colors.*`.
///
/// A schema is an entry like any other, so that it is published, kept in the history, rolled back and pruned together with
/// values. No configuration key has a colon.
public enum SchemaKey {
    /// What the keys begin with.
    public static let prefix = "schema:"

    /// The key of a schema.
    ///
    /// - Parameter name: what it is for, as in ``SchemaName``.
    public static func key(of name: String) -> String { prefix + name }

    /// What the schema under a key is for; `nil` if the key is that of a value.
    public static func name(of key: String) -> String? {
        key.utf8.starts(with: prefix.utf8) ? String(key.dropFirst(prefix.count)) : nil
    }

    /// What is wrong with the key of an entry, as a phrase that completes "the key …"; `nil` if nothing is.
    static func problem(inEntryKey key: String) -> String? {
        name(of: key).map { SchemaName.problem(in: $0) } ?? KeyRule.problem(in: key)
    }
}
