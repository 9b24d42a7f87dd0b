// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
package import ConfigRules
internal import ConfigSchemas
public import ConfigStore
internal import Dispatch
package import HashTreeCollections

/// A namespace as it is at one revision; it never changes. Requests are answered from it, without the store.
///
/// Its encoded forms are created at first use and kept as long as the state.
public final class NamespaceState: Sendable {
    /// The checksums of the contents: of the values and rules, and of the schemas, which most clients do not have.
    package struct Digests: Sendable {
        package var values = ConfigDigest()
        package var schemas = ConfigDigest()
    }

    /// The entries of one kind.
    struct Part: Sendable {
        /// By their names.
        private(set) var entries: TreeDictionary<String, StoredEntry> = [:]
        /// Their size as the members of a JSON object, in bytes.
        private(set) var bytes = 0

        /// Sets or removes an entry, in time independent of the number of entries.
        ///
        /// - Returns: the entry before.
        fileprivate mutating func set(_ entry: StoredEntry?, named name: String, forKey key: String) -> StoredEntry? {
            let old = entries[name]
            entries[name] = entry
            let byteCount = { (entry: StoredEntry) in NamespaceState.byteCount(key, entry.value) }
            bytes += (entry.map(byteCount) ?? 0) - (old.map(byteCount) ?? 0)
            return old
        }
    }

    /// The contents of the state.
    struct Content: Sendable {
        var cursor: RevisionCursor
        var digests = Digests()
        var updatedAt = Timestamp(milliseconds: 0)
        var values = Part()
        var schemas = Part()
        /// The schemas, ready to check values by.
        var compiledSchemas = Lazy<SchemaSet>()
        var rules = Part()
        /// The rules, ready to be evaluated.
        var compiledRules = NamespaceRules()
        var recent: ChangeRing
    }

    /// The namespace's name.
    public let namespace: String
    private let content: Content
    /// The snapshot's entity tag without quotes: the cursor, and the digests of the contents. A store that was put back may give a
    /// revision to other contents.
    package let tag: String
    /// The entity tag of the compressed form, which is another representation.
    package let gzipTag: String
    let encodings: Encodings

    private init(_ namespace: String, _ content: Content, _ encodings: Encodings = Encodings()) {
        (self.namespace, self.content, self.encodings) = (namespace, content, encodings)
        let schemas = content.schemas.entries.isEmpty ? "" : "-\(content.digests.schemas)"
        tag = "\(content.cursor)-\(content.digests.values)\(schemas)"
        gzipTag = tag + "-gzip"
    }

    deinit {
        // To free a large one takes long, and its last user may be an event loop.
        if !isShort { Self.freeing.async { [content, encodings] in withExtendedLifetime((content, encodings)) {} } }
    }

    /// Where large states are freed.
    static let freeing = DispatchQueue(label: "livery.states", qos: .utility)

    /// A namespace without entries.
    convenience init(_ namespace: String, at cursor: RevisionCursor, _ recent: ChangeRing = ChangeRing()) {
        self.init(namespace, Content(cursor: cursor, recent: recent))
    }
}

