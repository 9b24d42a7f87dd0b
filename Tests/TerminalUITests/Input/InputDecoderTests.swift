// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TerminalUI

extension InputDecoder {
    /// The events of bytes that arrive at once, with nothing after them.
    static func events(of bytes: some Sequence<UInt8>) -> [InputEvent] {
        var decoder = InputDecoder()
        return decoder.feed(bytes) + decoder.flush()
    }

    /// The events of a text's bytes in UTF-8 that arrive at once, with nothing after them.
    static func events(of text: String) -> [InputEvent] {
        events(of: text.utf8)
    }

    /// The events of bytes of which each arrives by itself, but before anyone takes an ESC for the key.
    static func eventsByteByByte(of bytes: some Sequence<UInt8>) -> [InputEvent] {
        var decoder = InputDecoder()
        return bytes.flatMap { decoder.feed([$0]) } + decoder.flush()
    }
}

extension InputEvent {
    /// A key that types a character.
    static func character(_ character: Character, _ modifiers: Key.Modifiers = []) -> InputEvent {
        .key(Key(.character(character), modifiers))
    }

    /// A key that types nothing.
    static func special(_ code: Key.Code, _ modifiers: Key.Modifiers = []) -> InputEvent {
        .key(Key(code, modifiers))
    }

    /// A use of the mouse.
    static func mouse(_ action: MouseEvent.Action, column: Int, row: Int) -> InputEvent {
        .mouse(MouseEvent(action, at: Point(column: column, row: row)))
    }
}

struct InputDecoderTextTests {
    @Test(arguments: ["é", "ß", "߿", "ࠀ", "漢", "\u{FFFD}", "\u{10000}", "😸", "\u{10FFFF}"] as [Character])
    func charactersBeyondASCIIAreWholeWhereverTheyAreSplit(character: Character) {
        let bytes = Array(String(character).utf8)
        for split in 0...bytes.count {
            var decoder = InputDecoder()
            let events = decoder.feed(bytes[..<split]) + decoder.flush() + decoder.feed(bytes[split...])
            #expect(events == [.character(character)])
        }
    }

    @Test(
        arguments: [
            [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xF5, 0x80, 0x80, 0x80], [0xFE], [0xFF],
            // Cut off, overlong, a surrogate, beyond U+10FFFF.
            [0xC3], [0xE6, 0xBC], [0xF0, 0x9F, 0x98], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
        ] as [[UInt8]]
    )
    func invalidUTF8IsSkippedAndTheNextKeyIsRead(bytes: [UInt8]) {
        #expect(InputDecoder.events(of: bytes + [UInt8(ascii: "q")]) == [.character("q")])
        #expect(InputDecoder.events(of: bytes + Array("\u{1B}[A".utf8)) == [.special(.up)])
        #expect(InputDecoder.events(of: bytes + Array("é".utf8)) == [.character("é")])
    }
}

struct InputDecoderMouseTests {
    @Test(arguments: [
        ("<0;1;1M", InputEvent.mouse(.press(button: 0), column: 0, row: 0)),
        ("<1;80;24M", .mouse(.press(button: 1), column: 79, row: 23)),
        ("<2;223;500M", .mouse(.press(button: 2), column: 222, row: 499)),
        ("<0;3;4m", .mouse(.release(button: 0), column: 2, row: 3)),
        ("<2;3;4m", .mouse(.release(button: 2), column: 2, row: 3)),
        ("<32;3;4M", .mouse(.drag(button: 0), column: 2, row: 3)),
        ("<34;3;4M", .mouse(.drag(button: 2), column: 2, row: 3)),
        ("<64;3;4M", .mouse(.scroll(-1), column: 2, row: 3)),
        ("<65;3;4M", .mouse(.scroll(1), column: 2, row: 3)),
    ])
    func everyUseOfTheMouseIsUnderstood(report: String, event: InputEvent) {
        #expect(InputDecoder.events(of: "\u{1B}[" + report) == [event])
        #expect(InputDecoder.eventsByteByByte(of: "\u{1B}[\(report)".utf8) == [event])
    }

