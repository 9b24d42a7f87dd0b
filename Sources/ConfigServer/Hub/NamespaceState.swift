public import ConfigModel
public import ConfigStore
public import HashTreeCollections
internal import NIOCore

/// A namespace as it is at one revision; it never changes. Requests are answered from it, without the store.
///
/// Its forms for the wire are encoded when they are first asked for and kept as long as the state is.
public final class NamespaceState: Sendable {
    /// The namespace's name.
    public let namespace: String
    /// The epoch, and the last revision that changed the namespace; 0 if none ever did.
    public let cursor: Cursor
    /// The digest of the entries.
    public let digest: ConfigDigest
    /// When the namespace was changed last: 0 if never. After a start, deletes do not count.
    public let updatedAt: Timestamp
    /// The live entries by key.
    public let entries: TreeDictionary<String, StoredEntry>
    /// How many bytes the entries take as the members of a JSON object.
    public let entryBytes: Int

    /// The snapshot's entity tag without quotes.
    let tag: String
    /// The entity tag of the compressed form, which is another representation.
    let gzipTag: String
    let recent: RecentChanges
    let encodings: Encodings

    init(
        namespace: String,
        cursor: Cursor,
        digest: ConfigDigest,
        updatedAt: Timestamp,
        entries: TreeDictionary<String, StoredEntry>,
        entryBytes: Int,
        recent: RecentChanges,
        encodings: Encodings = Encodings()
    ) {
        self.namespace = namespace
        self.cursor = cursor
        tag = cursor.description
        gzipTag = tag + "-gzip"
        self.digest = digest
        self.updatedAt = updatedAt
        self.entries = entries
        self.entryBytes = entryBytes
        self.recent = recent
        self.encodings = encodings
    }

    /// The last revision that changed the namespace.
    public var revision: UInt64 { cursor.revision }
}

extension NamespaceState {
    /// A namespace without entries.
    ///
    /// - Parameter revision: the last revision that changed it; 0 if it has never had an entry.
    convenience init(
        empty namespace: String,
        epoch: Epoch,
        revision: UInt64 = 0,
        limits: RecentChanges.Limits = .init()
    ) {
        self.init(
            namespace: namespace,
            cursor: Cursor(epoch: epoch, revision: revision),
            digest: ConfigDigest(),
            updatedAt: Timestamp(milliseconds: 0),
            entries: [:],
            entryBytes: 0,
            recent: RecentChanges(limits: limits)
        )
    }

    /// A namespace as it was read from a store.
    convenience init(
        namespace: String,
        contents: StoreContents.Namespace,
        epoch: Epoch,
        recent: RecentChanges
    ) {
        self.init(
            namespace: namespace,
            cursor: Cursor(epoch: epoch, revision: contents.revision),
            digest: ConfigDigest(contents.entries.lazy.map { ($0.key, $0.value.value) }),
            updatedAt: contents.entries.values.lazy.map(\.updatedAt).max() ?? Timestamp(milliseconds: 0),
            entries: TreeDictionary(uniqueKeysWithValues: contents.entries.lazy.map { ($0.key, $0.value) }),
            entryBytes: contents.entries.reduce(0) { $0 + Self.byteCount($1.key, $1.value.value) },
            recent: recent
        )
    }

    /// The state that was loaded again, with the difference to this one as one more change.
    func replaced(by contents: StoreContents.Namespace) -> NamespaceState {
        let loaded = NamespaceState(namespace: namespace, contents: contents, epoch: cursor.epoch, recent: recent)
        var changeset = Changeset(from: revision, to: loaded.revision, digest: loaded.digest)
        changeset.deletes = Set(entries.keys.filter { contents.entries[$0] == nil })
        for (key, entry) in contents.entries where entries[key]?.value != entry.value {
            changeset.upserts[key] = entry.value
        }
        var recent = recent
        recent.append(changeset, after: digest, at: loaded.updatedAt, epoch: cursor.epoch)
        recent.trim(besides: loaded.entryBytes)
        return NamespaceState(
            namespace: namespace,
            cursor: loaded.cursor,
            digest: loaded.digest,
            updatedAt: max(updatedAt, loaded.updatedAt),
            entries: loaded.entries,
            entryBytes: loaded.entryBytes,
            recent: recent
        )
    }

    /// The state after a commit; `nil` if the commit does not follow this state.
    ///
    /// It costs what the commit changes, however many entries there are.
    func applying(_ commit: Commit) -> NamespaceState? {
        guard commit.namespace == namespace, commit.previous == revision, commit.revision > revision else { return nil }
        var (entries, digest, entryBytes) = (entries, digest, entryBytes)
        var changeset = Changeset(from: revision, to: commit.revision, digest: digest)
        for (key, entry) in commit.changes {
            let old = entries[key]
            if let old {
                digest.remove(old.value, forKey: key)
                entryBytes -= Self.byteCount(key, old.value)
            }
            entries[key] = entry
            if let entry {
                digest.insert(entry.value, forKey: key)
                entryBytes += Self.byteCount(key, entry.value)
                changeset.upserts[key] = entry.value
            } else {
                changeset.deletes.insert(key)
            }
        }
        changeset.digest = digest
        var recent = recent
        recent.append(changeset, after: self.digest, at: commit.updatedAt, epoch: cursor.epoch)
        recent.trim(besides: entryBytes)
        return NamespaceState(
            namespace: namespace,
            cursor: Cursor(epoch: cursor.epoch, revision: commit.revision),
            digest: digest,
            updatedAt: commit.updatedAt,
            entries: entries,
            entryBytes: entryBytes,
            recent: recent
        )
    }

    /// The same state with fewer recent changes.
    ///
    /// - Parameter bytes: the most bytes of them to keep.
    func keeping(recentBytes bytes: Int) -> NamespaceState {
        var recent = recent
        recent.trim(to: bytes)
        return NamespaceState(
            namespace: namespace,
            cursor: cursor,
            digest: digest,
            updatedAt: updatedAt,
            entries: entries,
            entryBytes: entryBytes,
            recent: recent,
            encodings: encodings
        )
    }

    /// How many bytes an entry takes as a member of a JSON object: with two quotation marks, a colon and a comma.
    static func byteCount(_ key: String, _ value: EntryValue) -> Int {
        key.utf8.count + 4 + value.canonicalByteCount
    }
}

extension NamespaceState {
    /// The changes from a revision to this state: none for this state's own revision, and `nil` if the revision is higher
    /// or the recent changes do not reach back so far.
    ///
    /// - Parameter revision: a revision of this state's epoch.
    public func changes(after revision: UInt64) -> Changeset? {
        guard revision < self.revision else { return revision == self.revision ? unchanged : nil }
        guard let changes = recent.since(revision) else { return nil }
        return Changeset(joining: changes, from: revision, to: self.revision, digest: digest)
    }

    private var unchanged: Changeset {
        Changeset(from: revision, to: revision, digest: digest)
    }
}

extension NamespaceState {
    /// The digest that the namespace had at a revision, as far as the recent changes reach.
    ///
    /// - Parameter revision: a revision of this state's epoch at which the namespace once was.
    public func digest(at revision: UInt64) -> ConfigDigest? {
        revision == self.revision ? digest : recent.digest(before: revision)
    }
}