extension NamespaceState {
    /// The epoch, and the last revision that changed the namespace; 0 if none ever did.
    public var cursor: RevisionCursor { content.cursor }
    /// The last revision that changed the namespace.
    public var revision: UInt64 { content.cursor.revision }
    package var digests: Digests { content.digests }
    /// The digest of the entries and the rules.
    package var digest: ConfigDigest { content.digests.values }
    /// The time of the last change of the namespace; 0 without any. After a start, deletes do not count.
    public var updatedAt: Timestamp { content.updatedAt }
    /// The live entries by key, without schemas and rules.
    package var entries: TreeDictionary<String, StoredEntry> { content.values.entries }
    /// The entry of a key; `nil` if it has none.
    public func entry(_ key: String) -> StoredEntry? { content.values.entries[key] }
    /// The values by key: a copy, which takes as long as there are keys.
    public var values: [String: EntryValue] { values(of: .value) }
    /// The size of a snapshot in bytes, without its few first members.
    package var snapshotBytes: Int { content.values.bytes + content.rules.bytes }
    /// The schemas by name, as in `SchemaName`.
    package var schemas: TreeDictionary<String, StoredEntry> { content.schemas.entries }
    /// The size of the schemas as the members of a JSON object, in bytes.
    package var schemaBytes: Int { content.schemas.bytes }
    /// The rules by their keys.
    package var rules: TreeDictionary<String, StoredEntry> { content.rules.entries }
    /// The compiled rules by key, without the shared ones.
    var compiledRules: TreeDictionary<String, CompiledRule> { content.compiledRules.rules }
    /// The compiled rule of a key; `nil` if it has none.
    package func compiledRule(_ key: String) -> CompiledRule? { compiledRules[key] }
    /// The number of entries and rules, and so of flags at most.
    package var maximumFlags: Int { entries.count + compiledRules.count }
    /// The evaluators that the rules share.
    package var evaluators: RuleEvaluators { content.compiledRules.evaluators }
    /// Whether there are neither entries nor schemas nor rules.
    public var isEmpty: Bool { entries.isEmpty && schemas.isEmpty && rules.isEmpty }

    /// The entries of a kind by their names.
    package func entries(_ kind: EntryKind) -> TreeDictionary<String, StoredEntry> { part(kind).entries }

    /// The size of the entries of a kind as the members of a JSON object, in bytes.
    package func bytes(of kind: EntryKind) -> Int { part(kind).bytes }

    private func part(_ kind: EntryKind) -> Part {
        switch kind {
        case .value: content.values
        case .schema: content.schemas
        case .rule: content.rules
        }
    }

    func values(of kind: EntryKind) -> [String: EntryValue] {
        Dictionary(entries(kind).lazy.map { ($0.key, $0.value.value) }) { $1 }
    }

    /// Whether a publish of values can be checked at once: there are no schemas, or they have been compiled.
    var canCheckBriefly: Bool { schemas.isEmpty || content.compiledSchemas.made != nil }

    /// The entry, the schema or the rule that the store keeps under a key.
    package func stored(_ key: String) -> StoredEntry? {
        let (kind, name) = EntryKind.named(key)
        return entries(kind)[name]
    }

    /// The schemas, ready to check values by.
    fileprivate var compiledSchemas: SchemaSet {
        content.compiledSchemas.value {
            schemas.reduce(into: SchemaSet()) { schemas, entry in
                schemas.update(with: entry.value, forKey: EntryKind.schema.key(of: entry.key))
            }
        }
    }

    var recent: ChangeRing { content.recent }

    /// The size of an entry as a member of a JSON object, in bytes: with two quotation marks, a colon and a comma.
    static func byteCount(_ key: String, _ value: EntryValue) -> Int {
        key.utf8.count + 4 + value.canonicalByteCount
    }

    /// The changes from a revision to this state: none for this state's own revision, and `nil` if the revision is higher
    /// or the recent changes do not reach back so far.
    ///
    /// - Parameter revision: a revision of this state's epoch.
    package func changes(after revision: UInt64) -> Changeset? {
        var unchanged = Changeset(from: revision, to: self.revision, digest: digest)
        unchanged.schemaDigest = digests.schemas
        guard revision < self.revision else { return revision == self.revision ? unchanged : nil }
        return recent.since(revision).map { unchanged.joining($0) }
    }

    /// The digests that the namespace had at a revision, as far as the recent changes reach.
    ///
    /// - Parameter revision: a revision of this state's epoch at which the namespace once was.
    package func digests(at revision: UInt64) -> Digests? {
        revision == self.revision ? digests : recent.digests(before: revision)
    }
}

