// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import Synchronization

/// The sorted keys of a state, sorted at the first request. States with the same keys share them, so that a change of values
/// costs no sort.
final class KeyOrder: Sendable {
    private let keys = Mutex<[String]?>(nil)

    /// - Parameter entries: The entries of a state that this order belongs to.
    func keys(of entries: ConfigEntries) -> [String] {
        keys.withLock { keys in
            let sorted = keys ?? entries.keys.sorted()
            keys = sorted
            return sorted
        }
    }
}

extension ConfigEntries {
    /// More changed keys than this are not merged: a sort takes as long.
    private static let mostCompared = 1000

    /// Whether the entries have the keys that other entries had before some keys were changed; `false` if that is not certain.
    func haveSameKeys(as other: ConfigEntries, except changedKeys: [String]) -> Bool {
        count == other.count && changedKeys.count <= Self.mostCompared
            && changedKeys.allSatisfy { (self[$0] == nil) == (other[$0] == nil) }
    }
}
