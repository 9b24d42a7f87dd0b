internal import ConfigModel

/// What a program shows before it has heard from its source.
struct LaunchState {
    /// The values.
    var snapshot: EntrySnapshot
    /// How they stand to the source.
    var mark: CacheMark
    /// Where they came from.
    var origin: SyncStatus.Origin

    /// Chooses the values to start with.
    ///
    /// What once came from the source wins. What some program kept of its own bundled default does not win over the
    /// bundled default of the program that runs, whichever of them is newer: each fits its own program. Without any
    /// of these the state is empty, and the definitions' defaults count.
    init(cached: CachedState?, bundledDefault: ConfigDocument?, source: String, now: Timestamp) {
        let isWorthMore = cached?.origin == .remote || bundledDefault == nil
        if let cached, isWorthMore {
            let mark = cached.origin == .remote ? cached.mark : CacheMark()
            snapshot = EntrySnapshot(kept: cached.entries, cursor: mark.cursor, digest: mark.digest)
            self.mark = mark
            origin = cached.origin == .remote ? .cache : .bundledDefault
        } else if let bundledDefault {
            snapshot = EntrySnapshot.empty.updated(with: bundledDefault, from: Self.bundledName, at: now).snapshot
            mark = CacheMark()
            origin = .bundledDefault
        } else {
            (snapshot, mark, origin) = (.empty, CacheMark(), .nothing)
        }
    }

    /// The name of the source of values that the program carries with it.
    private static let bundledName = "bundled default"
}
