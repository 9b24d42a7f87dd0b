// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel

/// The state of the source, while the program shows another one.
///
/// States are compared whole: a rule that gives the same value in the current context may give another one in the next.
struct StagedChanges {
    /// All of what the source has.
    let snapshot: EntrySnapshot
    /// Where the values come from.
    let origin: ValueOrigin
    /// The keys whose values, as rules give them in the current context, differ from the shown values.
    private(set) var keys: Set<String> = []
    /// The keys of values and of rules, by their `EntryKind`, that differ from the shown state.
    private(set) var heldKeys: Set<String> = []

    /// The layers that the values are from, if there are any.
    var layers: [LayerValues] = []

    /// Whether the source has what is shown.
    var isEmpty: Bool { keys.isEmpty && heldKeys.isEmpty }

    /// Compares what the source has with what is shown after an update.
    ///
    /// - Parameters:
    ///   - update: The evaluated update, which follows `former`, or what is shown if nothing was staged.
    ///   - heldKeys: The keys of values and rules that it changes.
    ///   - origin: Where the values of the update come from.
    init(
        _ update: EntrySnapshot.Update,
        heldKeys: [String],
        from origin: ValueOrigin,
        after former: StagedChanges?,
        shown: EntrySnapshot
    ) {
        (snapshot, self.origin) = (update.snapshot, origin)
        (keys, self.heldKeys) = (former?.keys ?? [], former?.heldKeys ?? [])
        let (held, shownHeld) = (snapshot.held, shown.held)
        for key in update.changedKeys {
            keys.set(key, isIn: snapshot.entries[key]?.value != shown.entries[key]?.value)
        }
        for key in heldKeys { self.heldKeys.set(key, isIn: held[key]?.value != shownHeld[key]?.value) }
    }

    /// Compares what the source has with what is shown, key by key.
    init(_ snapshot: EntrySnapshot, from origin: ValueOrigin, comparedWith shown: EntrySnapshot) {
        (self.snapshot, self.origin) = (snapshot, origin)
        keys = Set(snapshot.entries.keys(differingFrom: shown.entries))
        heldKeys = Set(snapshot.held.keys(differingFrom: shown.held))
    }

    /// The same state, evaluated in another context, as is what is shown.
    func evaluated(_ update: EntrySnapshot.Update, shown: EntrySnapshot.Update) -> StagedChanges {
        let changed = (update.snapshot, Array(keys.union(update.changedKeys).union(shown.changedKeys)))
        var changes = StagedChanges(changed, heldKeys: [], from: origin, after: self, shown: shown.snapshot)
        changes.layers = layers
        return changes
    }
}

extension Set {
    fileprivate mutating func set(_ member: Element, isIn: Bool) {
        if isIn { insert(member) } else { remove(member) }
    }
}

extension ConfigEntries {
    /// The keys whose values are not those of other entries, sorted.
    func keys(differingFrom other: ConfigEntries) -> [String] {
        let added = keys.filter { self[$0]?.value != other[$0]?.value }
        return (added + other.keys.filter { self[$0] == nil }).sorted()
    }
}
