// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import HTTPTransport

struct ContentDecoderTests {
    /// `ab`, nothing and `c`, stored as they are, with zeros between and after the members.
    private static let encoded: [UInt8] =
        member("ab", check: [0x6D, 0x48, 0x83, 0x9E]) + member("", check: [0, 0, 0, 0]) + [0, 0]
        + member("c", check: [0x6F, 0xDF, 0xB9, 0x06]) + [0, 0, 0]

    private static func member(_ text: String, check: [UInt8]) -> [UInt8] {
        let count = UInt8(text.utf8.count)
        return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1, count, 0, ~count, 0xFF] + text.utf8 + check + [count, 0, 0, 0]
    }

    private func decode(_ bytes: [UInt8], in size: Int) throws -> (text: String, isAtEnd: Bool) {
        let decoder = try #require(try ContentDecoder.decoder(of: "gzip"))
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            var rest = bytes[start..<min(start + size, bytes.count)]
            while !rest.isEmpty {
                let (consumed, piece) = try Array(rest).withUnsafeBytes { try decoder.decode($0) }
                rest = rest.dropFirst(consumed)
                text += piece
            }
        }
        return (String(decoding: text, as: UTF8.self), decoder.isAtEnd)
    }

    @Test(arguments: [1, 7, 1000]) func membersAreOneBodyInPartsOfAnySize(size: Int) throws {
        #expect(try decode(Self.encoded, in: size) == ("abc", true))
    }

    @Test func aBodyMayNotEndWithinAMember() throws {
        #expect(try decode(Array(Self.encoded.prefix(20)), in: 100).isAtEnd == false)
    }

    @Test func nothingElseMayFollowAMember() {
        #expect(throws: ContentDecoder.Damage.self) { try decode(Self.encoded + Array("text".utf8), in: 100) }
        #expect(throws: ContentDecoder.Damage.self) { try ContentDecoder.decoder(of: "br") }
    }
}
