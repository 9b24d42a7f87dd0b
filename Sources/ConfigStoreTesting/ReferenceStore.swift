// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
internal import ConfigRules
internal import ConfigSchemas
public import ConfigStore
internal import Synchronization

/// A store that keeps everything in memory, in the simplest correct way: the reference for other stores, and a store for tests.
/// It shares no code with them, not even `PublishCommitter`.
public final class ReferenceStore: EntryStore {
    private let book: Mutex<Book>

    /// Creates an empty store.
    ///
    /// - Parameter now: the clock, in whole milliseconds since 1970.
    public convenience init(now: @escaping @Sendable () -> Timestamp = { .ofClock() }) {
        self.init(epoch: .random(), now: now)
    }

    package init(epoch: Epoch, now: @escaping @Sendable () -> Timestamp = { .ofClock() }) {
        book = Mutex(Book(epoch: epoch, now: now))
    }

    /// The live entries.
    public func load() async throws(StoreError) -> StoreContents {
        book.withLock { $0.contents }
    }

    /// Commits at once.
    public func commit(_ publishes: [Publish]) async throws(StoreError) -> [PublishOutcome] {
        book.withLock { book in publishes.map { book.commit($0) } }
    }

    /// The whole history, filtered.
    public func history(
        _ query: HistoryQuery,
        charging charge: ReadCharge
    ) async throws(StoreError) -> [HistoryRecord] {
        let records = book.withLock { book in
            let found = book.records.lazy.reversed().filter { item in
                item.namespace == query.namespace && (query.key == nil || item.record.key == query.key)
                    && item.record.revision < query.before ?? .max
            }
            return Array(found.prefix(query.limit).map(\.record))
        }
        for record in records { try charge.row(record.value?.canonicalByteCount ?? 0) }
        return records
    }

    /// The values of the replayed history.
    public func values(
        in namespace: String,
        at revision: UInt64,
        charging charge: ReadCharge
    ) async throws(StoreError) -> [String: EntryValue?]? {
        let values = book.withLock { $0.values(of: namespace, at: revision) }
        for value in values?.values ?? [:].values { try charge.row(value?.canonicalByteCount ?? 0) }
        return values
    }

    /// There is nothing to close.
    public func close() {}

    /// Never any.
    public func problem() async -> StoreError? { nil }
}

/// The data of the store.
private struct Book: Sendable {
    let now: @Sendable () -> Timestamp
    var contents: StoreContents
    /// By revision, and by key within one.
    var records: [(namespace: String, record: HistoryRecord)] = []
    var nextID: Int64 = 1

    init(epoch: Epoch, now: @escaping @Sendable () -> Timestamp) {
        self.now = now
        contents = StoreContents(
            head: RevisionCursor(epoch: epoch, revision: 0),
            updatedAt: Timestamp(milliseconds: 0),
            namespaces: [:]
        )
    }

    func values(of namespace: String, at revision: UInt64) -> [String: EntryValue?]? {
        guard revision <= contents.head.revision else { return nil }
        let records = records.lazy.filter { $0.namespace == namespace }.map(\.record)
        let later = Set(records.filter { $0.revision > revision }.map(\.key))
        var values = Dictionary(uniqueKeysWithValues: later.map { ($0, EntryValue?.none) })
        for record in records where record.revision <= revision && later.contains(record.key) {
            values[record.key] = .some(record.value)
        }
        return values
    }

