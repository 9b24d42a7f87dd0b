// SPDX-License-Identifier: Apache-2.0

/// The whole configuration at one moment, immutable.
package struct EntrySnapshot: Hashable, Sendable {
    /// The number of different states before this one in this process; 0 is the empty initial state.
    package internal(set) var revision: UInt64
    /// The entries by key; for those with rules, the value of the rule in the program's context.
    package var entries: ConfigEntries
    /// The entries before rules are evaluated, and the rules by their ``EntryKind``; `nil` without rules.
    private(set) var ruled: ConfigEntries?
    /// The entries of the source alone; `nil` where no defaults are below it.
    private var ownEntries: ConfigEntries?
    /// The defaults of the program, for keys that the source does not have.
    private var defaults = ConfigEntries()
    /// The errors of rules that cannot be evaluated in the program's context, sorted by key; each key has its default value.
    package var ruleProblems: [ConfigError] = []
    /// The position in the history of a server; `nil` without a server.
    package internal(set) var cursor: RevisionCursor?
    /// The digest of the entries, where they came from a server.
    package internal(set) var digest: ConfigDigest?

    /// The state before anything is known.
    package static let empty = EntrySnapshot(revision: 0, entries: [:])

    init(revision: UInt64, entries: ConfigEntries, cursor: RevisionCursor? = nil, digest: ConfigDigest? = nil) {
        (self.revision, self.entries) = (revision, entries)
        (self.cursor, self.digest) = (cursor, digest)
    }

    /// A state of the source before its rules are evaluated.
    private init(
        revision: UInt64,
        held own: ConfigEntries,
        over defaults: ConfigEntries = ConfigEntries(),
        cursor: RevisionCursor? = nil,
        digest: ConfigDigest? = nil
    ) {
        let held = own.covering(defaults)
        self.init(revision: revision, entries: held, cursor: cursor, digest: digest)
        if !defaults.isEmpty { (ownEntries, self.defaults) = (own, defaults) }
        let rules = held.keys.filter { EntryKind.rule.name(of: $0) != nil }
        guard !rules.isEmpty else { return }
        ruled = held
        for key in rules { _ = entries.remove(key) }
    }

    /// The entries of the source and the defaults below it: values before rules are evaluated, and rules by their
    /// ``EntryKind``.
    package var held: ConfigEntries { ruled ?? entries }

    /// The entries of the source, without defaults.
    package var heldBySource: ConfigEntries { ownEntries ?? held }

    /// Whether there are rules.
    package var hasRules: Bool { ruled != nil }

    /// Whether there are defaults below the source's values.
    package var hasDefaults: Bool { ownEntries != nil }
}

extension EntrySnapshot {
    /// The same state over the defaults of the program, which count for keys that the source does not have.
    ///
    /// A value of the source hides the default rule of its key, and an object the defaults of its members' keys.
    package func over(_ document: ConfigDocument, from source: String, at now: Timestamp) -> EntrySnapshot {
        let defaults = EntrySnapshot.empty.updated(with: document, from: source, at: now).snapshot.held
        let number = defaults.isEmpty ? revision : max(revision, 1)
        return EntrySnapshot(revision: number, held: heldBySource, over: defaults, cursor: cursor, digest: digest)
    }

    /// The keys of values, and of rules by their ``EntryKind``, for which another default counts than in a former state, or
    /// one no longer or again.
    package func movedDefaults(since former: EntrySnapshot) -> [String] {
        defaults.keys.filter { held[$0]?.value != former.held[$0]?.value }
    }
}

extension ConfigEntries {
    /// The entries with others below them: those of keys that are not here, and are no parts of objects that are. A value
    /// hides the rule of its key as well.
    package func covering(_ others: ConfigEntries) -> ConfigEntries {
        if others.isEmpty { return self }
        if isEmpty { return others }
        let hasObjects = contains { entry in
            guard case .object = entry.value.value else { return false }
            return EntryKind(of: entry.key) == .value
        }
        let below = others.filter { key, _ in
            let (kind, name) = EntryKind.named(key)
            if self[key] != nil || kind != .value && self[name] != nil { return false }
            return !hasObjects || !hasObject(above: name)
        }
        var covered = self
        covered.replace(below.map { (key: $0.key, entry: Optional($0.value)) })
        return covered
    }