extension NamespaceState.Content {
    /// Sets or removes the entry of a key.
    fileprivate mutating func set(_ entry: StoredEntry?, forKey key: String) {
        let (kind, name) = EntryKind.named(key)
        let old: StoredEntry?
        switch kind {
        case .value: old = values.set(entry, named: name, forKey: key)
        case .schema:
            old = schemas.set(entry, named: name, forKey: key)
            compiledSchemas = Lazy()
        case .rule:
            old = rules.set(entry, named: name, forKey: key)
            compiledRules.update(name, in: rules.entries)
        }
        let digest: WritableKeyPath<NamespaceState.Digests, ConfigDigest> = kind == .schema ? \.schemas : \.values
        let digested = kind == .schema ? name : key
        if let old { digests[keyPath: digest].remove(old.value, forKey: digested) }
        if let entry { digests[keyPath: digest].insert(entry.value, forKey: digested) }
    }

    private func value(ofKey key: String) -> EntryValue? {
        let (kind, name) = EntryKind.named(key)
        return kind == .rule ? rules.entries[name]?.value : values.entries[name]?.value
    }

    /// Makes a revision of changes, which the recent ones then have.
    fileprivate mutating func make(_ changes: [String: StoredEntry?], revision: UInt64, at moment: Timestamp) {
        let before = digests
        var changeset = Changeset(from: cursor.revision, to: revision, digest: before.values)
        for (key, entry) in changes {
            if let name = EntryKind.schema.name(of: key) {
                changeset.schemas.set(entry?.value, of: name)
            } else if entry == nil || entry?.value != value(ofKey: key) {
                changeset.values.set(entry?.value, of: key)
            }
            set(entry, forKey: key)
        }
        (changeset.digest, changeset.schemaDigest) = (digests.values, digests.schemas)
        cursor.revision = revision
        updatedAt = moment
        recent.append(ChangeRing.Change(changeset, after: before, at: moment, epoch: cursor.epoch))
        recent.trim(besides: values.bytes + rules.bytes)
    }
}

extension NamespaceState {
    /// This state, which is empty, with the entries that were read from the store.
    func loaded(with contents: StoreContents.Namespace) -> NamespaceState {
        var next = content
        next.cursor.revision = contents.revision
        for (key, entry) in contents.entries {
            next.set(entry, forKey: key)
            next.updatedAt = max(next.updatedAt, entry.updatedAt)
        }
        return NamespaceState(namespace, next)
    }

    /// The reloaded state, with the difference to this one as one more change.
    func replaced(by contents: StoreContents.Namespace) -> NamespaceState {
        if contents.revision == revision { return self }
        var changes = contents.entries.filter { stored($0.key) != $0.value }.mapValues(Optional.some)
        for kind in EntryKind.allCases {
            for key in entries(kind).keys.map(kind.key) where contents.entries[key] == nil { changes[key] = .some(nil) }
        }
        let newest = contents.entries.values.lazy.map(\.updatedAt).max() ?? updatedAt
        var next = content
        next.make(changes, revision: contents.revision, at: max(updatedAt, newest))
        return NamespaceState(namespace, next)
    }

    /// The state after commits to the namespace, of which each follows the one before it, and the first one this state.
    func applying(_ commits: [Commit]) -> NamespaceState {
        var next = content
        for commit in commits { next.make(commit.changes, revision: commit.revision, at: commit.updatedAt) }
        return NamespaceState(namespace, next)
    }

    /// The state with edits that are not in the store, without recent changes.
    ///
    /// - Parameter revision: the revision that it shows.
    func previewing(_ edits: [String: EntryValue?], at revision: UInt64) -> NamespaceState {
        var next = content
        next.recent = ChangeRing(maximumCount: 0, maximumBytes: 0)
        for (key, value) in PublishCommitter.completed(edits) {
            let old = stored(key)
            if old?.value == value { continue }
            let entry = value.map { value in
                StoredEntry(
                    id: old?.id ?? 0,
                    value: value,
                    revision: revision,
                    createdAt: old?.createdAt ?? next.updatedAt,
                    updatedAt: next.updatedAt
                )
            }
            next.set(entry, forKey: key)
        }
        next.cursor.revision = revision
        return NamespaceState(namespace, next)
    }