    mutating func commit(_ publish: Publish) -> PublishOutcome {
        let namespace = contents.namespaces[publish.namespace] ?? .init(revision: 0, entries: [:])
        if let failed = publish.conditions.first(where: { !$0.holds(in: namespace) }) {
            return .conditionFailed(failed)
        }
        let other = contents.namespaces[publish.companion?.namespace ?? ""] ?? .init(revision: 0, entries: [:])
        if let failed = publish.companion?.conditions.first(where: { !$0.holds(in: other) }) {
            return .conditionFailed(failed)
        }
        if let gate = publish.gate {
            let policy = contents.namespaces[gate.namespace]?.entries["policy"]
            if policy?.revision != gate.policyRevision { return .outdated }
        }
        let outcome = make(publish, in: namespace)
        guard let companion = publish.companion, let revision = outcome.revision else { return outcome }
        var edits = companion.edits
        if let made = outcome.commits.first?.revision, let key = companion.stampedKey,
            case .object(var members)?? = edits[key]
        {
            members.setMember("revision", to: .integer(Int(made)))
            edits[key] = .some(.object(members))
        }
        let changes = edits.filter { other.entries[$0.key]?.value != $0.value }
        var second = publish
        second.namespace = companion.namespace
        return .joined(at: revision, outcome.commits + (changes.isEmpty ? [] : [make(changes, second, other)]))
    }

    private mutating func make(_ publish: Publish, in namespace: StoreContents.Namespace) -> PublishOutcome {
        let wanted: [String: EntryValue?]
        switch publish.change {
        case .edit(let edits): wanted = Self.withRules(edits)
        case .rollback(let revision):
            guard let values = values(of: publish.namespace, at: revision) else { return .unknownRevision(revision) }
            wanted = values
        }
        let changes = wanted.filter { namespace.entries[$0.key]?.value != $0.value }
        let gated = changes.keys.filter { publish.gate?.policy?.protects($0) ?? false }
        if !gated.isEmpty { return .reviewRequired(Array(gated.sorted().prefix(100))) }
        var next = namespace.entries.mapValues(\.value)
        for (key, value) in changes { next[key] = value }
        let faults = Self.ruleFaults(in: next)
        let violations = faults.isEmpty ? Self.violations(in: next) : faults
        if !violations.isEmpty { return .invalid(violations) }
        if !changes.isEmpty { return .committed(make(changes, publish, namespace)) }
        var edited: [String: EntryValue?] = [:]
        if case .edit(let edits) = publish.change { edited = edits }
        let entries = namespace.entries.filter { edited.keys.contains($0.key) }
        return .unchanged(at: namespace.revision, entries: entries)
    }

    /// Edits with their effect on rules: a rule is removed with its key, and a new one gets a `bucketing` member.
    private static func withRules(_ edits: [String: EntryValue?]) -> [String: EntryValue?] {
        var all = edits
        for (key, value) in edits {
            if value == nil, !key.contains(":"), !edits.keys.contains("rule:" + key) { all["rule:" + key] = .some(nil) }
            guard key.hasPrefix("rule:"), key != "rule:$evaluators", case .object(let members)?? = edits[key],
                members["bucketing"] == nil
            else { continue }
            all[key] = .object(EntryObject(Array(members) + [("bucketing", "flagd-3")]))
        }
        return all
    }

    /// The errors in the rules of a whole namespace.
    private static func ruleFaults(in entries: [String: EntryValue]) -> [ViolationMessage] {
        var evaluators = RuleEvaluators.none
        do throws(RuleError) {
            if let shared = entries["rule:$evaluators"] { evaluators = try RuleEvaluators(shared) }
        } catch {
            return error.faults.map { ViolationMessage(rule: "$evaluators", pointer: $0.pointer, message: $0.message) }
        }
        var found: [ViolationMessage] = []
        for (key, value) in entries.sorted(by: { $0.key < $1.key }) {
            guard key.hasPrefix("rule:"), key != "rule:$evaluators" else { continue }
            do throws(RuleError) {
                _ = try ConfigRule(value, evaluators: evaluators)
            } catch {
                let name = String(key.dropFirst(5))
                found += error.faults.map { ViolationMessage(rule: name, pointer: $0.pointer, message: $0.message) }
            }
        }
        return Array(found.prefix(100))
    }

