import Testing

@testable import TerminalUI

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
        let bytes = "\u{1B}]\(color)\(terminator)\u{1B}P1+r524742=38\(terminator)q"
        let expected: [InputEvent] = [
            .reply(.operatingSystemCommand(color)), .reply(.deviceControl("1+r524742=38")), .character("q"),
        ]
        #expect(InputDecoder.events(of: bytes) == expected)
        #expect(InputDecoder.eventsByteByByte(of: bytes.utf8) == expected)
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

    @Test(arguments: ["1I", "?A", "?1;2A", ">1;5C", "!p", "1 q", "?25h", "u", "97;5u", "E", "99~", "?3~", "0~", "~"])
    func unknownSequencesAreNothing(bytes: String) {
        #expect(InputDecoder.events(of: "\u{1B}[\(bytes)q") == [.character("q")])
    }
}
