// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TerminalUI

struct InputDecoderKeyTests {
    @Test(arguments: [
        ("\r", Key.Code.enter), ("\n", .enter), ("\t", .tab), ("\u{7F}", .backspace), ("\u{8}", .backspace),
        ("\u{1B}", .escape),
        ("\u{1B}[A", .up), ("\u{1B}[B", .down), ("\u{1B}[C", .right), ("\u{1B}[D", .left), ("\u{1B}[H", .home),
        ("\u{1B}[F", .end), ("\u{1B}OA", .up), ("\u{1B}OB", .down), ("\u{1B}OC", .right), ("\u{1B}OD", .left),
        ("\u{1B}OH", .home), ("\u{1B}OF", .end), ("\u{1B}OM", .enter),
        ("\u{1B}[1~", .home), ("\u{1B}[2~", .insert), ("\u{1B}[3~", .delete), ("\u{1B}[4~", .end),
        ("\u{1B}[5~", .pageUp), ("\u{1B}[6~", .pageDown), ("\u{1B}[7~", .home), ("\u{1B}[8~", .end),
    ])
    func everySpecialKeyIsUnderstood(bytes: String, code: Key.Code) {
        #expect(InputDecoder.events(of: bytes) == [.special(code)])
        #expect(InputDecoder.eventsByteByByte(of: bytes.utf8) == [.special(code)])
    }

    @Test(arguments: [
        (["\u{1B}OP", "\u{1B}[P", "\u{1B}[11~", "\u{1B}[[A"], 1), (["\u{1B}OQ", "\u{1B}[12~", "\u{1B}[[B"], 2),
        (["\u{1B}OR", "\u{1B}[R", "\u{1B}[13~", "\u{1B}[[C"], 3), (["\u{1B}OS", "\u{1B}[14~", "\u{1B}[[D"], 4),
        (["\u{1B}[15~", "\u{1B}[[E"], 5), (["\u{1B}[17~"], 6), (["\u{1B}[18~"], 7), (["\u{1B}[19~"], 8),
        (["\u{1B}[20~"], 9), (["\u{1B}[21~"], 10), (["\u{1B}[23~"], 11), (["\u{1B}[24~"], 12),
    ])
    func everyFunctionKeyIsUnderstood(spellings: [String], number: Int) {
        for bytes in spellings {
            #expect(InputDecoder.events(of: bytes) == [.special(.function(number))], "\(bytes.escaped)")
        }
    }

    @Test(arguments: 0...7)
    func modifiersMatchXterm(bits: Int) {
        let modifiers = Key.Modifiers(rawValue: bits)
        #expect(InputDecoder.events(of: "\u{1B}[1;\(bits + 1)A") == [.special(.up, modifiers)])
        #expect(InputDecoder.events(of: "\u{1B}[3;\(bits + 1)~") == [.special(.delete, modifiers)])
        #expect(InputDecoder.events(of: "\u{1B}[1;\(bits + 1)R") == [.special(.function(3), modifiers)])
    }

    @Test func controlKeysAreLettersWithControl() {
        let keysOfTheirOwn: [UInt8] = [0x08, 0x09, 0x0A, 0x0D]
        for byte in UInt8(0x01)...0x1A where !keysOfTheirOwn.contains(byte) {
            let letter = Character(Unicode.Scalar(byte + 0x60))
            #expect(InputDecoder.events(of: [byte]) == [.character(letter, .control)])
        }
        #expect(InputDecoder.events(of: [0]) == [.character(" ", .control)])
    }

    @Test(arguments: [0x1C, 0x1D, 0x1E, 0x1F] as [UInt8])
    func controlCharactersWithoutALetterAreNothing(byte: UInt8) {
        #expect(InputDecoder.events(of: [byte, UInt8(ascii: "q")]) == [.character("q")])
    }

