// SPDX-License-Identifier: Apache-2.0

package import ConfigModel

/// A number that identifies the entries of a state within this process, updated as they change.
///
/// It is deliberately not a ``ConfigDigest``: the client under test computes those, and its errors must be visible.
package struct StateFingerprint: Hashable, Sendable {
    private var sum = 0

    /// The fingerprint of no entries.
    package init() {}

    /// The fingerprint of these entries.
    package init(_ entries: some Sequence<(key: String, value: EntryValue)>) {
        for (key, value) in entries { insert(value, forKey: key) }
    }

    mutating func insert(_ value: EntryValue, forKey key: String) {
        sum &+= Self.summand(key, value)
    }

    mutating func remove(_ value: EntryValue, forKey key: String) {
        sum &-= Self.summand(key, value)
    }

    private static func summand(_ key: String, _ value: EntryValue) -> Int {
        var hasher = Hasher()
        hasher.combine(key)
        hasher.combine(value)
        return hasher.finalize()
    }
}