    /// xterm adds 4 for shift, 8 for meta and 16 for control.
    @Test(arguments: [4, 8, 16, 28])
    func modifiersDoNotChangeMouseActions(modifiers: Int) {
        #expect(
            InputDecoder.events(of: "\u{1B}[<\(modifiers);2;2M") == [.mouse(.press(button: 0), column: 1, row: 1)]
        )
        #expect(
            InputDecoder.events(of: "\u{1B}[<\(65 + modifiers);2;2M") == [.mouse(.scroll(1), column: 1, row: 1)]
        )
    }

    /// Larger ones are not used.
    @Test func theLargestNumberIsThatOfATerminal() {
        let expected = InputEvent.mouse(.press(button: 0), column: 65534, row: 65534)
        #expect(InputDecoder.events(of: "\u{1B}[<0;65535;65535M") == [expected])
        #expect(InputDecoder.events(of: "\u{1B}[<0;65536;1M\u{1B}[<0;1;\(Int.max)M") == [])
    }

    @Test(arguments: [
        // Places that do not exist.
        "<0;0;1M", "<0;1;0M", "<0;-1;1M", "<0;1;-9223372036854775808M", "<0;9223372036854775808;1M",
        "<0;99999999999999999999999999;1M", "<0;+1;1M",
        // Numbers missing, too many, or none.
        "<M", "<0M", "<0;1M", "<0;1;1;1M", "<0;;1;1M", "<;1;1M", "<0;1;;M", "<0;?;1;1M", "<0:1;1;1M", "<0; 1;1M",
        // The pointer moves without a button; buttons 4 to 11; the wheel to the side, released, or turned by a negative.
        "<35;1;1M", "<3;1;1M", "<128;1;1M", "<129;1;1m", "<160;1;1M", "<256;1;1M", "<66;1;1M", "<67;1;1M",
        "<64;1;1m", "<65;1;1m", "<-4;1;1M", "<-128;1;1M", "<9223372036854775807;1;1M",
    ])
    func otherMouseButtonsAreIgnored(report: String) {
        #expect(InputDecoder.events(of: "\u{1B}[\(report)q") == [.character("q")])
    }
}

struct InputDecoderPasteTests {
    private static let begin = "\u{1B}[200~"
    private static let end = "\u{1B}[201~"

    @Test(arguments: [
        "", "q", "two\r\nlines\n", "漢字 😸", "\u{1B}", "\u{1B}[", "\u{1B}[A\u{1B}OP\u{1B}[<0;1;1M", "\u{1B}[20",
        "\u{1B}[201",
        "\u{1B}[200~", "\u{1B}]0;title\u{7}", "\u{3}\u{0}\u{7F}", "\u{1B}\u{1B}[201", "~", "[201~",
    ])
    func aPastedTextIsOneEventWhereverItIsSplit(text: String) {
        let bytes = Array((Self.begin + text + Self.end + "q").utf8)
        let expected: [InputEvent] = [.paste(text), .character("q")]
        #expect(InputDecoder.events(of: bytes) == expected)
        #expect(InputDecoder.eventsByteByByte(of: bytes) == expected)
        for split in 0...bytes.count {
            var decoder = InputDecoder()
            #expect(decoder.feed(bytes[..<split]) + decoder.feed(bytes[split...]) == expected)
        }
    }

    @Test func invalidUTF8InAPasteIsReplaced() {
        let bytes = Array(Self.begin.utf8) + [0x61, 0xFF, 0xC3, 0x62] + Array(Self.end.utf8)
        #expect(InputDecoder.events(of: bytes) == [.paste("a\u{FFFD}\u{FFFD}b")])
    }

