import Testing

@testable import TerminalUI

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
    func whatIsNotUTF8IsLeftOutAndTheNextKeyIsNot(bytes: [UInt8]) {
        #expect(InputDecoder.events(of: bytes + [UInt8(ascii: "q")]) == [.character("q")])
        #expect(InputDecoder.events(of: bytes + Array("\u{1B}[A".utf8)) == [.special(.up)])
        #expect(InputDecoder.events(of: bytes + Array("é".utf8)) == [.character("é")])
    }

    @Test func aCharacterCutOffByAnEscapeLeavesTheEscape() {
        #expect(InputDecoder.events(of: [0xE6, 0xBC, 0x1B]) == [.special(.escape)])
    }
}
