package import ConfigModel

/// The history of a store that can read the value of any key at any revision, and what follows from these reads.
package protocol KeyHistory {
    /// The lowest revision whose state can be read.
    func floor() throws -> UInt64

    /// The last revision of the store.
    func head() throws -> UInt64

    /// The keys that were changed by the revisions after one, through another.
    func keysChanged(in namespace: String, after: UInt64, through: UInt64) throws -> [String]

    /// The value of a key at a revision.
    func value(of key: String, in namespace: String, at revision: UInt64) throws -> EntryValue?
}

extension KeyHistory {
    /// The difference between two revisions; `nil` if the history does not have both.
    package func changes(in namespace: String, after: UInt64, through: UInt64) throws -> NetChange? {
        guard after <= through, try floor() <= after, try through <= head() else { return nil }
        var change = NetChange()
        for key in try keysChanged(in: namespace, after: after, through: through) {
            let old = try value(of: key, in: namespace, at: after)
            change.add(key, from: old, to: try value(of: key, in: namespace, at: through))
        }
        return change
    }

    /// The edits that restore a namespace to a revision; `nil` if the history does not have it.
    package func edits(restoring namespace: String, to revision: UInt64) throws -> [String: EntryValue?]? {
        let head = try head()
        guard try floor() <= revision, revision <= head else { return nil }
        return try values(in: namespace, at: revision, changedThrough: head)
    }

    /// The values at a revision of the keys that later revisions have changed, through the last one.
    package func values(
        in namespace: String,
        at revision: UInt64,
        changedThrough head: UInt64
    ) throws -> [String: EntryValue?] {
        var values: [String: EntryValue?] = [:]
        for key in try keysChanged(in: namespace, after: revision, through: head) {
            values[key] = .some(try value(of: key, in: namespace, at: revision))
        }
        return values
    }
}
