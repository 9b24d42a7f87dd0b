// SPDX-License-Identifier: Apache-2.0

/// The keys that the last states have changed, for observers that skip states.
///
/// The changes are known when a state is made. Computing them from two states requires a comparison of every key.
struct ChangedKeyHistory: Sendable {
    /// State by state, each with its keys.
    private var changes: [(revision: UInt64, keys: [String])] = []
    private var keyCount = 0
    /// The revision from which on everything is known.
    private var start: UInt64

    private static let maximumChanges = 64
    private static let maximumKeys = 4096

    /// The changes before a revision are unknown.
    init(from revision: UInt64) { start = revision }

    mutating func note(_ keys: [String], at revision: UInt64) {
        guard !keys.isEmpty else { return }
        changes.append((revision, keys))
        keyCount += keys.count
        while changes.count > Self.maximumChanges || keyCount > Self.maximumKeys {
            let first = changes.removeFirst()
            start = first.revision
            keyCount -= first.keys.count
        }
    }

    /// The keys that have changed after a revision, sorted; `nil` if that is not known any more.
    func keys(since revision: UInt64) -> [String]? {
        guard revision >= start else { return nil }
        let later = changes.drop { $0.revision <= revision }
        return later.count <= 1 ? later.first?.keys ?? [] : Set(later.flatMap(\.keys)).sorted()
    }
}
