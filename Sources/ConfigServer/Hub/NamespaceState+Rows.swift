public import ConfigModel
public import ConfigStore
internal import HashTreeCollections
public import NIOCore

extension NamespaceState {
    /// An entry with its key.
    public struct Row: Hashable, Sendable {
        /// The key.
        public var key: String
        /// What is known of it.
        public var entry: StoredEntry
    }

    /// All entries as predecessor A lists them: an array of objects with `id`, `key`, `value`, `created_at` and
    /// `updated_at`, by id.
    public var rowsJSON: ByteBuffer {
        encodings.rows.value { Self.rowsJSON(rows.sorted { $0.entry.id < $1.entry.id }) }
    }

    /// The entries that were made or changed after a moment, in the order of their changes.
    ///
    /// It costs what has changed since, as far as the recent changes reach; nothing if nothing has.
    public func rows(changedAfter moment: Timestamp) -> [Row] {
        if updatedAt <= moment { return [] }
        guard let keys = recent.keysUpserted(after: moment) else {
            let rows = encodings.byRevision.value { self.rows.sorted { $0.entry.revision < $1.entry.revision } }
            return Array(rows[rows.partitioningIndex { $0.entry.updatedAt > moment }...])
        }
        let rows = keys.compactMap { key in entries[key].map { Row(key: key, entry: $0) } }
        return rows.filter { $0.entry.updatedAt > moment }
            .sorted { ($0.entry.revision, $0.key) < ($1.entry.revision, $1.key) }
    }

    /// Rows as predecessor A writes them. A value that is no string appears as its JSON text.
    public static func rowsJSON(_ rows: [Row]) -> ByteBuffer {
        var json = JSONWriter(reservingBytes: rows.count * 160)
        json.array { array in
            for row in rows {
                array.object { object in
                    object.member("id") { $0.number(row.entry.id) }
                    object.member("key") { $0.string(row.key) }
                    object.member("value") { $0.string(row.entry.value.text) }
                    object.member("created_at") { $0.string(row.entry.createdAt.description) }
                    object.member("updated_at") { $0.string(row.entry.updatedAt.description) }
                }
            }
        }
        return ByteBuffer(bytes: json.bytes)
    }

    private var rows: [Row] {
        entries.map { Row(key: $0.key, entry: $0.value) }
    }
}

extension EntryValue {
    /// A string as it is, anything else as JSON: what a table of texts holds.
    package var text: String {
        if case .string(let text) = self { text } else { canonicalJSON }
    }
}

extension [NamespaceState.Row] {
    /// The first index whose row fulfils a condition that holds for all rows after it as well.
    fileprivate func partitioningIndex(where isInSecond: (Element) -> Bool) -> Int {
        var range = indices
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range = isInSecond(self[middle]) ? range.lowerBound..<middle : middle + 1..<range.upperBound
        }
        return range.lowerBound
    }
}