    @Test(.timeLimit(.minutes(5)), arguments: [0, 1, 7])
    func aPasteIsCutAtItsMaximum(excess: Int) {
        let length = InputDecoder.maximumPaste + excess
        let text = String(repeating: "x", count: length - 1) + "y"
        let kept = String(text.prefix(InputDecoder.maximumPaste))
        #expect(InputDecoder.events(of: Self.begin + text + Self.end + "q") == [.paste(kept), .character("q")])
    }

    @Test func unterminatedPasteIsDelivered() {
        var decoder = InputDecoder()
        #expect(decoder.feed((Self.begin + "abc").utf8) == [])
        #expect(decoder.unfinished == .paste(count: 3))
        #expect(decoder.flush() == [.paste("abc")])
        #expect(decoder.feed("q".utf8) == [.character("q")])
        #expect(decoder.feed(Self.begin.utf8) + decoder.flush() == [])
        #expect(decoder.feed("q".utf8) == [.character("q")])
    }
}

struct InputDecoderReplyTests {
    @Test(
        arguments: [
            ("?62;22c", "?62;22", "c"), (">41;354;0c", ">41;354;0", "c"), ("?2026;2$y", "?2026;2$", "y"),
            ("0n", "0", "n"),
            ("?997;1n", "?997;1", "n"), ("8;24;80t", "8;24;80", "t"), ("48;24;80;0;0t", "48;24;80;0;0", "t"),
            ("24;80R", "24;80", "R"),
        ] as [(String, String, Character)]
    )
    func controlSequencesThatAnswerAreReplies(bytes: String, parameters: String, final: Character) {
        let expected = InputEvent.reply(.controlSequence(parameters: parameters, final: final))
        #expect(InputDecoder.events(of: "\u{1B}[" + bytes) == [expected])
    }

    @Test(arguments: ["\u{7}", "\u{1B}\\"])
    func stringsEndWithABellOrAStringTerminator(terminator: String) {
        let color = "11;rgb:ffff/b6b6/c1c1"
        let bytes = "\u{1B}]\(color)\(terminator)q"
        let expected: [InputEvent] = [
            .reply(.operatingSystemCommand(color)), .character("q"),
        ]
        #expect(InputDecoder.events(of: bytes) == expected)
        #expect(InputDecoder.eventsByteByByte(of: bytes.utf8) == expected)
    }

    /// Strings that no query asks for: DCS, APC, as kitty's graphics protocol has, and PM.
    @Test(arguments: ["P", "_", "^"])
    func otherStringsAreNothing(introducer: String) {
        let bytes = "\u{1B}\(introducer)Gi=1;q\u{1B}\\x"
        #expect(InputDecoder.events(of: bytes) == [.character("x")])
        #expect(InputDecoder.eventsByteByByte(of: bytes.utf8) == [.character("x")])
    }

    @Test func aReplyIsOnlyAsLongAsTheMaximum() {
        let longest = String(repeating: "x", count: InputDecoder.maximumSequence)
        #expect(InputDecoder.events(of: "\u{1B}]\(longest)\u{7}") == [.reply(.operatingSystemCommand(longest))])
        #expect(InputDecoder.events(of: "\u{1B}]\(longest)x\u{7}q") == [.character("q")])
        #expect(InputDecoder.events(of: "\u{1B}P\(longest)\(longest)\u{1B}\\q") == [.character("q")])
    }

    @Test func theTerminalsWindowGetsAndLosesTheKeyboard() {
        #expect(InputDecoder.events(of: "\u{1B}[I\u{1B}[O") == [.focus(true), .focus(false)])
    }

    @Test(arguments: ["1I", "?A", "?1;2A", ">1;5C", "!p", "1 q", "?25h", "E", "99~", "?3~", "0~", "~"])
    func unknownSequencesAreNothing(bytes: String) {
        #expect(InputDecoder.events(of: "\u{1B}[\(bytes)q") == [.character("q")])
    }
}
