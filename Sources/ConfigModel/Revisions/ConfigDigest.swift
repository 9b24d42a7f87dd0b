/// A checksum over the live entries of a namespace, which does not depend on their order.
///
/// It is the sum modulo 2^64 of the first eight bytes, big-endian, of SHA-256(key, 0x00, value as RFC 8785 JSON), so
/// that both ends keep it up to date at a cost that depends on the change alone. It detects faults; it is not a signature.
public struct ConfigDigest: Hashable, Sendable {
    /// The sum.
    public private(set) var rawValue: UInt64 = 0

    /// The digest of no entries.
    public init() {}

    /// The digest of these entries.
    public init(_ entries: some Sequence<(key: String, value: EntryValue)>) {
        for (key, value) in entries { insert(value, forKey: key) }
    }

    /// Adds an entry.
    public mutating func insert(_ value: EntryValue, forKey key: String) {
        rawValue &+= Self.summand(key, value)
    }

    /// Removes an entry.
    public mutating func remove(_ value: EntryValue, forKey key: String) {
        rawValue &-= Self.summand(key, value)
    }

    private static func summand(_ key: String, _ value: EntryValue) -> UInt64 {
        var hash = SHA256()
        hash.update(key.utf8)
        hash.update(CollectionOfOne(0))
        hash.update(value.canonicalJSON.utf8)
        return hash.finish().prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}

extension ConfigDigest: LosslessStringConvertible {
    /// Sixteen lowercase hexadecimal digits.
    public var description: String { rawValue.hexDigits }

    /// Reads what ``description`` writes; anything else is `nil`.
    public init?(_ text: String) {
        guard let rawValue = UInt64(hexDigits: text) else { return nil }
        self.rawValue = rawValue
    }
}

/// SHA-256 by FIPS 180-4, for ``ConfigDigest`` and for the checksums of the client's cache.
/// The available library takes a minute to compile, which every build of the client would pay. Secrets
/// are hashed by that library, in the server.
package struct SHA256 {
    private var state = initialState
    private var block = InlineArray<64, UInt8>(repeating: 0)
    private var length: UInt64 = 0

    package init() {}

    package mutating func update(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { append(byte) }
    }

    /// Ends the message, and returns the 32 bytes of its hash.
    package mutating func finish() -> [UInt8] {
        let bits = length * 8
        append(0x80)
        while length % 64 != 56 { append(0) }
        for shift in stride(from: 56, through: 0, by: -8) { append(UInt8(truncatingIfNeeded: bits >> UInt64(shift))) }
        var hash: [UInt8] = []
        for index in state.indices {
            for shift in stride(from: 24, through: 0, by: -8) {
                hash.append(UInt8(truncatingIfNeeded: state[index] >> UInt32(shift)))
            }
        }
        return hash
    }

    private mutating func append(_ byte: UInt8) {
        block[Int(length % 64)] = byte
        length += 1
        if length % 64 == 0 { compress() }
    }

    private mutating func compress() {
        let words = messageSchedule()
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for round in 0..<64 {
            let sum1 = e.rotated(6) ^ e.rotated(11) ^ e.rotated(25)
            let choice = (e & f) ^ (~e & g)
            let first = h &+ sum1 &+ choice &+ Self.roundConstants[round] &+ words[round]
            let sum0 = a.rotated(2) ^ a.rotated(13) ^ a.rotated(22)
            let majority = (a & b) ^ (a & c) ^ (b & c)
            (h, g, f, e) = (g, f, e, d &+ first)
            (d, c, b, a) = (c, b, a, first &+ sum0 &+ majority)
        }
        state[0] &+= a
        state[1] &+= b
        state[2] &+= c
        state[3] &+= d
        state[4] &+= e
        state[5] &+= f
        state[6] &+= g
        state[7] &+= h
    }

    private func messageSchedule() -> InlineArray<64, UInt32> {
        var words = InlineArray<64, UInt32>(repeating: 0)
        for index in 0..<64 {
            if index < 16 {
                for offset in 0..<4 { words[index] = words[index] << 8 | UInt32(block[index * 4 + offset]) }
            } else {
                let (early, late) = (words[index - 15], words[index - 2])
                let sigma0 = early.rotated(7) ^ early.rotated(18) ^ early >> 3
                let sigma1 = late.rotated(17) ^ late.rotated(19) ^ late >> 10
                words[index] = words[index - 16] &+ sigma0 &+ words[index - 7] &+ sigma1
            }
        }
        return words
    }

    private static let initialState: InlineArray<8, UInt32> = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]

    private static let roundConstants: InlineArray<64, UInt32> = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]
}

extension UInt32 {
    fileprivate func rotated(_ count: UInt32) -> UInt32 {
        self >> count | self << (32 - count)
    }
}
