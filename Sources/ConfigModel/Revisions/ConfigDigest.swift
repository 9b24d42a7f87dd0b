// SPDX-License-Identifier: Apache-2.0

/// A checksum over the live entries of a namespace, which does not depend on their order.
///
/// It is the sum modulo 2^64 of the first eight bytes, big-endian, of SHA-256(key, 0x00, value as RFC 8785 JSON), so
/// that both ends keep it up to date at a cost that depends on the change alone.
///
/// It detects accidental changes, not attacks: another state with the same digest can be found in less than a second. Do not
/// rely on it where forgery matters.
package struct ConfigDigest: Hashable, Sendable {
    /// The sum.
    package private(set) var rawValue: UInt64 = 0

    /// The digest of no entries.
    package init() {}

    /// The digest of these entries.
    package init(_ entries: some Sequence<(key: String, value: EntryValue)>) {
        var message: [UInt8] = []
        for (key, value) in entries { rawValue &+= Self.summand(key, value, in: &message) }
    }

    /// Adds an entry.
    package mutating func insert(_ value: EntryValue, forKey key: String) {
        var message: [UInt8] = []
        rawValue &+= Self.summand(key, value, in: &message)
    }

    /// Removes an entry.
    package mutating func remove(_ value: EntryValue, forKey key: String) {
        var message: [UInt8] = []
        rawValue &-= Self.summand(key, value, in: &message)
    }

    /// - Parameter message: the buffer for the hashed bytes, allocated once for many entries.
    private static func summand(_ key: String, _ value: EntryValue, in message: inout [UInt8]) -> UInt64 {
        message.removeAll(keepingCapacity: true)
        // Two blocks of the hash: enough for most entries.
        message.reserveCapacity(128)
        message.append(contentsOf: key.utf8)
        message.append(0)
        value.writeCanonicalJSON(to: &message)
        return SHA256.firstEightBytes(ofHashOf: &message)
    }
}

extension ConfigDigest: LosslessStringConvertible {
    /// Sixteen lowercase hexadecimal digits.
    package var description: String { rawValue.hexDigits }

    /// Reads what ``description`` writes; anything else is `nil`.
    package init?(_ text: String) {
        guard let rawValue = UInt64(hexDigits: text) else { return nil }
        self.rawValue = rawValue
    }
}
