// SPDX-License-Identifier: Apache-2.0

package import ConfigModel

/// The history that was really published, against which clients are checked.
///
/// It receives the server's acknowledgements and computes every state from scratch, sharing only the vocabulary with the
/// client.
package struct PublishedHistory: Sendable {
    /// The change of a revision.
    private enum Change {
        case edit([String: EntryValue?])
        case rollback(to: UInt64)
    }

    /// The epoch of all revisions.
    package let epoch: Epoch
    private var changes: [UInt64: Change] = [:]

    package init(epoch: Epoch) {
        self.epoch = epoch
    }

    /// Notes a revision that the server acknowledged, with the values that it gave to keys or took away.
    package mutating func note(revision: UInt64, changes: [String: EntryValue?]) {
        self.changes[revision] = .edit(changes)
    }

    /// Notes a revision that the server acknowledged, which made everything as it was at an older one.
    package mutating func note(revision: UInt64, rollbackTo older: UInt64) {
        changes[revision] = .rollback(to: older)
    }

    /// The number of known revisions.
    package var count: Int { changes.count }

    /// The revisions in their order.
    package var revisions: [UInt64] { changes.keys.sorted() }

    /// The keys that a revision set or removed, if that is known and it was not a rollback.
    package func edit(at revision: UInt64) -> [String: EntryValue?]? {
        if case .edit(let changes) = changes[revision] { changes } else { nil }
    }

    /// The last state.
    package var entries: [String: EntryValue] {
        var last: [String: EntryValue] = [:]
        replay { _, entries, _ in last = entries }
        return last
    }

    /// Visits the states in their order, from the empty one before the first revision on.
    package func replay(
        _ visit: (_ revision: UInt64, _ entries: [String: EntryValue], _ changedKeys: Set<String>) -> Void
    ) {
        var kept = keptStates
        var entries: [String: EntryValue] = [:]
        visit(0, entries, [])
        for revision in revisions {
            let before = entries
            var changed: Set<String> = []
            switch changes[revision] {
            case .edit(let edit):
                for (key, value) in edit where entries[key] != value {
                    entries[key] = value
                    changed.insert(key)
                }
            case .rollback(let older):
                entries = kept[older].flatMap(\.self) ?? [:]
                changed = Set(entries.keys).union(before.keys).filter { entries[$0] != before[$0] }
            case nil: break
            }
            if kept.keys.contains(revision) { kept[revision] = .some(entries) }
            visit(revision, entries, changed)
        }
    }

    /// A place for each state that a rollback comes back to.
    private var keptStates: [UInt64: [String: EntryValue]?] {
        var kept: [UInt64: [String: EntryValue]?] = [:]
        for case .rollback(let older) in changes.values { kept[older] = .some(nil) }
        return kept
    }
}

/// A number that identifies the entries of a state within this process, updated as they change.
///
/// It is deliberately not a ``ConfigDigest``: the client under test computes those, and its errors must be visible.
package struct StateFingerprint: Hashable, Sendable {
    private var sum = 0

    /// The fingerprint of no entries.
    package init() {}

    /// The fingerprint of these entries.
    package init(_ entries: some Sequence<(key: String, value: EntryValue)>) {
        for (key, value) in entries { insert(value, forKey: key) }
    }

    mutating func insert(_ value: EntryValue, forKey key: String) {
        sum &+= Self.summand(key, value)
    }

    mutating func remove(_ value: EntryValue, forKey key: String) {
        sum &-= Self.summand(key, value)
    }

    private static func summand(_ key: String, _ value: EntryValue) -> Int {
        var hasher = Hasher()
        hasher.combine(key)
        hasher.combine(value)
        return hasher.finalize()
    }
}
