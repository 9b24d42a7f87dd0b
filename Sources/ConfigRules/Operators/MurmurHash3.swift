// SPDX-License-Identifier: Apache-2.0

/// MurmurHash3 by Austin Appleby (public domain), the variant x86 of 32 bits.
enum MurmurHash3 {
    /// The hash of a text in UTF-8.
    static func hash(_ text: String) -> UInt32 {
        var text = text
        return text.withUTF8 { hash(UnsafeRawBufferPointer($0)) }
    }

    /// The hash of bytes with the seed 0.
    static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        var hash: UInt32 = 0
        let wholes = bytes.count / 4
        for index in 0..<wholes {
            let word = bytes.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self)
            hash ^= scrambled(UInt32(littleEndian: word))
            hash = rotated(hash, 13) &* 5 &+ 0xe654_6b64
        }
        var tail: UInt32 = 0
        for index in stride(from: bytes.count - 1, through: wholes * 4, by: -1) {
            tail = tail << 8 | UInt32(bytes[index])
        }
        hash ^= scrambled(tail)
        hash ^= UInt32(truncatingIfNeeded: bytes.count)
        hash = (hash ^ hash >> 16) &* 0x85eb_ca6b
        hash = (hash ^ hash >> 13) &* 0xc2b2_ae35
        return hash ^ hash >> 16
    }

    private static func scrambled(_ word: UInt32) -> UInt32 { rotated(word &* 0xcc9e_2d51, 15) &* 0x1b87_3593 }

    private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 { word << count | word >> (32 - count) }
}
