import Testing

@testable import TerminalUI

/// Sequences that are cut off, too long, or no sequences at all. No key that follows may be lost.
struct InputDecoderDamageTests {
    private static let beginnings = [
        "\u{1B}", "\u{1B}[", "\u{1B}[1", "\u{1B}[1;", "\u{1B}[<0;1", "\u{1B}[[", "\u{1B}O", "\u{1B}]",
        "\u{1B}]11;rgb:ff",
        "\u{1B}P", "\u{1B}P1+r",
    ]

    @Test(arguments: beginnings)
    func aSequenceThatIsCutOffGivesWayToTheNext(beginning: String) {
        let events = InputDecoder.events(of: beginning + "\u{1B}[A")
        #expect(events.last == .special(.up))
        #expect(events.dropLast().allSatisfy { $0 == .special(.escape) })
    }

    @Test(arguments: beginnings.dropFirst())
    func aSequenceThatIsCutOffLosesNoControlKey(beginning: String) {
        #expect(InputDecoder.events(of: beginning + "\u{3}q") == [.character("c", .control), .character("q")])
        #expect(InputDecoder.events(of: beginning + "\rq") == [.special(.enter), .character("q")])
    }

    @Test(arguments: ["\u{1B}[", "\u{1B}[1;", "\u{1B}O"])
    func aSequenceThatIsCutOffLosesNoCharacterBeyondASCII(beginning: String) {
        #expect(InputDecoder.events(of: beginning + "é") == [.character("é")])
    }

    @Test(arguments: ["\u{1B}]11;rgb:ff\u{1B}", "\u{1B}P1+r\u{1B}"])
    func anAnswerThatEndsInAnEscapeIsGivenUpAfterAPause(beginning: String) {
        var decoder = InputDecoder()
        #expect(decoder.feed(beginning.utf8) == [])
        #expect(decoder.isUndecided)
        #expect(decoder.flush() == [])
        #expect(decoder.feed("q".utf8) == [.character("q")])
    }

    @Test(arguments: [65, 4096, 4097, 10_000])
    func aSequenceThatIsTooLongIsDroppedWhole(length: Int) {
        let parameters = String(repeating: "1;", count: length)
        #expect(InputDecoder.events(of: "\u{1B}[<\(parameters)Mq") == [.character("q")])
        #expect(InputDecoder.events(of: "\u{1B}[?\(parameters)hq") == [.character("q")])
    }

    @Test(arguments: [
        ("1;-9223372036854775808A", InputEvent.special(.up)), ("1;9223372036854775808A", .special(.up)),
        ("1;9999999999999999999999B", .special(.down)), ("1;0C", .special(.right)), ("1;;;;5D", .special(.left)),
        ("3;99999999999999999999~", .special(.delete)),
    ])
    func numbersBeyondReasonChangeNothing(bytes: String, event: InputEvent) {
        #expect([[event], []].contains(InputDecoder.events(of: "\u{1B}[" + bytes)))
    }

    @Test(arguments: ["\u{1B}Oq", "\u{1B}O1", "\u{1B}O~"])
    func unknownKeysOfTheKeypadAreNothing(bytes: String) {
        #expect(InputDecoder.events(of: bytes + "q") == [.character("q")])
    }
}
