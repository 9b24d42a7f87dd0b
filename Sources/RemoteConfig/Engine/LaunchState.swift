// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel

/// The state that a program shows before its source has answered.
struct LaunchState {
    var snapshot = EntrySnapshot.empty
    /// The relation of the values to the source.
    var mark = CacheMark()
    var origin = SourceStatus.Origin.nothing

    /// Chooses the values to start with.
    ///
    /// - Parameters:
    ///   - layers: What the layers of the source have, each from its own cache; `nil` for a source without layers.
    ///   - cached: What once came from the source.
    init(
        of source: any ConfigSource,
        layers: [LayerValues]?,
        cached: CachedState?,
        now: Timestamp
    ) {
        if let layers {
            snapshot = EntrySnapshot(layers: layers.map(\.layer))
            (mark.modifiedAt, origin) = (layers.modifiedAt, layers.origin)
        } else if let bundled = source.bundled {
            snapshot = snapshot.updated(with: bundled, from: source.name, at: now).snapshot
            origin = .bundledDefault
        } else {
            if let cached { (mark, origin) = (cached.mark, .cache) }
            snapshot = EntrySnapshot(
                kept: cached?.entries ?? ConfigEntries(),
                cursor: mark.cursor,
                digest: mark.digest,
                dependsOnContext: source.dependsOnContext
            )
        }
    }

    /// Puts the values over the bundled default, which is never cached, so that each version of a program has its own.
    /// Without either, the definitions' defaults count.
    func over(_ bundledDefault: ConfigDocument?, now: Timestamp) -> LaunchState {
        guard let bundledDefault else { return self }
        var state = self
        if origin == .nothing { state.origin = .bundledDefault }
        state.snapshot = snapshot.over(bundledDefault, from: ConfigDocument.bundledDefault, at: now)
        return state
    }
}
