// SPDX-License-Identifier: Apache-2.0

package import ConfigModel
internal import ConfigRules
package import ConfigStore
internal import ConfigWire
internal import HashTreeCollections
package import NIOCore

extension NamespaceState {
    struct Encodings: Sendable {
        let snapshot = Lazy<ByteBuffer>()
        let reset = Lazy<ByteBuffer>()
        let compressed = Lazy<ByteBuffer?>()
        let unchanged = Lazy<ByteBuffer>()
        let document = Lazy<ByteBuffer>()
        let rows = Lazy<ByteBuffer>()
        let byRevision = Lazy<[Row]>()
        let timedRules = Lazy<[ConfigRule]>()
        let flags = Lazy<[Flag]>()
        let evaluations = RecentAnswers()
        let listTag = Lazy<String>()
    }

    /// The entity tag of lists of entries, without quotes, which have revisions and dates beside the contents. To make it
    /// takes as long as there are entries.
    package var listTag: String {
        encodings.listTag.value {
            let entries = EntryKind.allCases.lazy.flatMap { kind in
                self.entries(kind).lazy.map { name, entry in
                    let dates = [entry.createdAt, entry.updatedAt].map { EntryValue.integer(Int($0.milliseconds)) }
                    return (key: kind.key(of: name), value: EntryValue.array([.integer(Int(entry.revision))] + dates))
                }
            }
            return "\(tag)-\(ConfigDigest(entries))"
        }
    }

    /// The body of `GET /v1/{namespace}/config`.
    package var snapshotJSON: ByteBuffer {
        encodings.snapshot.value { ByteBuffer(bytes: answerJSON(isReset: false)) }
    }

    /// The same for a client whose changes are not known any more: with the member `reset`.
    package var resetJSON: ByteBuffer {
        encodings.reset.value { ByteBuffer(bytes: answerJSON(isReset: true)) }
    }

    /// Whether the forms for the wire are made so fast that an event loop may do it: those of up to 64 KiB.
    package var isShort: Bool { snapshotBytes <= 64 * 1024 }

    /// Whether the forms are so small that an event loop may copy them, once they are made: those of up to 1 MiB.
    package var isCopied: Bool { snapshotBytes <= 1024 * 1024 }

    /// ``snapshotJSON``, compressed once for all callers; `nil` if that does not pay.
    ///
    /// - Parameter compress: compresses the body; `nil` if that does not pay.
    package func compressedSnapshotJSON(_ compress: (ByteBuffer) -> ByteBuffer?) -> ByteBuffer? {
        encodings.compressed.value { compress(snapshotJSON) }
    }

    /// Whether the snapshot is taken to be smaller when it is compressed: a long one is until that has been found out.
    package func isCompressible(_ compress: (ByteBuffer) -> ByteBuffer?) -> Bool {
        if let known = encodings.compressed.made { return known != nil }
        return isShort ? compressedSnapshotJSON(compress) != nil : true
    }

    /// The body of `GET /v1/{namespace}/config?epoch=…&after=…` for a client that has this very revision.
    package var unchangedJSON: ByteBuffer {
        encodings.unchanged.value {
            let nothing = Changeset(from: revision, to: revision, digest: digest)
            return ByteBuffer(bytes: ConfigAnswer.changes(nothing, epoch: cursor.epoch).json)
        }
    }

    /// The entries as one nested document, the body of `GET /{namespace}.json`.
    ///
    /// A key that has a value and is the beginning of others cannot be an object as well, so the others keep their
    /// dots: `{"a": 1, "a.b": 2}`. `ConfigDocument` reads every such document as the very entries.
    package var documentJSON: ByteBuffer {
        encodings.document.value {
            var json = JSONWriter()
            json.document(entries.lazy.map { ($0.key, $0.value.value) })
            return ByteBuffer(bytes: json.bytes)
        }
    }

    /// The `change` events that lead a stream from a revision to this state, one after the other.
    ///
    /// - Parameters:
    ///   - revision: a revision of this state's epoch at which the namespace once was.
    ///   - bytes: the maximum size of several events; a single one may be larger.
    ///   - isWithSchemas: whether they have the changed schemas.
    /// - Returns: the events, and the revision that they lead to: nothing for this state's own revision; `nil` if the recent
    ///   changes do not reach so far back or the namespace never had the revision: the client then needs a `reset`.
    package func encodedEvents(
        after revision: UInt64,
        atMost bytes: Int = .max,
        schemas isWithSchemas: Bool = false
    ) -> (events: ByteBuffer, position: UInt64)? {
        guard revision < self.revision else { return revision == self.revision ? (ByteBuffer(), revision) : nil }
        guard let changes = recent.since(revision, atMost: bytes), let last = changes.last,
            changes[0].changeset.from == revision
        else { return nil }
        func event(_ change: ChangeRing.Change) -> ByteBuffer {
            isWithSchemas ? change.eventWithSchemas(cursor.epoch) : change.event
        }
        if changes.count == 1 { return (event(last), last.changeset.to) }
        var events = ByteBufferAllocator().buffer(capacity: changes.reduce(0) { $0 + $1.event.readableBytes })
        for change in changes { events.writeImmutableBuffer(event(change)) }
        return (events, last.changeset.to)
    }

