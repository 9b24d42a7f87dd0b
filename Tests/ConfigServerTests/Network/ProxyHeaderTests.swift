// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Testing

@testable import ConfigServer

struct ProxyHeaderTests {
    private static let mark: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A]

    private static func header(_ bytes: [UInt8]) -> ProxyHeader {
        ProxyHeader(ByteBuffer(bytes: bytes).readableBytesView)
    }

    private static func binary(_ command: UInt8, _ family: UInt8, _ rest: [UInt8], length: Int? = nil) -> [UInt8] {
        let length = length ?? rest.count
        return mark + [command, family, UInt8(length >> 8), UInt8(length & 0xFF)] + rest
    }

    @Test(arguments: [
        ("PROXY TCP4 203.0.113.7 10.0.0.1 4711 80\r\n", "203.0.113.7"),
        ("PROXY TCP6 2001:db8::7 ::1 4711 80\r\n", "2001:db8::7"),
        ("PROXY UNKNOWN\r\n", nil), ("PROXY UNKNOWN anything at all\r\n", nil),
    ])
    func textHeadersNameTheClient(text: String, address: String?) {
        let bytes = Array(text.utf8)
        for count in 0..<bytes.count { #expect(Self.header(Array(bytes[..<count])) == .incomplete) }
        let expected = ProxyHeader.present(count: bytes.count, address.flatMap(IPAddress.init))
        #expect(Self.header(bytes) == expected && Self.header(bytes + Array("GET /".utf8)) == expected)
    }

    @Test(arguments: [
        "PROXY \r\n", "PROXY TCP4\r\n", "PROXY TCP4 203.0.113.7 10.0.0.1 4711 80\n",
        "PROXY TCP4 203.0.113.7 10.0.0.1 4711 80 \r\n", "PROXY TCP4 2001:db8::7 ::1 4711 80\r\n",
        "PROXY TCP6 203.0.113.7 10.0.0.1 4711 80\r\n", "PROXY TCP4 203.0.113.7 10.0.0.1 4711 65536\r\n",
        "PROXY TCP4  203.0.113.7 10.0.0.1 4711\r\n", "PROXY UDP4 203.0.113.7 10.0.0.1 4711 80\r\n",
        "PROXY TCP4 203.0.113.777 10.0.0.1 4711 80\r\n", "PROXY " + String(repeating: "x", count: 200),
    ])
    func malformedTextHeadersAreRefused(text: String) {
        #expect(Self.header(Array(text.utf8)) == .malformed)
    }

    @Test func binaryHeadersNameTheClient() throws {
        let (four, six) = (try #require(IPAddress("203.0.113.7")), try #require(IPAddress("2001:db8::7")))
        let source: [UInt8] = [0x20, 0x01, 0x0D, 0xB8] + [UInt8](repeating: 0, count: 11) + [7]
        let ports: [UInt8] = [0x12, 0x67, 0, 80]
        for (bytes, address) in [
            (Self.binary(0x21, 0x11, [203, 0, 113, 7, 10, 0, 0, 1] + ports), four),
            // Facts about TLS may follow the addresses.
            (Self.binary(0x21, 0x11, [203, 0, 113, 7, 10, 0, 0, 1] + ports + [3, 0, 4, 1, 2, 3, 4]), four),
            (Self.binary(0x21, 0x21, source + source + ports), six),
            (Self.binary(0x20, 0x00, []), nil), (Self.binary(0x20, 0x11, [9, 9, 9, 9, 9, 9, 9, 9] + ports), nil),
            (Self.binary(0x21, 0x00, [1, 2, 3]), nil),
            (Self.binary(0x21, 0x31, [UInt8](repeating: 0, count: 216)), nil),
        ] as [([UInt8], IPAddress?)] {
            for count in 0..<bytes.count { #expect(Self.header(Array(bytes[..<count])) == .incomplete) }
            #expect(Self.header(bytes + [0x47]) == .present(count: bytes.count, address))
        }
    }

    @Test func malformedBinaryHeadersAreRefused() {
        let addresses = [UInt8](repeating: 1, count: 12)
        #expect(Self.header(Self.binary(0x11, 0x11, addresses)) == .malformed)
        #expect(Self.header(Self.binary(0x22, 0x11, addresses)) == .malformed)
        #expect(Self.header(Self.binary(0x21, 0x11, Array(addresses.dropLast()))) == .malformed)
        #expect(Self.header(Self.binary(0x21, 0x21, addresses)) == .malformed)
        #expect(Self.header(Self.binary(0x21, 0x11, addresses, length: 65_535)) == .malformed)
    }

    @Test(arguments: ["GET / HTTP/1.1\r\n", "PUT /", "PROX", "PROXYX", "\r\n\r\nGET", "\u{16}\u{3}\u{1}"])
    func otherBytesArePassedOn(text: String) {
        let isBeginning = "PROXY ".hasPrefix(text)
        #expect(Self.header(Array(text.utf8)) == (isBeginning ? .incomplete : .absent))
    }
}
