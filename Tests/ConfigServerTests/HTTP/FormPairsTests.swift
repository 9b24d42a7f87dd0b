// SPDX-License-Identifier: Apache-2.0

import ConfigWire
import TestSupport
import Testing

@testable import ConfigServer

@Suite(.timeLimit(.minutes(5)))
struct FormPairsTests {
    struct Pair: Hashable, Sendable {
        var name: String?
        var value: String?

        init(_ name: String?, _ value: String?) {
            self.name = name
            self.value = value
        }
    }

    /// As the WHATWG's URL standard has them, section 5.1, but for invalid UTF-8.
    @Test(
        arguments: [
            ("", []), ("&&", []), ("a", [Pair("a", "")]), ("a=", [Pair("a", "")]), ("=b", [Pair("", "b")]),
            ("a=b=c", [Pair("a", "b=c")]), ("a=1&b=2", [Pair("a", "1"), Pair("b", "2")]),
            ("a+b=c+d", [Pair("a b", "c d")]), ("a%2Bb=%26%3D", [Pair("a+b", "&=")]),
            ("value=#FFB6C1", [Pair("value", "#FFB6C1")]), ("a=?b/c://d", [Pair("a", "?b/c://d")]),
            ("http://x/?a=b", [Pair("http://x/?a", "b")]),
            // Invalid escapes are text.
            ("a=100%", [Pair("a", "100%")]), ("a=%zz%4", [Pair("a", "%zz%4")]), ("a=%%41", [Pair("a", "%A")]),
            ("%61=%f0%9f%98%B8", [Pair("a", "😸")]),
            // A combining mark forms one character with '&' and with '=', but is a separate byte.
            ("a=1&\u{301}b=2", [Pair("a", "1"), Pair("\u{301}b", "2")]), ("a=\u{301}", [Pair("a", "\u{301}")]),
            ("a=1\r\n&b=2", [Pair("a", "1\r\n"), Pair("b", "2")]), ("a=\u{FEFF}x", [Pair("a", "\u{FEFF}x")]),
            ("a=%00", [Pair("a", "\0")]), ("a=%FF&b=%C3%28", [Pair("a", nil), Pair("b", nil)]),
            ("%ff=1", [Pair(nil, "1")]), ("a=%ED%A0%80", [Pair("a", nil)]), ("a=%C0%80", [Pair("a", nil)]),
        ] as [(String, [Pair])]
    )
    func formsAreParsedAsBytes(text: String, pairs: [Pair]) {
        #expect(FormPairs(Array(text.utf8)).pairs.map { Pair($0.name, $0.value) } == pairs)
    }

    @Test func parsingStopsAtTheRequestedPairs() {
        let pairs = FormPairs("&a=1&&b=2&c=3&d=4".utf8, atMost: 3).pairs
        #expect(pairs.map(\.name) == ["a", "b", "c"])
        #expect(pairs.map(\.value) == ["1", "2", "3"])
        #expect(FormPairs("a=1".utf8, atMost: 3).pairs.count == 1)
        #expect(FormPairs([UInt8(ascii: "="), 0xFF]).pairs.map(\.value) == [nil])
    }

    @Test func encodedSeparatorsDoNotChangeATarget() throws {
        #expect(RequestTarget("/a\u{301}/\u{301}b?c=1&\u{301}d=2").segments == ["a\u{301}", "\u{301}b"])
        let target = RequestTarget("/v1/default/history?before=9&\u{301}x=1&limit=%31")
        #expect(try target.revision(.before) == 9)
        #expect(try target.parameter(.limit) == "1")
        #expect(RequestTarget("http://host/v1?a=1").path == "/v1" && RequestTarget("http://host?a=1").query == "a=1")
        #expect(RequestTarget("/\u{301}://x/v1").path == "/\u{301}://x/v1")
    }
}