    @Test(arguments: [
        ("x", Key(.character("x"), .alt)), ("X", Key(.character("X"), .alt)), (" ", Key(.character(" "), .alt)),
        ("\r", Key(.enter, .alt)), ("\t", Key(.tab, .alt)), ("\u{7F}", Key(.backspace, .alt)),
        ("\u{3}", Key(.character("c"), [.alt, .control])), ("é", Key(.character("é"), .alt)),
        ("😸", Key(.character("😸"), .alt)),
        ("[", Key(.character("["), .alt)), ("O", Key(.character("O"), .alt)), ("]", Key(.character("]"), .alt)),
        ("P", Key(.character("P"), .alt)),
    ])
    func altIsAnEscapeBefore(bytes: String, key: Key) {
        #expect(InputDecoder.events(of: "\u{1B}" + bytes) == [.key(key)])
    }

    /// Alt and `]` begin like an answer of the terminal, which must not swallow what is typed next.
    @Test(arguments: ["[", "O", "]", "P", "_", "^"])
    func altKeysThatLookLikeASequenceAreDecidedByAPause(letter: Character) {
        var decoder = InputDecoder()
        #expect(decoder.feed("\u{1B}\(letter)".utf8) == [])
        #expect(decoder.unfinished == .key)
        #expect(decoder.flush() == [.character(letter, .alt)])
        #expect(decoder.feed("q".utf8) == [.character("q")])
    }
}

extension InputDecoderKeyTests {
    @Test func escapeIsUndecidedUntilNextByteOrTimeout() {
        var decoder = InputDecoder()
        #expect(decoder.unfinished == nil)
        #expect(decoder.flush() == [])
        #expect(decoder.feed([0x1B]) == [])
        #expect(decoder.unfinished == .key)
        #expect(decoder.flush() == [.special(.escape)])
        #expect(decoder.unfinished == nil)
        #expect(decoder.flush() == [])
    }

    @Test func twoEscapesAreTwoKeys() {
        #expect(InputDecoder.events(of: "\u{1B}\u{1B}") == [.special(.escape), .special(.escape)])
        #expect(InputDecoder.events(of: "\u{1B}\u{1B}[A") == [.special(.escape), .special(.up)])
        #expect(InputDecoder.events(of: "\u{1B}\u{1B}x") == [.special(.escape), .character("x", .alt)])
    }
}

/// Kitty's keyboard protocol, with the keys that it distinguishes.
struct InputDecoderProtocolTests {
    @Test(arguments: [
        ("27u", Key(.escape)), ("27;1u", Key(.escape)), ("27;129u", Key(.escape)), ("13;5u", Key(.enter, .control)),
        ("9;2u", Key(.tab, .shift)), ("127;3u", Key(.backspace, .alt)), ("99;5u", Key(.character("c"), .control)),
        ("99;6u", Key(.character("c"), .control)), ("67;5u", Key(.character("c"), .control)),
        ("97;3u", Key(.character("a"), .alt)), ("97;4u", Key(.character("A"), .alt)),
        ("97:65;4u", Key(.character("A"), .alt)), ("97;5:1u", Key(.character("a"), .control)),
        ("32;5u", Key(.character(" "), .control)), ("233;3u", Key(.character("é"), .alt)),
        ("223;4u", Key(.character("ß"), .alt)), ("57399u", .character("0")), ("57414u", Key(.enter)),
        ("57416u", .character(",")), ("57426u", Key(.delete)),
    ])
    func keysAreReportedByCodePoint(bytes: String, key: Key) {
        #expect(InputDecoder.events(of: "\u{1B}[" + bytes) == [.key(key)])
        #expect(Key(key.description) == key)
    }

    @Test(arguments: [
        // Super, hyper and meta; a key without a character; no code point.
        "97;9u", "97;17u", "97;33u", "57358u", "0u", "1u", "u", ";5u", "55296u", "1114112u", "99999999999999999999u",
        "97;99999999999999999999;9223372036854775807u", "-97u",
    ])
    func otherReportsAreNothing(bytes: String) {
        let events = InputDecoder.events(of: "\u{1B}[\(bytes)q")
        #expect(events == [.character("q")] || events == [.character("a"), .character("q")])
    }

    @Test func theFlagsAreAReply() {
        let reply = TerminalReply.controlSequence(parameters: "?0", final: "u")
        #expect(InputDecoder.events(of: "\u{1B}[?0u") == [.reply(reply)])
    }
}