    /// The same state with a limit on the size of its recent changes, in bytes.
    func keeping(recentBytes bytes: Int) -> NamespaceState {
        var next = content
        next.recent.trim(to: bytes)
        return NamespaceState(namespace, next, encodings)
    }
}

// MARK: Flags

extension NamespaceState {
    /// Whether a flag may be evaluated otherwise later, for the same context.
    package var readsTime: Bool { !timedRules.isEmpty }

    /// The first second after another one at which a flag may be evaluated otherwise for the same context, in seconds since
    /// 1970; `nil` for none.
    package func nextChange(after second: Int) -> Int? {
        timedRules.lazy.compactMap { $0.nextChange(after: second) }.min()
    }

    /// Whether ``readsTime`` and ``nextChange(after:)`` are known without the compilation of a rule.
    package var knowsTime: Bool {
        encodings.timedRules.made != nil || compiledRules.values.allSatisfy(\.isCompiled)
    }

    /// The rules whose results may change because time passes.
    private var timedRules: [ConfigRule] {
        encodings.timedRules.value {
            compiledRules.values.compactMap(\.flag?.rule).filter { $0.nextChange(after: .min) != nil }
        }
    }

    /// The answers with all flags, by their contexts and further parts. Not for rules that read the time (``readsTime``).
    package var evaluations: RecentAnswers { encodings.evaluations }

    /// Whether a flag can be evaluated at once: its rule, if it has one, has been compiled.
    package func isReadyToEvaluate(_ key: String) -> Bool { compiledRules[key]?.isCompiled ?? true }

    /// A flag, as one of all.
    package struct Flag: Sendable {
        package let key: String
        package let rule: CompiledRule?
        /// The place of the first flag whose rule is written alike, if that is another one or others have the same.
        package fileprivate(set) var group: Int?
    }

    /// All flags, sorted by key. It compiles their rules.
    package var flags: [Flag] {
        encodings.flags.value {
            var flags = Set(entries.keys).union(compiledRules.keys).sorted().map {
                Flag(key: $0, rule: compiledRules[$0])
            }
            var firsts: [ObjectIdentifier: Int] = [:]
            for index in flags.indices {
                guard let identity = flags[index].rule?.flag?.rule.identity else { continue }
                if let first = firsts[identity] {
                    (flags[first].group, flags[index].group) = (first, first)
                } else {
                    firsts[identity] = index
                }
            }
            return flags
        }
    }

    /// The rules that have not been evaluated yet; none once ``readsTime`` is known.
    package var uncompiledRules: [CompiledRule] {
        encodings.timedRules.made == nil ? compiledRules.values.filter { !$0.isCompiled } : []
    }

    /// Whether neither an entry nor a rule has changed since a revision, as far as the recent changes reach.
    package func hasSameFlags(since revision: UInt64) -> Bool {
        recent.since(revision)?.allSatisfy(\.changeset.values.isEmpty) ?? false
    }
}

/// The reads of a state by which publishes are checked before their turn in the store: none of them can fail.
struct StateReads: StoreReads {
    typealias Failure = Never

    let state: NamespaceState

    func floor() -> UInt64 { state.revision }

    func revision(of namespace: String) -> UInt64 { state.revision }

    func entry(_ key: String, in namespace: String) -> StoredEntry? { state.stored(key) }

    func entries(in namespace: String, from beginning: String) -> [String: StoredEntry] {
        var found: [String: StoredEntry] = [:]
        for kind in EntryKind.allCases {
            for (name, entry) in state.entries(kind) {
                let key = kind.key(of: name)
                if key.utf8.starts(with: beginning.utf8) { found[key] = entry }
            }
        }
        return found
    }

    func schemas(in namespace: String) -> SchemaSet { state.compiledSchemas }

    func values(in namespace: String, at revision: UInt64) -> [String: EntryValue?] { [:] }
}