    private func hasObject(above key: String) -> Bool {
        key.utf8.indices.contains { index in
            guard key.utf8[index] == UInt8(ascii: "."), case .object? = self[String(key[..<index])]?.value else {
                return false
            }
            return true
        }
    }
}

extension EntrySnapshot {
    /// A state and its difference from the one before: keys of values, and of rules by their ``EntryKind``.
    ///
    /// An entry with a new rule, or with a new value and a rule, has the default value until its rule is evaluated.
    package typealias Update = (snapshot: EntrySnapshot, changedKeys: [String])

    /// The state that follows this one when a source's document is read, and changed entries count from now.
    ///
    /// - Returns: the new state, and the keys whose value was added, changed or removed, sorted. Without such
    ///   keys the revision stays as it is.
    package func updated(with document: ConfigDocument, from source: String, at now: Timestamp) -> Update {
        var held = document.entries
        for (name, rule) in document.rules { held.update(rule, forKey: EntryKind.rule.key(of: name)) }
        return replaced(by: held) {
            ConfigEntry(value: $0.value, source: source, location: $0.location, changedAt: now)
        }
    }

    /// The next state for entries that were read from separate sources: changed entries are dated now, and entries that are
    /// read for the first time keep their own dates.
    ///
    /// - Returns: the new state, and the keys whose value was added, changed or removed, sorted.
    package func updated(with entries: ConfigEntries, at now: Timestamp) -> Update {
        let isFirst = revision == 0
        return replaced(by: entries.joined) {
            var entry = $0
            entry.changedAt = isFirst ? min(entry.changedAt, now) : now
            return entry
        }
    }

    /// The state that follows this one when the whole state of a server is read.
    ///
    /// - Returns: the new state with the server's cursor and digest, and the keys that changed, sorted.
    /// - Throws: `damaged` if the entries do not have the digest that the server announced.
    package func updated(
        with state: ServerSnapshot,
        from source: String,
        at now: Timestamp
    ) throws(ConfigError) -> Update {
        guard ConfigDigest(state.entries.lazy.map { ($0.key, $0.value) }) == state.digest else {
            let message = "digest mismatch: the values do not match the server's digest \(state.digest)"
            throw ConfigError(.damaged, message, source: source)
        }
        var update = replaced(by: state.entries) { ConfigEntry(value: $0, source: source, changedAt: now) }
        (update.snapshot.cursor, update.snapshot.digest) = (state.cursor, state.digest)
        return update
    }

    /// The state that follows this one after a server's change. Without defaults, the cost depends on the change alone;
    /// with defaults, the whole state is built again.
    ///
    /// - Returns: the new state, and the keys that changed, sorted; `nil` if the change does not apply to this state, or if the
    ///   result does not have the digest that the server announced: then the whole state must be fetched.
    package func updated(
        with changes: Changeset,
        epoch: Epoch,
        from source: String,
        at now: Timestamp
    ) -> Update? {
        guard cursor == RevisionCursor(epoch: epoch, revision: changes.from), var digest else { return nil }
        var next = self
        let own = heldBySource
        var changedKeys: [String] = []
        for key in changes.values.deletes {
            guard let known = next.hold(nil, forKey: key) else { continue }
            digest.remove(known.value, forKey: key)
            changedKeys.append(key)
        }
        for (key, value) in changes.values.upserts {
            if own[key]?.value == value { continue }
            let known = next.hold(ConfigEntry(value: value, source: source, changedAt: now), forKey: key)
            if let known { digest.remove(known.value, forKey: key) }
            digest.insert(value, forKey: key)
            changedKeys.append(key)
        }
        guard digest == changes.digest else { return nil }
        if defaults.isEmpty {
            next.settleRules(after: changedKeys)
        } else if !changedKeys.isEmpty {
            next = EntrySnapshot(revision: revision, held: next.heldBySource, over: defaults)
            next.keepEvaluated(from: self, but: changedKeys)
        }
        (next.cursor, next.digest) = (RevisionCursor(epoch: epoch, revision: changes.to), digest)
        if !changedKeys.isEmpty { next.revision += 1 }
        return (next, changedKeys.sorted())
    }

