// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
internal import ConfigSchemas

/// A transaction of a database whose driver is asynchronous: the reads and the write of a ``StoreTransaction``, each awaited.
///
/// Reads see the transaction's own writes.
public protocol AsyncStoreTransaction {
    /// The error of the database; `Never` where nothing can fail.
    associatedtype Failure: Error

    /// The lowest revision whose state the history still has.
    func floor() async throws(Failure) -> UInt64

    /// The last revision that changed a namespace; 0 if none has.
    func revision(of namespace: String) async throws(Failure) -> UInt64

    /// The live entries of keys, as far as they have any.
    func entries(_ keys: [String], in namespace: String) async throws(Failure) -> [String: StoredEntry]

    /// The live entries whose keys begin with a text; all entries if it is empty.
    func entries(in namespace: String, from beginning: String) async throws(Failure) -> [String: StoredEntry]

    /// The values at a revision of the keys that later revisions have changed; `nil` for a key that had none.
    ///
    /// - Parameters:
    ///   - namespace: whose values.
    ///   - revision: from the ``floor()`` to the head.
    func values(in namespace: String, at revision: UInt64) async throws(Failure) -> [String: EntryValue?]

    /// Writes a revision: its entries, its history and its record.
    ///
    /// - Returns: the new entries by key, with the ids that the store gave them, and `nil` for the removed ones.
    mutating func write(_ revision: NewRevision) async throws(Failure) -> [String: StoredEntry?]
}

extension PublishCommitter {
    /// Decides publishes in their order, each after the ones before it, and has the transaction write their revisions.
    ///
    /// All that a publish needs is read in one or two rounds, and in three if it sets schemas or rules.
    public mutating func commit<Transaction: AsyncStoreTransaction>(
        _ publishes: [Publish],
        in transaction: inout Transaction
    ) async throws(Transaction.Failure) -> [PublishOutcome] {
        var outcomes: [PublishOutcome] = []
        var reads = LoadedReads()
        for publish in publishes {
            var decision = decide(publish, in: reads)
            while !reads.missing.isEmpty {
                try await reads.loadMissing(from: transaction)
                decision = decide(publish, in: reads)
            }
            switch decision {
            case .answer(let outcome): outcomes.append(outcome)
            case .write(let revision):
                let entries = try await transaction.write(revision)
                reads.update(with: revision, entries)
                outcomes.append(written(revision, entries))
            }
        }
        return outcomes
    }
}

/// The reads for the publishes of a batch.
///
/// A read of anything else is noted, and finds nothing for now: the decision is made again once everything noted has been
/// read, all of it at once.
private struct LoadedReads {
    enum Read: Hashable {
        case floor
        case revision(of: String)
        case entry(EntryPlace)
        case entries(from: EntryPlace)
        case schemas(of: String)
        case values(of: String, at: UInt64)
    }

    /// The reads that have found nothing yet.
    private final class Notes {
        var missing: Set<Read> = []
    }

    private let notes = Notes()
    private var knownFloor: UInt64?
    private var known = BatchMemory()
    /// The entries by what their keys begin with.
    private var beginnings: [EntryPlace: [String: StoredEntry]] = [:]
    /// The former values by namespace and revision.
    private var former: [String: [UInt64: [String: EntryValue?]]] = [:]

    var missing: Set<Read> { notes.missing }

    mutating func loadMissing<Source: AsyncStoreTransaction>(from source: Source) async throws(Source.Failure) {
        var keys: [String: [String]] = [:]
        for read in notes.missing {
            switch read {
            case .floor: knownFloor = try await source.floor()
            case .revision(let namespace): known.set(try await source.revision(of: namespace), of: namespace)
            case .entry(let place): keys[place.namespace, default: []].append(place.key)
            case .entries(let place): beginnings[place] = try await source.entries(in: place.namespace, from: place.key)
            case .schemas(let namespace):
                let found = try await source.entries(in: namespace, from: EntryKind.schema.prefix)
                known.set(SchemaSet(entries: found), of: namespace)
            case .values(let namespace, let revision):
                former[namespace, default: [:]][revision] = try await source.values(in: namespace, at: revision)
            }
        }
        for (namespace, keys) in keys {
            let found = try await source.entries(keys.sorted(), in: namespace)
            for key in keys { known.set(found[key], at: EntryPlace(namespace: namespace, key: key)) }
        }
        notes.missing = []
    }

    /// Updates the memory with a written revision.
    mutating func update(with revision: NewRevision, _ written: [String: StoredEntry?]) {
        known.set(revision.revision, of: revision.namespace)
        for (key, entry) in written { known.write(entry, at: EntryPlace(namespace: revision.namespace, key: key)) }
        (beginnings, former) = ([:], [:])
    }
}

extension LoadedReads: StoreReads {
    private func found<Value>(_ value: Value?, _ read: Read, or nothing: Value) -> Value {
        if value == nil { notes.missing.insert(read) }
        return value ?? nothing
    }

    /// Until it is known, no revision is in the history: former values must not be read below it.
    func floor() -> UInt64 { found(knownFloor, .floor, or: .max) }

    func revision(of namespace: String) -> UInt64 { found(known.revisions[namespace], .revision(of: namespace), or: 0) }

    func entry(_ key: String, in namespace: String) -> StoredEntry? {
        let place = EntryPlace(namespace: namespace, key: key)
        return found(known.entries[place], .entry(place), or: nil)
    }

    func entries(in namespace: String, from beginning: String) -> [String: StoredEntry] {
        let place = EntryPlace(namespace: namespace, key: beginning)
        return found(beginnings[place], .entries(from: place), or: [:])
    }

    func schemas(in namespace: String) -> SchemaSet {
        found(known.schemas[namespace], .schemas(of: namespace), or: SchemaSet())
    }

    func values(in namespace: String, at revision: UInt64) -> [String: EntryValue?] {
        found(former[namespace]?[revision], .values(of: namespace, at: revision), or: [:])
    }
}
