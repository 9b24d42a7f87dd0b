import Testing

@testable import TerminalUI

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

    @Test func whatIsNotUTF8InAPasteIsReplaced() {
        let bytes = Array(Self.begin.utf8) + [0x61, 0xFF, 0xC3, 0x62] + Array(Self.end.utf8)
        #expect(InputDecoder.events(of: bytes) == [.paste("a\u{FFFD}\u{FFFD}b")])
    }

    @Test func anEndWithoutABeginningIsNothing() {
        #expect(InputDecoder.events(of: Self.end + "q") == [.character("q")])
    }

    @Test func pastesFollowEachOther() {
        let bytes = Self.begin + "a" + Self.end + Self.begin + "b" + Self.end
        #expect(InputDecoder.events(of: bytes) == [.paste("a"), .paste("b")])
    }

    @Test(.timeLimit(.minutes(5)), arguments: [0, 1, 7])
    func aPasteIsCutAtItsMaximum(excess: Int) {
        let length = InputDecoder.maximumPaste + excess
        let text = String(repeating: "x", count: length - 1) + "y"
        let kept = String(text.prefix(InputDecoder.maximumPaste))
        #expect(InputDecoder.events(of: Self.begin + text + Self.end + "q") == [.paste(kept), .character("q")])
    }

    @Test func anUnfinishedPasteIsNotGuessedAt() {
        var decoder = InputDecoder()
        #expect(decoder.feed((Self.begin + "abc\u{1B}").utf8) == [])
        #expect(!decoder.isUndecided)
        #expect(decoder.flush() == [])
        #expect(decoder.feed("[201~".utf8) == [.paste("abc")])
    }
}
