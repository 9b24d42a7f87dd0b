// SPDX-License-Identifier: Apache-2.0

/// The keys that the last states have changed, for observers that skip states.
///
/// The changes are known when a state is made. Computing them from two states requires a comparison of every key.
struct RecentChanges: Sendable {
    /// State by state, each with its keys.
    private var changes: [(revision: UInt64, keys: [String], hidden: Set<String>)] = []
    private var keyCount = 0
    /// The revision from which on everything is known.
    private var start: UInt64

    private static let maximumChanges = 64
    private static let maximumKeys = 4096

    /// The changes before a revision are unknown.
    init(from revision: UInt64) { start = revision }

    /// - Parameters:
    ///   - keys: The keys with other values, sorted.
    ///   - hidden: The keys with other values below those that are shown.
    mutating func note(_ keys: [String], hidden: Set<String> = [], at revision: UInt64) {
        if keys.isEmpty, hidden.isEmpty { return }
        changes.append((revision, keys, hidden))
        keyCount += keys.count + hidden.count
        while changes.count > Self.maximumChanges || keyCount > Self.maximumKeys {
            let first = changes.removeFirst()
            start = first.revision
            keyCount -= first.keys.count + first.hidden.count
        }
    }

    /// The keys that have changed after a revision, sorted; `nil` if that is not known any more.
    ///
    /// - Parameter hidden: Whether those with other values below the shown ones count.
    func keys(since revision: UInt64, hidden: Bool = false) -> [String]? {
        guard revision >= start else { return nil }
        let later = changes.drop { $0.revision <= revision }
        if later.count <= 1, !hidden || later.first?.hidden.isEmpty ?? true { return later.first?.keys ?? [] }
        return Set(later.flatMap { hidden ? $0.keys + $0.hidden : $0.keys }).sorted()
    }
}
