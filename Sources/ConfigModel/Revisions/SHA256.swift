// SPDX-License-Identifier: Apache-2.0

/// SHA-256 by FIPS 180-4, for ``ConfigDigest``, rollouts, the checksums of the client's cache and the server's tokens.
/// The available library takes a minute to compile, which every app that uses Livery would pay.
package struct SHA256 {
    private var state = initialState
    /// The bytes of a block that is not whole yet.
    private var pending: [UInt8] = []
    private var length: UInt64 = 0

    package init() {
        // Two blocks: enough for most messages.
        pending.reserveCapacity(128)
    }

    package mutating func update(_ bytes: some Sequence<UInt8>) {
        let known = pending.count
        pending += bytes
        length += UInt64(pending.count - known)
        let end = pending.count & ~63
        state.compress(pending[..<end])
        pending.removeFirst(end)
    }

    /// Ends the message, and returns the 32 bytes of its hash.
    package mutating func finish() -> [UInt8] {
        Self.pad(&pending, toEnd: length)
        state.compress(pending[...])
        var hash: [UInt8] = []
        hash.reserveCapacity(32)
        for index in state.indices { withUnsafeBytes(of: state[index].bigEndian) { hash.append(contentsOf: $0) } }
        return hash
    }

    /// Ends the message, and returns its hash as 64 hexadecimal digits.
    package mutating func finishInHexadecimal() -> String {
        finish().map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    /// The hash of a text in UTF-8, as 64 hexadecimal digits.
    package static func hexadecimal(of text: String) -> String {
        var hash = SHA256()
        hash.update(text.utf8)
        return hash.finishInHexadecimal()
    }

    /// The first eight bytes, big-endian, of the hash of a message, behind which the padding is then written.
    package static func firstEightBytes(ofHashOf message: inout [UInt8]) -> UInt64 {
        pad(&message, toEnd: UInt64(message.count))
        var state = initialState
        state.compress(message[...])
        return UInt64(state[0]) << 32 | UInt64(state[1])
    }

    /// Appends the padding to the last bytes of a message.
    private static func pad(_ bytes: inout [UInt8], toEnd length: UInt64) {
        bytes.append(0x80)
        while bytes.count % 64 != 56 { bytes.append(0) }
        withUnsafeBytes(of: (length * 8).bigEndian) { bytes.append(contentsOf: $0) }
    }

    private static let initialState: InlineArray<8, UInt32> = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]

    fileprivate static let roundConstants: InlineArray<64, UInt32> = [
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

extension InlineArray<8, UInt32> {
    /// Adds blocks of 64 bytes to a hash.
    fileprivate mutating func compress(_ blocks: ArraySlice<UInt8>) {
        let bytes = blocks.span.bytes
        for offset in stride(from: 0, to: bytes.byteCount, by: 64) { compress(bytes, at: offset) }
    }

    private mutating func compress(_ bytes: RawSpan, at offset: Int) {
        var words = InlineArray<16, UInt32>(repeating: 0)
        for index in 0..<16 {
            let word = bytes.unsafeLoadUnaligned(fromByteOffset: offset + index * 4, as: UInt32.self)
            words[index] = UInt32(bigEndian: word)
        }
        let former = self
        for start in stride(from: 0, to: 64, by: 16) {
            if start > 0 { words.extend() }
            mix(words, from: 0, round: start)
            mix(words, from: 8, round: start + 8)
        }
        for index in 0..<8 { self[index] &+= former[index] }
    }

    /// Does eight rounds, after which each variable is in its place again.
    @inline(__always)
    private mutating func mix(_ words: InlineArray<16, UInt32>, from first: Int, round: Int) {
        var (a, b, c, d, e, f, g, h) = (self[0], self[1], self[2], self[3], self[4], self[5], self[6], self[7])
        func input(_ index: Int) -> UInt32 { words[first + index] &+ SHA256.roundConstants[round + index] }
        Self.round(a, b, c, &d, e, f, g, &h, input(0))
        Self.round(h, a, b, &c, d, e, f, &g, input(1))
        Self.round(g, h, a, &b, c, d, e, &f, input(2))
        Self.round(f, g, h, &a, b, c, d, &e, input(3))
        Self.round(e, f, g, &h, a, b, c, &d, input(4))
        Self.round(d, e, f, &g, h, a, b, &c, input(5))
        Self.round(c, d, e, &f, g, h, a, &b, input(6))
        Self.round(b, c, d, &e, f, g, h, &a, input(7))
        self = [a, b, c, d, e, f, g, h]
    }

    @inline(__always)
    private static func round(
        _ a: UInt32,
        _ b: UInt32,
        _ c: UInt32,
        _ d: inout UInt32,
        _ e: UInt32,
        _ f: UInt32,
        _ g: UInt32,
        _ h: inout UInt32,
        _ input: UInt32
    ) {
        let choice = g ^ (e & (f ^ g))
        let first = h &+ (e.rotated(6) ^ e.rotated(11) ^ e.rotated(25)) &+ choice &+ input
        let majority = (a & b) | (c & (a | b))
        d &+= first
        h = first &+ (a.rotated(2) ^ a.rotated(13) ^ a.rotated(22)) &+ majority
    }
}

extension InlineArray<16, UInt32> {
    /// Replaces the words of the message schedule by the next sixteen.
    fileprivate mutating func extend() {
        for index in 0..<16 {
            let (early, late) = (self[(index + 1) & 15], self[(index + 14) & 15])
            let sigma0 = early.rotated(7) ^ early.rotated(18) ^ early >> 3
            let sigma1 = late.rotated(17) ^ late.rotated(19) ^ late >> 10
            self[index] = self[index] &+ sigma0 &+ self[(index + 9) & 15] &+ sigma1
        }
    }
}

extension UInt32 {
    fileprivate func rotated(_ count: UInt32) -> UInt32 {
        self >> count | self << (32 - count)
    }
}

extension SHA256 {
    /// The message authentication code of a message: HMAC-SHA256 (RFC 2104), 32 bytes.
    ///
    /// - Parameter key: not more than 64 bytes; a hash has 32.
    package static func authenticationCode(of message: some Sequence<UInt8>, key: [UInt8]) -> [UInt8] {
        let block = key + Array(repeating: 0, count: max(0, 64 - key.count))
        var inner = SHA256()
        inner.update(block.map { $0 ^ 0x36 })
        inner.update(message)
        var outer = SHA256()
        outer.update(block.map { $0 ^ 0x5c })
        outer.update(inner.finish())
        return outer.finish()
    }
}
