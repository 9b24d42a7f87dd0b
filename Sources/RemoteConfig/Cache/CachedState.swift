package import ConfigModel

/// What the cache keeps of a source: the values, and how they stand to the source.
package struct CachedState: Hashable, Sendable {
    /// Where the values came from.
    package enum Origin: UInt8, Hashable, Sendable {
        /// From the source itself.
        case remote = 1
        /// From what the program carried with it.
        case bundledDefault = 2
    }

    /// Where the values came from.
    package var origin: Origin
    /// The version of the program that wrote them.
    package var programVersion: String
    /// The values.
    package var entries: ConfigEntries
    /// How they stand to the source.
    package var mark: CacheMark
}

/// How cached values stand to their source.
package struct CacheMark: Hashable, Sendable {
    /// Where they stand in the history of a server.
    package var cursor: Cursor?
    /// Their digest, where they came from a server.
    package var digest: ConfigDigest?
    /// What the source marked them with.
    package var validators: SourceValidators?
    /// When the source says that they were made.
    package var modifiedAt: Timestamp?

    package init(
        cursor: Cursor? = nil,
        digest: ConfigDigest? = nil,
        validators: SourceValidators? = nil,
        modifiedAt: Timestamp? = nil
    ) {
        self.cursor = cursor
        self.digest = digest
        self.validators = validators
        self.modifiedAt = modifiedAt
    }
}

/// What leads from one cached state to the next.
struct CacheChange: Hashable {
    var upserts: [String: EntrySnapshot.Entry]
    var deletes: [String]
    var mark: CacheMark

    /// What leads from a state that differs in these keys to the one given.
    init(to entries: ConfigEntries, changedKeys: [String], mark: CacheMark) {
        upserts = [:]
        deletes = []
        self.mark = mark
        for key in changedKeys {
            if let entry = entries[key] { upserts[key] = entry } else { deletes.append(key) }
        }
    }
}

extension CachedState {
    mutating func apply(_ change: CacheChange) {
        for key in change.deletes { _ = entries.remove(key) }
        for (key, entry) in change.upserts { entries[key] = entry }
        mark = change.mark
    }
}