    /// Whether the snapshot has been encoded, and compressed if `isGzip` is true.
    package func hasSnapshot(isGzip: Bool) -> Bool {
        encodings.snapshot.made != nil && (!isGzip || encodings.compressed.made != nil)
    }

    /// Whether the recent changes reach back to a revision.
    package func changesReach(_ revision: UInt64) -> Bool {
        revision == self.revision || recent.reaches(revision)
    }

    /// Whether the recent changes after a revision are joined and encoded so fast that an event loop may do it.
    package func changesAreShort(after revision: UInt64) -> Bool {
        revision == self.revision || recent.reaches(revision, atMost: 64 * 1024)
    }

    /// The room for what an answer has besides the entries: a buffer that grows is copied, and twice as large as needed.
    private static let otherBytes = 512

    /// The answer with the whole state.
    ///
    /// - Parameter schemas: whether it has the schemas.
    package func answerJSON(schemas isWithSchemas: Bool = false, isReset: Bool) -> [UInt8] {
        ConfigAnswer.json(
            of: entries.map { (key: $0.key, value: $0.value.value) },
            rules: values(of: .rule),
            at: cursor,
            digest,
            schemas: isWithSchemas ? values(of: .schema) : nil,
            isReset: isReset,
            reservingBytes: Self.otherBytes + snapshotBytes + (isWithSchemas ? schemaBytes : 0)
        )
    }

    /// The answer with the whole state at an earlier revision.
    ///
    /// - Parameters:
    ///   - former: the former values of the keys, schemas and rules that have changed since.
    ///   - isWithSchemas: whether it has the schemas.
    package func answerJSON(with former: [String: EntryValue?], at revision: UInt64, schemas isWithSchemas: Bool)
        -> [UInt8]
    {
        var values = EntryKind.allCases.reduce(into: [:]) { $0[$1] = self.values(of: $1) }
        for (key, value) in former {
            let (kind, name) = EntryKind.named(key)
            values[kind, default: [:]][name] = value
        }
        let (entries, rules) = (values[.value, default: [:]], values[.rule, default: [:]])
        let digested = entries.map { (key: $0, value: $1) } + rules.map { (key: EntryKind.rule.key(of: $0), value: $1) }
        return ConfigAnswer.json(
            of: entries.map { (key: $0, value: $1) },
            rules: rules,
            at: RevisionCursor(epoch: cursor.epoch, revision: revision),
            ConfigDigest(digested),
            schemas: isWithSchemas ? values[.schema] : nil,
            isReset: false,
            reservingBytes: former.reduce(Self.otherBytes + snapshotBytes) { sum, entry in
                sum + (entry.value.map { Self.byteCount(entry.key, $0) } ?? 0)
            }
        )
    }
}

extension NamespaceState {
    /// An entry with its key.
    package typealias Row = (key: String, value: StoredEntry)

    /// All entries as the legacy protocol lists them: an array of objects with `id`, `key`, `value`, `created_at` and
    /// `updated_at`, by id.
    package var rowsJSON: ByteBuffer {
        encodings.rows.value { Self.rowsJSON(entries.sorted { $0.value.id < $1.value.id }) }
    }

    /// The entries that were made or changed after a moment, in the order of their changes.
    ///
    /// Its cost is that of the changes since, as far as the recent changes reach; nothing without any.
    package func rows(changedAfter moment: Timestamp) -> [Row] {
        if updatedAt <= moment { return [] }
        guard let keys = recent.keysUpserted(after: moment) else {
            let rows = encodings.byRevision.value { entries.sorted { $0.value.revision < $1.value.revision } }
            return Array(rows[rows.indices.partitioningIndex { rows[$0].value.updatedAt > moment }...])
        }
        let rows = keys.compactMap { key in entries[key].map { (key, $0) as Row } }
        return rows.filter { $0.value.updatedAt > moment }
            .sorted { ($0.value.revision, $0.key) < ($1.value.revision, $1.key) }
    }

    /// Rows of the legacy protocol. Other values than strings appear as their JSON text.
    package static func rowsJSON(_ rows: [Row]) -> ByteBuffer {
        var json = JSONWriter(reservingBytes: rows.count * 160)
        json.array { array in
            for (key, entry) in rows {
                TableRow.write(
                    id: entry.id,
                    key: key,
                    value: entry.value,
                    createdAt: entry.createdAt,
                    updatedAt: entry.updatedAt,
                    to: &array
                )
            }
        }
        return ByteBuffer(bytes: json.bytes)
    }
}