    /// The schema violations of a whole namespace: since all earlier values were checked here, these are the violations of the
    /// publish.
    private static func violations(in entries: [String: EntryValue]) -> [ViolationMessage] {
        var (schemas, faults): ([String: ConfigSchema], [ViolationMessage]) = ([:], [])
        for (key, value) in entries.sorted(by: { $0.key < $1.key }) {
            guard let name = EntryKind.schema.name(of: key) else { continue }
            do throws(SchemaError) {
                schemas[name] = try ConfigSchema(value)
            } catch {
                faults += error.faults.map { ViolationMessage(schema: name, pointer: $0.pointer, message: $0.message) }
            }
        }
        guard faults.isEmpty else { return faults }
        // Schemas that are wrong by themselves were reported above.
        if let set = try? SchemaSet(schemas.mapValues(\.value)), set.patternSteps > SchemaSet.maximumPatternSteps {
            return [ViolationMessage(schema: schemas.keys.max() ?? "", pointer: "", message: "too many steps")]
        }
        var found: [ViolationMessage] = []
        for (key, value) in entries.sorted(by: { $0.key < $1.key }) where !key.contains(":") {
            guard let (name, schema) = schema(of: key, in: schemas) else { continue }
            found += schema.violations(of: value, forKey: key, name: name).map(\.message)
        }
        for (key, rule) in entries.sorted(by: { $0.key < $1.key }) where key.hasPrefix("rule:") {
            let key = String(key.dropFirst(5))
            guard let (name, schema) = schema(of: key, in: schemas), case .object(let members) = rule,
                case .object(let variants)? = members["variants"]
            else { continue }
            for (variant, value) in variants {
                found += schema.violations(of: value, forKey: key, name: name).map { violation in
                    var message = violation.message
                    (message.key, message.rule) = (nil, key)
                    message.pointer = "/variants/\(variant)" + message.pointer
                    return message
                }
            }
        }
        return Array(found.prefix(ConfigSchema.maximumViolations))
    }

    /// A key's own schema before that of a beginning, of which the longest counts.
    private static func schema(
        of key: String,
        in schemas: [String: ConfigSchema]
    ) -> (name: String, schema: ConfigSchema)? {
        let found = schemas.filter { SchemaName.covers($0.key, key: key) }
        return found.max { ($0.key == key ? 1 : 0, $0.key.utf8.count) < ($1.key == key ? 1 : 0, $1.key.utf8.count) }
            .map { ($0.key, $0.value) }
    }

    private mutating func make(
        _ changes: [String: EntryValue?],
        _ publish: Publish,
        _ old: StoreContents.Namespace
    ) -> Commit {
        let revision = contents.head.revision + 1
        let moment = Timestamp(milliseconds: max(now().milliseconds, contents.updatedAt.milliseconds + 1))
        var commit = Commit(
            revision: revision,
            updatedAt: moment,
            namespace: publish.namespace,
            previous: old.revision,
            changes: [:]
        )
        var new = old
        new.revision = revision
        for (key, value) in changes.sorted(by: { $0.key < $1.key }) {
            let present = old.entries[key]
            let entry = value.map { value in
                StoredEntry(
                    id: present?.id ?? nextID,
                    value: value,
                    revision: revision,
                    createdAt: present?.createdAt ?? moment,
                    updatedAt: moment
                )
            }
            if entry?.id == nextID { nextID += 1 }
            new.entries[key] = entry
            commit.changes[key] = .some(entry)
            let record = HistoryRecord(
                revision: revision,
                key: key,
                value: value,
                author: publish.author,
                message: publish.message,
                updatedAt: moment
            )
            records.append((publish.namespace, record))
        }
        (contents.head.revision, contents.updatedAt) = (revision, moment)
        contents.namespaces[publish.namespace] = new
        return commit
    }
}

extension Publish.Condition {
    fileprivate func holds(in namespace: StoreContents.Namespace) -> Bool {
        switch self {
        case .head(let revision): namespace.revision == revision
        case .absent(let key): namespace.entries[key] == nil
        case .present(let key): namespace.entries[key] != nil
        case .entry(let key, let revisions): namespace.entries[key].map { revisions.contains($0.revision) } ?? false
        }
    }
}
