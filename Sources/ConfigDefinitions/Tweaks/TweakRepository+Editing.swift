// SPDX-License-Identifier: Apache-2.0

public import ConfigModel

extension TweakRepository {
    /// Whether there is an edit to undo.
    public var canUndo: Bool {
        access()
        return withHistory { !$0.edits.isEmpty }
    }

    /// Whether there is an edit that was taken back, and nothing was edited since.
    public var canRedo: Bool {
        access()
        return withHistory { !$0.undone.isEmpty }
    }

    /// Undoes the last edit, of one tweak or of all by a reset.
    ///
    /// - Returns: whether there was one.
    /// - Throws: why the overrides cannot be kept; the edit can be undone later then.
    @discardableResult
    public func undo() throws(ConfigError) -> Bool { try step(from: \.edits, to: \.undone) }

    /// Makes the edit again that was taken back last.
    ///
    /// - Returns: whether there was one. There is none after another edit.
    /// - Throws: why the overrides cannot be kept; the edit can be made again later then.
    @discardableResult
    public func redo() throws(ConfigError) -> Bool { try step(from: \.undone, to: \.edits) }

    /// The value that ``undo()`` would overwrite although another program has set it since; `nil` if there is none.
    package var undoConflict: TweakConflict? { conflict(in: \.edits) }

    /// The value that ``redo()`` would overwrite although another program has set it since; `nil` if there is none.
    package var redoConflict: TweakConflict? { conflict(in: \.undone) }

    private func conflict(in list: TweakHistory.List) -> TweakConflict? {
        guard let edit = withHistory({ $0[keyPath: list].last }) else { return nil }
        for (id, target) in edit.before.sorted(by: { $0.key < $1.key }) {
            guard let tweak = knownTweak(id.string), let left = edit.after[id] else { continue }
            let current = storedOverride(at: tweak.address)
            if current != left, current != target {
                return TweakConflict(id: id.string, current: current, target: target)
            }
        }
        return nil
    }

    private func step(from list: TweakHistory.List, to other: TweakHistory.List) throws(ConfigError) -> Bool {
        guard let edit = withHistory({ $0[keyPath: list].popLast() }) else { return false }
        var reverse = edit
        for id in edit.before.keys {
            if let tweak = knownTweak(id.string) { reverse.before[id] = .some(storedOverride(at: tweak.address)) }
        }
        reverse.after = edit.before
        // Remembered first, as in an edit.
        withHistory { [reverse] in $0[keyPath: other].append(reverse) }
        do throws(ConfigError) {
            try store(edit.before)
        } catch {
            withHistory { history in
                history[keyPath: other].removeAll { $0.number == edit.number }
                history[keyPath: list].append(edit)
            }
            throw error
        }
        return true
    }

    /// Removes the overrides of all tweaks.
    public func resetAll() throws(ConfigError) { try reset { _ in true } }

    /// Removes the overrides of the tweaks of a category.
    public func reset(category: String) throws(ConfigError) { try reset { $0.category == category } }

    /// Removes the override of a tweak.
    public func reset<Value>(_ definition: TweakDefinition<Value>) throws(ConfigError) {
        try reset { $0.id == definition.id }
    }

    private func reset(where isMeant: (Tweak) -> Bool) throws(ConfigError) {
        let meant = rows.compactMap(\.tweak).filter(isMeant)
        try edit(Dictionary(meant.map { (ExactString($0.id), nil) }) { first, _ in first })
    }

    /// Sets or removes overrides of known tweaks, and records the earlier ones.
    ///
    /// No lock is held while the overrides are stored, which calls listeners.
    func edit(_ overrides: [ExactString: EntryValue?], isContinuing: Bool = false) throws(ConfigError) {
        var before: [ExactString: EntryValue?] = [:]
        for (id, value) in overrides {
            guard let tweak = knownTweak(id.string) else { continue }
            let stored = storedOverride(at: tweak.address)
            if stored != value { before[id] = .some(stored) }
        }
        if before.isEmpty { return }
        // Recorded first: a listener may edit as well, and later edits must be undone first.
        let (mark, undone) = withHistory { [before] history in
            let undone = history.undone
            let after = overrides.filter { before[$0.key] != nil }
            return (history.record(before, after, isContinuing: isContinuing), undone)
        }
        do throws(ConfigError) {
            try store(overrides.filter { before[$0.key] != nil })
        } catch {
            withHistory { history in
                history.edits.removeAll { $0.number == mark }
                // Nothing was edited, so undone edits can still be redone.
                if history.undone.isEmpty { history.undone = undone }
            }
            throw error
        }
        withHistory { $0.forgetOldest() }
    }

    private func store(_ overrides: [ExactString: EntryValue?]) throws(ConfigError) {
        var persistent: [ExactString: EntryValue?] = [:]
        var volatile: [ExactString: EntryValue?] = [:]
        for (id, value) in overrides {
            guard let address = knownTweak(id.string)?.address else { continue }
            if address.namespace == nil {
                volatile[ExactString(address.key)] = .some(value)
            } else {
                persistent[ExactString(address.key)] = .some(value)
            }
        }
        if !persistent.isEmpty { try persistentStore.apply(persistent) }
        if !volatile.isEmpty { try memoryStore.apply(volatile) }
        noteStored()
    }
}

/// An override that another program has set after the edit that would be undone or redone.
package struct TweakConflict: Hashable, Sendable {
    /// The tweak.
    package let id: String
    /// The override now; `nil` for none.
    package let current: EntryValue?
    /// The override that would replace it; `nil` for none.
    package let target: EntryValue?
}

/// The edits that can be undone and redone.
struct TweakHistory: Sendable {
    /// A list of edits, newest last.
    typealias List = any WritableKeyPath<TweakHistory, [Edit]> & Sendable

    /// The changes of one edit.
    struct Edit: Sendable {
        var number: Int
        /// The overrides to go back to, by tweak; `nil` for none.
        var before: [ExactString: EntryValue?]
        /// The overrides that it has left, by tweak.
        var after: [ExactString: EntryValue?]
    }

    /// The maximum number of recorded edits.
    static let limit = 1000

    var edits: [Edit] = []
    /// The edits that were undone, until the next edit.
    var undone: [Edit] = []
    private var count = 0

    /// Remembers an edit.
    /// - Parameter isContinuing: whether it continues the last edit, if that was of the same tweaks.
    /// - Returns: the edit's number; `nil` if nothing new had to be remembered.
    mutating func record(
        _ before: [ExactString: EntryValue?],
        _ after: [ExactString: EntryValue?],
        isContinuing: Bool
    ) -> Int? {
        defer { undone = [] }
        // Undoing leads back to the state before the first of the continued edits.
        if isContinuing, undone.isEmpty, let last = edits.last, Set(last.before.keys) == Set(before.keys) {
            edits[edits.count - 1].after = after
            return nil
        }
        count += 1
        edits.append(Edit(number: count, before: before, after: after))
        return count
    }

    /// Forgets the edits beyond the limit. Once the newest is stored: one that cannot be kept takes no other's place.
    mutating func forgetOldest() {
        if edits.count > Self.limit { edits.removeFirst(edits.count - Self.limit) }
    }
}
