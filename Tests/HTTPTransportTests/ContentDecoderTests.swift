// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CurlTransport

struct ContentDecoderTests {
    /// `ab`, nothing and `c`, stored as they are, with zeros between and after the members.
    private static let encoded: [UInt8] =
        member("ab", check: [0x6D, 0x48, 0x83, 0x9E]) + member("", check: [0, 0, 0, 0]) + [0, 0]
        + member("c", check: [0x6F, 0xDF, 0xB9, 0x06]) + [0, 0, 0]

    private static func member(_ text: String, check: [UInt8]) -> [UInt8] {
        let count = UInt8(text.utf8.count)
        return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1, count, 0, ~count, 0xFF] + text.utf8 + check + [count, 0, 0, 0]
    }

    private func decode(
        _ bytes: [UInt8],
        as encoding: String = "gzip",
        in size: Int
    ) throws -> (text: String, isAtEnd: Bool) {
        let decoder = try #require(try ContentDecoder.decoder(of: encoding))
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

    @Test(arguments: ["x-gzip", "gzip, identity", "identity,GZIP", "gzip,", " , none, gzip"])
    func namesThatMeanNothingAreLeftOut(encoding: String) throws {
        #expect(try decode(Self.encoded, as: encoding, in: 100) == ("abc", true))
    }

    @Test(arguments: ["", "identity", "none", "identity, none,", ","])
    func aBodyMayHaveNoEncoding(encoding: String) throws {
        let decoder = try ContentDecoder.decoder(of: encoding)
        #expect(decoder == nil)
    }

    /// Without the header of zlib, and also with its checksum, as some servers send it.
    @Test(arguments: [1, 3, 100])
    func deflateMayHaveNoHeader(size: Int) throws {
        let whole: [UInt8] = [0x78, 0x9C, 0x4B, 0x4C, 0x4A, 0x4E, 0x4C, 0x4A, 0x06, 0x00, 0x08, 0x0C, 0x02, 0x4D]
        let raw: [UInt8] = [0x4B, 0x4C, 0x4A, 0x4E, 0x4C, 0x4A, 0x06, 0x00]
        #expect(Array(whole.dropFirst(2).dropLast(4)) == raw)
        for bytes in [whole, raw, raw + whole.suffix(4)] {
            #expect(try decode(bytes, as: "deflate", in: size) == ("abcabc", true))
        }
        #expect(try decode(Array(raw.dropLast()), as: "deflate", in: size).isAtEnd == false)
        #expect(throws: ContentDecoder.Damage.self) { try decode(whole + [0], as: "deflate", in: size) }
    }

    /// The last match of a body of 65,600 letters does not fit into the first piece of 64 KiB, and no byte follows it.
    @Test(arguments: [1, 1000]) func rawDeflateMayEndBehindAFullPiece(size: Int) throws {
        let zeros = [UInt8](repeating: 0, count: 62)
        let raw: [UInt8] =
            [0xED, 0xC1, 0x31, 0x01, 0x00, 0x00, 0x00, 0xC2, 0xA0, 0xAC, 0xEB, 0x5F, 0xC2, 0x10, 0xBE, 0x40, 0x01]
            + zeros + [0xC0, 0x6F]
        let (text, isAtEnd) = try decode(raw, as: "deflate", in: size)
        #expect(text == String(repeating: "a", count: 65_600) && isAtEnd)
    }

    @Test func nothingElseMayFollowAMember() {
        #expect(throws: ContentDecoder.Damage.self) { try decode(Self.encoded + Array("text".utf8), in: 100) }
        let error = #expect(throws: ContentDecoder.Damage.self) { try ContentDecoder.decoder(of: "br, gzip") }
        #expect(error?.encoding == "br, gzip")
    }
}