    /// Replaces the source's value of a key.
    ///
    /// - Returns: the previous value.
    private mutating func hold(_ entry: ConfigEntry?, forKey key: String) -> ConfigEntry? {
        if ownEntries != nil {
            let known = ownEntries?[key]
            ownEntries?[key] = entry
            return known
        }
        if ruled == nil {
            if EntryKind(of: key) == .value {
                let known = entries[key]
                entries[key] = entry
                return known
            }
            ruled = entries
        }
        let known = ruled?[key]
        ruled?[key] = entry
        if EntryKind(of: key) == .value { entries[key] = entry }
        return known
    }

    /// Without rules, the values are those of the source.
    private mutating func settleRules(after changedKeys: [String]) {
        guard let held = ruled, changedKeys.contains(where: { held[$0] == nil && EntryKind(of: $0) == .rule }) else {
            return
        }
        guard !held.keys.contains(where: { EntryKind(of: $0) == .rule }) else { return }
        (entries, ruled, ruleProblems) = (held, nil, [])
    }

    private func replaced<Read>(by read: KeyedValues<Read>, _ entry: (Read) -> ConfigEntry) -> Update {
        let own = heldBySource
        var search = ConfigEntries.Search(own)
        var (next, changedKeys, knownCount, movedCount): ([ConfigEntry], [String], Int, Int) = ([], [], 0, 0)
        next.reserveCapacity(read.count)
        for (index, key) in read.keys.enumerated() {
            var entry = entry(read.values[index])
            let known = search.entry(of: key)
            if known != nil { knownCount += 1 }
            if let known, known.value == entry.value {
                entry.changedAt = known.changedAt
            } else {
                changedKeys.append(key)
            }
            if known?.location != entry.location || known?.source != entry.source { movedCount += 1 }
            next.append(entry)
        }
        if knownCount < own.count {
            for key in own.keys where read.index(of: key) == nil { changedKeys.append(key) }
        }
        // Nothing changed: the current storage is kept, and nothing has to be freed.
        if changedKeys.isEmpty, movedCount == 0 { return (self, []) }
        let number = changedKeys.isEmpty ? revision : revision + 1
        var snapshot = EntrySnapshot(
            revision: number,
            held: ConfigEntries(read.replacing(with: next)),
            over: defaults
        )
        snapshot.keepEvaluated(from: self, but: changedKeys)
        return (snapshot, changedKeys.sorted())
    }
}

extension EntrySnapshot {
    /// Keeps the results of rules whose value and rule are unchanged.
    private mutating func keepEvaluated(from former: EntrySnapshot, but changedKeys: [String]) {
        guard let ruled, former.hasRules else { return }
        let changed = Set(changedKeys.map { EntryKind.named($0).name })
        for key in ruled.keys {
            guard let name = EntryKind.rule.name(of: key), !changed.contains(name) else { continue }
            entries[name] = former.entries[name]
        }
        ruleProblems = former.ruleProblems.filter { problem in problem.key.map { !changed.contains($0) } ?? false }
    }

    /// The keys that have rules, of the source or of the defaults.
    package var ruledKeys: [String] {
        (ruled?.keys ?? ConfigEntries().keys).compactMap { EntryKind.rule.name(of: $0) }
            .filter { $0 != EntryKind.sharedRules }
    }

    /// The same state as the one of another number in this process.
    package func numbered(_ revision: UInt64) -> EntrySnapshot {
        var snapshot = self
        snapshot.revision = revision
        return snapshot
    }

    /// A state that was kept from an earlier run of a program; it counts as the first of this process.
    package init(kept entries: ConfigEntries, cursor: RevisionCursor? = nil, digest: ConfigDigest? = nil) {
        self.init(revision: entries.isEmpty ? 0 : 1, held: entries, cursor: cursor, digest: digest)
    }
}
