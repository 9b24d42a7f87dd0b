internal import ConfigModel
internal import ConfigStore
internal import HashTreeCollections
public import NIOCore

extension NamespaceState {
    /// The forms that have been encoded so far.
    struct Encodings: Sendable {
        let snapshot = Lazy<ByteBuffer>()
        let reset = Lazy<ByteBuffer>()
        let compressed = SharedWork<ByteBuffer?>()
        let unchanged = Lazy<ByteBuffer>()
        let document = Lazy<ByteBuffer>()
        let rows = Lazy<ByteBuffer>()
        let byRevision = Lazy<[Row]>()
    }

    /// The strong entity tag of this state: its epoch and its revision in quotes.
    public var etag: String { "\"\(cursor)\"" }

    /// The body of `GET /v1/{namespace}/config`.
    public var snapshotJSON: ByteBuffer {
        encodings.snapshot.value { ByteBuffer(bytes: answer(isReset: false).json) }
    }

    /// The same for a client whose changes are not known any more: with the member `reset`.
    public var resetJSON: ByteBuffer {
        encodings.reset.value { ByteBuffer(bytes: answer(isReset: true).json) }
    }

    /// Whether the forms for the wire are made so fast that an event loop may do it: those of up to 64 KiB.
    package var isShort: Bool { entryBytes <= 64 * 1024 }

    /// Whether the forms are so small that an event loop may copy them, once they are made: those of up to 1 MiB.
    package var isCopied: Bool { entryBytes <= 1024 * 1024 }

    /// ``snapshotJSON`` compressed: `nil` while it has not been, and if that does not pay.
    ///
    /// A short one is compressed right here.
    ///
    /// - Parameter compress: compresses the body; `nil` if that does not pay.
    package func compressedSnapshotJSON(_ compress: (ByteBuffer) -> ByteBuffer?) -> ByteBuffer? {
        guard isShort else { return encodings.compressed.value ?? nil }
        return encodings.compressed.value { compress(snapshotJSON) }
    }

    /// Compresses ``snapshotJSON`` on a queue, once for all callers.
    package func compressSnapshot(
        on queue: WorkQueue,
        _ compress: @escaping @Sendable (ByteBuffer) -> ByteBuffer?
    ) async {
        _ = await encodings.compressed.value(on: queue) { [self] in compress(snapshotJSON) }
    }

    /// Whether the snapshot is taken to be smaller when it is compressed: a long one is until that has been found out.
    package func isCompressible(_ compress: (ByteBuffer) -> ByteBuffer?) -> Bool {
        if let known = encodings.compressed.value { return known != nil }
        return isShort ? compressedSnapshotJSON(compress) != nil : true
    }

    /// The body of `GET /v1/{namespace}/config?epoch=…&after=…` for a client that has this very revision.
    public var unchangedJSON: ByteBuffer {
        encodings.unchanged.value {
            let nothing = Changeset(from: revision, to: revision, digest: digest)
            return ByteBuffer(bytes: ConfigAnswer.changes(nothing, epoch: cursor.epoch).json)
        }
    }

    /// The `change` events that lead a stream from a revision to this state, one after the other.
    ///
    /// - Parameter revision: a revision of this state's epoch at which the namespace once was.
    /// - Returns: an empty buffer for this state's own revision; `nil` if the recent changes do not reach so far back or
    ///   the namespace never had the revision: the client then needs a `reset`.
    public func encodedEvents(after revision: UInt64) -> ByteBuffer? {
        encodedEvents(after: revision, atMost: .max)?.events
    }

    /// The first of these events, and the revision that they lead to.
    ///
    /// - Parameters:
    ///   - revision: a revision of this state's epoch at which the namespace once was.
    ///   - bytes: the most bytes of several events; a single one may have more.
    func encodedEvents(after revision: UInt64, atMost bytes: Int) -> (events: ByteBuffer, position: UInt64)? {
        guard revision < self.revision else { return revision == self.revision ? (ByteBuffer(), revision) : nil }
        guard let changes = recent.since(revision, atMost: bytes), let last = changes.last,
            changes[0].changeset.from == revision
        else { return nil }
        if changes.count == 1 { return (last.event, last.changeset.to) }
        var events = ByteBufferAllocator().buffer(capacity: changes.reduce(0) { $0 + $1.event.readableBytes })
        for change in changes { events.writeImmutableBuffer(change.event) }
        return (events, last.changeset.to)
    }

    /// Whether the snapshot has been made, and compressed if it is asked for so.
    func hasSnapshot(isGzip: Bool) -> Bool {
        encodings.snapshot.made != nil && (!isGzip || encodings.compressed.value != nil)
    }

    /// Whether the recent changes reach back to a revision.
    func changesReach(_ revision: UInt64) -> Bool {
        revision == self.revision || recent.reaches(revision)
    }

    /// Whether the recent changes after a revision are joined and encoded so fast that an event loop may do it.
    func changesAreShort(after revision: UInt64) -> Bool {
        revision == self.revision || recent.isShort(since: revision, atMost: 64 * 1024)
    }

    private func answer(isReset: Bool) -> ConfigAnswer {
        let values = Dictionary(uniqueKeysWithValues: entries.lazy.map { ($0.key, $0.value.value) })
        return .snapshot(ServerSnapshot(cursor: cursor, digest: digest, entries: values), isReset: isReset)
    }
}
