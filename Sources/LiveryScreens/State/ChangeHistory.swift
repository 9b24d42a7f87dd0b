// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import RemoteConfig

/// The earlier values of keys since the program started. Unchanged keys take no space.
struct ChangeHistory: Sendable {
    /// A value of a key, and since when it had it.
    struct Moment: Hashable, Sendable {
        /// `nil` while the key was not there.
        var value: EntryValue?
        var since: Timestamp
    }

    private var moments: [String: [Moment]] = [:]
    /// The key of each moment, the oldest first.
    private var order: [String] = []
    private var bytes = 0

    static let maximumMoments = 2000
    static let maximumMomentsPerKey = 50
    /// Values may be long.
    static let maximumBytes = 1 << 20

    /// Records the changes between two states. A change of thousands of keys at once is left out, since it is not read key by
    /// key.
    mutating func record(from before: ConfigState.Snapshot, to after: ConfigState.Snapshot) {
        guard before.snapshot.revision > 0, before.snapshot.revision < after.snapshot.revision,
            let keys = after.changedKeys(since: before.snapshot.revision)
        else { return }
        for key in keys {
            let (old, new) = (before.snapshot.entries[key], after.snapshot.entries[key])
            guard old?.value != new?.value else { continue }
            if moments[key] == nil, let old { add(Moment(value: old.value, since: old.changedAt), to: key) }
            guard let since = new?.changedAt ?? after.status.lastChangeAt else { continue }
            add(Moment(value: new?.value, since: since), to: key)
        }
    }

    /// The values of a key, the newest first.
    subscript(key: String) -> [Moment] { moments[key]?.reversed() ?? [] }

    /// The number of stored values.
    var count: Int { order.count }

    private mutating func add(_ moment: Moment, to key: String) {
        moments[key, default: []].append(moment)
        order.append(key)
        bytes += moment.size
        if moments[key, default: []].count > Self.maximumMomentsPerKey, let place = order.firstIndex(of: key) {
            dropOldest(at: place)
        }
        while order.count > Self.maximumMoments || bytes > Self.maximumBytes, !order.isEmpty { dropOldest(at: 0) }
    }

    /// Removes the change at a position in the order, which is the oldest of its key.
    private mutating func dropOldest(at place: Int) {
        let key = order.remove(at: place)
        if let oldest = moments[key]?.removeFirst() { bytes -= oldest.size }
        if moments[key]?.isEmpty == true { moments[key] = nil }
    }
}

extension ChangeHistory.Moment {
    /// About how many bytes it takes.
    fileprivate var size: Int {
        switch value {
        case .string(let text): text.utf8.count
        case .array, .object: 4 * (value?.canonicalByteCount ?? 0)
        case .null, .integer, .double, .boolean, nil: 8
        }
    }
}
