// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel

/// The bundled values of a program, below those of its source.
struct BundledValues {
    let document: ConfigDocument
    /// The source named in the entries.
    let name: String
}

/// The state that a program shows before its source has answered.
struct LaunchState {
    var snapshot = EntrySnapshot.empty
    /// The relation of the values to the source.
    var mark = CacheMark()
    var origin = SourceStatus.Origin.nothing

    /// Chooses the values to start with: what once came from the source, over the bundled default, which is never kept, so
    /// that each program has its own. Without either, the definitions' defaults count.
    ///
    /// - Parameter layers: The values of the layers, for a source with layers: each has cached its own values.
    init(
        cached: CachedState? = nil,
        layers: [LayerValues] = [],
        bundledDefault: BundledValues?,
        now: Timestamp
    ) {
        if let cached {
            (mark, origin) = (cached.mark, .cache)
            snapshot = EntrySnapshot(kept: cached.entries, cursor: mark.cursor, digest: mark.digest)
        } else if !layers.isEmpty {
            (mark.modifiedAt, origin) = (layers.modifiedAt, layers.origin)
            snapshot = EntrySnapshot(kept: ConfigEntries(layers: layers))
        }
        guard let bundledDefault else { return }
        if origin == .nothing { origin = .bundledDefault }
        snapshot = snapshot.over(bundledDefault.document, from: bundledDefault.name, at: now)
    }
}
