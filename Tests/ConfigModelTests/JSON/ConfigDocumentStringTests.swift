// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Testing

struct ConfigDocumentStringTests {
    @Test(arguments: [
        (#"\" \\ \/ \b \f \n \r \t"#, "\" \\ / \u{8} \u{C} \n \r \t"), (#"\u0041\u00e9\u00E9"#, "A\u{E9}\u{E9}"),
        (#"\u0000"#, "\0"), (#"\ud83d\ude38"#, "😸"), (#"\uD83D\uDE38x"#, "😸x"), (#"\ud800\udc00"#, "\u{10000}"),
        (#"\udbff\udfff"#, "\u{10FFFF}"), (#"\ud7ff\ue000"#, "\u{D7FF}\u{E000}"), (#"\uffff"#, "\u{FFFF}"),
        (#"\\u0041"#, #"\u0041"#),
        ("\u{7F}\u{80}\u{2028}", "\u{7F}\u{80}\u{2028}"), ("👩‍👩‍👧🇩🇪e\u{301}", "👩‍👩‍👧🇩🇪e\u{301}"), (#"e\u0301"#, "e\u{301}"),
        ("{}[]:,//", "{}[]:,//"), (#"\ufeff"#, "\u{FEFF}"),
    ])
    func textsAreReadScalarByScalar(literal: String, text: String) throws {
        guard case .string(let read) = try values(of: #"{"k":"\#(literal)"}"#)["k"] else {
            Issue.record("no string")
            return
        }
        #expect(read.unicodeScalars.elementsEqual(text.unicodeScalars))
    }

    @Test(arguments: [
        (#"\x"#, "1:8", #"expected one of " \ / b f n r t u after the backslash, found 'x'"#),
        (#"\'"#, "1:8", #"expected one of " \ / b f n r t u after the backslash, found '''"#),
        (#"\U0041"#, "1:8", #"expected one of " \ / b f n r t u after the backslash, found 'U'"#),
        (#"\u12"#, "1:11", #"expected four hexadecimal digits after \u, found '"'"#),
        (#"\u12G4"#, "1:11", #"expected four hexadecimal digits after \u, found 'G'"#),
        (#"\u+123"#, "1:9", #"expected four hexadecimal digits after \u, found '+'"#),
        (#"\u00é1"#, "1:11", #"expected four hexadecimal digits after \u, found another character"#),
        (#"\u１234"#, "1:9", #"expected four hexadecimal digits after \u, found another character"#),
        (#"\ud83d"#, "1:13", Self.halfPair), (#"\ud83dx"#, "1:13", Self.halfPair),
        (#"\ud83d\n"#, "1:14", Self.halfPair),
        (#"\ud83d\ud83d"#, "1:19", Self.halfPair), (#"\ud83d\u0041"#, "1:19", Self.halfPair),
        (#"\ude38"#, "1:13", Self.halfPair),
        (#"\ude38\ud83d"#, "1:13", Self.halfPair), (#"ok\udc00"#, "1:15", Self.halfPair),
        ("a\nb", "1:8", Self.control), ("a\tb", "1:8", Self.control), ("\u{0}", "1:7", Self.control),
        ("\u{1F}", "1:7", Self.control),
        ("é🐶\r\n", "1:9", Self.control),
    ])
    func errorsInTextsHaveTheirPosition(literal: String, place: String, message: String) {
        for (json, shift) in [(#"{"k":"\#(literal)"}"#, 0), (#"{"\#(literal)":1}"#, 4)] {
            let error = problem(in: json)
            #expect(error?.code == .syntax)
            #expect(error?.message == message)
            let column = Int(place.dropFirst(2)).map { $0 - shift }
            #expect(error?.location == TextLocation(line: 1, column: column ?? 0), "\(json)")
        }
    }

    // Plain characters are read eight bytes at a time.
    @Test(arguments: 0..<40)
    func textsOfEveryLengthAreReadToTheirEnd(length: Int) throws {
        let plain = String(repeating: "k", count: length)
        for (literal, text) in [("", ""), ("\u{7F}é", "\u{7F}é"), (#"\n"#, "\n"), (#"\""#, "\""), (#"\\"#, "\\")] {
            #expect(try values(of: #"{"k":"\#(plain + literal)","l":2}"#) == ["k": .string(plain + text), "l": 2])
            #expect(problem(in: #"{"k":"\#(plain + literal)"#)?.location?.column == 7 + (plain + literal).count)
        }
        #expect(problem(in: #"{"k":"\#(plain)\#u{1F}"}"#)?.location?.column == 7 + length)
    }

    static let halfPair = #"unpaired surrogate; escape a character beyond U+FFFF as a pair, e.g. \ud83d\ude38"#
    static let control = #"unescaped line break or control character in a string; escape it, e.g. \n"#

    @Test(arguments: [
        (#"{"k":"abc"#, "1:10", "unterminated string; add the closing '\"'"),
        (#"{"k":"abc\"#, "1:11", "incomplete escape sequence"),
        (#"{"k":"abc\u00"#, "1:14", #"unexpected end of input; expected four hexadecimal digits after \u"#),
        (#"{"k":"\ud83d"#, "1:13", Self.halfPair), (#"{"k":"\ud83d\"#, "1:14", Self.halfPair),
        (#"{"k":"\ud83d\u"#, "1:15", #"unexpected end of input; expected four hexadecimal digits after \u"#),
        (#"{"k"#, "1:4", "unterminated string; add the closing '\"'"),
    ])
    func textsThatEndTooSoonAreFound(json: String, place: String, message: String) {
        #expect(problem(in: json)?.description.hasSuffix(message) == true)
        #expect(problem(in: json)?.location?.description == place)
    }

    @Test(
        arguments: [
            ([0xFF], "1:7"), ([0x61, 0x80], "1:8"), ([0xC3], "1:7"), ([0xC0, 0xAF], "1:7"),
            ([0xE0, 0x80, 0xAF], "1:7"),
            ([0xED, 0xA0, 0x80], "1:7"), ([0xF4, 0x90, 0x80, 0x80], "1:7"), ([0xF0, 0x9F, 0x90], "1:7"),
            ([0xC3, 0xA9, 0xFE], "1:8"), ([0xF0, 0x9F, 0x90, 0xB6, 0xFE], "1:8"), ([0x0A, 0x0A, 0x61, 0xFE], "3:2"),
        ] as [([UInt8], String)]
    )
    func bytesThatAreNoUTF8AreFoundAtTheirPlace(bytes: [UInt8], place: String) {
        let error = problem(in: Array(#"{"k":""#.utf8) + bytes + Array(#""}"#.utf8))
        #expect(error?.description == "d.json:\(place): invalid UTF-8; save the file in UTF-8")
    }

    @Test(
        arguments: [
            [0xFE, 0xFF, 0x00, 0x7B], [0xFF, 0xFE, 0x7B, 0x00], [0x80], [0xEF, 0xBB], [0xEF, 0xBB, 0xBF, 0xEF, 0xBB],
        ] as [[UInt8]]
    )
    func otherEncodingsAreRefused(bytes: [UInt8]) {
        #expect(problem(in: bytes)?.description == "d.json:1:1: invalid UTF-8; save the file in UTF-8")
    }
}
