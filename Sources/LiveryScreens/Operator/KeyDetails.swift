// SPDX-License-Identifier: Apache-2.0

package import ConfigChanges
package import ConfigModel

/// The facts on a key that a source has beyond its value.
package struct KeyDetails: Equatable, Sendable {
    package var key: String
    /// `nil` if the key has none.
    package var value: EntryValue?
    /// The revision of the value; `nil` for a source without revisions.
    package var revision: UInt64?
    package var createdAt: Timestamp?
    package var updatedAt: Timestamp?
    /// The last change of the value, with its author and message.
    package var record: HistoryRecord?
    /// The name of the schema that applies to the key, such as `app.*`.
    package var schemaName: String?
    package var schema: EntryValue?
    package var rule: EntryValue?

    package init(key: String) { self.key = key }

    /// The facts that are among the entries of a source.
    init(key: String, in contents: NamespaceContents) {
        (self.key, value, rule) = (key, contents.values[key], contents.rules[key])
        if let (name, schema) = contents.namedSchema(forKey: key) { (schemaName, self.schema) = (name, schema) }
    }
}

/// The entries of a source at one moment.
package struct SourceContents: Sendable {
    package var contents: NamespaceContents
    /// `nil` for a source without revisions.
    package var cursor: RevisionCursor?

    package init(_ contents: NamespaceContents, at cursor: RevisionCursor? = nil) {
        (self.contents, self.cursor) = (contents, cursor)
    }
}
