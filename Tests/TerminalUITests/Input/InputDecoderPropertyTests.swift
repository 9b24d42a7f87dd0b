// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import TerminalUI

struct InputDecoderPropertyTests {
    @Test(.timeLimit(.minutes(5)))
    func howBytesAreSplitMakesNoDifference() {
        var source = TerminalBytes(seed: 20)
        for _ in 0..<20_000 {
            let bytes = source.next()
            let whole = InputDecoder.events(of: bytes)
            let single = InputDecoder.eventsByteByByte(of: bytes)
            let split = Int.random(in: 0...bytes.count, using: &source.generator)
            var decoder = InputDecoder()
            let halves = decoder.feed(bytes[..<split]) + decoder.feed(bytes[split...]) + decoder.flush()
            guard whole == single, whole == halves else {
                Issue.record("\(bytes) gives \(whole), \(single) and \(halves)")
                return
            }
        }
    }

    /// The end of a paste resets the decoder from any state.
    @Test(.timeLimit(.minutes(5)))
    func randomBytesNeverStopTheDecoder() {
        var source = TerminalBytes(seed: 200_000)
        let reset = Array("\u{1B}[201~q".utf8)
        var decoder = InputDecoder()
        for _ in 0..<50_000 {
            let bytes = source.next()
            _ = decoder.feed(bytes)
            if Bool.random(using: &source.generator) { _ = decoder.flush() }
            let events = decoder.feed(reset)
            guard events.last == .character("q"), decoder.state == .ground else {
                Issue.record("after \(bytes) the key q is \(events)")
                return
            }
        }
    }
}

/// Bytes as a broken or hostile terminal might send: sequences, pieces of them, and noise.
private struct TerminalBytes {
    var generator: SeededGenerator

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    /// Up to eight pieces.
    mutating func next() -> [UInt8] {
        (0..<Int.random(in: 0...8, using: &generator)).flatMap { _ in piece() }
    }

    private mutating func piece() -> [UInt8] {
        if UInt8.random(in: 0..<4, using: &generator) == 0 { return [.random(in: 0...255, using: &generator)] }
        return Array((Self.pieces.randomElement(using: &generator) ?? "").utf8)
    }

    private static let pieces = [
        "\u{1B}", "\u{1B}", "\u{1B}[", "\u{1B}[", "[", "[", "O", "]", "P", "\\", "\u{7}", ";", ";", "<", "?", "-", "+",
        ":", "0",
        "1", "5", "32", "64", "200", "201", "9223372036854775807", "-9223372036854775808", "99999999999999999999", "~",
        "~", "M", "m", "A", "R", "c", "I", "$", "!", "q", " ", "\r", "\u{3}", "é", "漢", "😸", "\u{1B}[200~",
        "\u{1B}[201~",
        "\u{1B}[<0;5;5M", "\u{1B}[1;-9223372036854775808A", "\u{1B}]11;rgb:ff", "\u{1B}P1+r", "\u{1B}\\",
    ]
}

/// Sequences that are cut off or too long, and bytes that are not sequences. No key that follows may be lost.
struct InputDecoderDamageTests {
    private static let beginnings = [
        "\u{1B}", "\u{1B}[", "\u{1B}[1", "\u{1B}[1;", "\u{1B}[<0;1", "\u{1B}[[", "\u{1B}O", "\u{1B}]",
        "\u{1B}]11;rgb:ff",
        "\u{1B}P", "\u{1B}P1+r", "\u{1B}_", "\u{1B}^G",
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

    @Test(arguments: [
        "\u{1B}[1", "\u{1B}[1;", "\u{1B}]11;rgb:ff", "\u{1B}]11;rgb:ff\u{1B}", "\u{1B}P1+r", "\u{1B}P1+r\u{1B}",
    ])
    func aSequenceWithoutAnEndIsGivenUp(beginning: String) {
        var decoder = InputDecoder()
        #expect(decoder.feed(beginning.utf8) == [])
        #expect(decoder.unfinished == .sequence)
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
