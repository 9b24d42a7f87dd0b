// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel

/// The state of the source, while the program shows another one.
///
/// Whole states are compared: a rule with the same value in the current context may have another one in the next.
struct StagedState {
    /// The whole state of the source.
    let snapshot: EntrySnapshot
    /// The origin of the values.
    let origin: ValueOrigin
    /// The keys whose values, as rules give them in the current context, differ from the shown values.
    private(set) var keys: Set<String> = []
    /// The keys of values and of rules, by their `EntryKind`, that differ from the shown state.
    private(set) var heldKeys: Set<String> = []

    /// Whether the source's state is the current one.
    var isEmpty: Bool { keys.isEmpty && heldKeys.isEmpty }

    /// Compares the source's state with the current one after an update.
    ///
    /// - Parameters:
    ///   - update: The evaluated update, which follows `former`, or the current state if nothing was staged.
    ///   - heldKeys: The keys of values and rules that it changes.
    ///   - origin: The origin of the update's values.
    init(
        _ update: EntrySnapshot.Update,
        heldKeys: [String],
        from origin: ValueOrigin,
        after former: StagedState?,
        shown: EntrySnapshot
    ) {
        (snapshot, self.origin) = (update.snapshot, origin)
        (keys, self.heldKeys) = (former?.keys ?? [], former?.heldKeys ?? [])
        for key in update.changedKeys {
            keys.set(key, isIn: snapshot.entries[key]?.value != shown.entries[key]?.value)
        }
        for key in heldKeys { self.heldKeys.set(key, isIn: snapshot.hasOther(key, than: shown)) }
    }

    /// Compares the source's state with the current one, key by key.
    init(_ snapshot: EntrySnapshot, from origin: ValueOrigin, comparedWith shown: EntrySnapshot) {
        (self.snapshot, self.origin) = (snapshot, origin)
        keys = Set(snapshot.entries.keys(differingFrom: shown.entries))
        heldKeys = snapshot.heldKeys(differingFrom: shown)
    }

    /// The same state in another context, in which the current one has been evaluated too.
    func evaluated(_ update: EntrySnapshot.Update, shown: EntrySnapshot.Update) -> StagedState {
        let changed = (update.snapshot, Array(keys.union(update.changedKeys).union(shown.changedKeys)))
        return StagedState(changed, heldKeys: [], from: origin, after: self, shown: shown.snapshot)
    }
}

extension Set {
    fileprivate mutating func set(_ member: Element, isIn: Bool) {
        if isIn { insert(member) } else { remove(member) }
    }
}
