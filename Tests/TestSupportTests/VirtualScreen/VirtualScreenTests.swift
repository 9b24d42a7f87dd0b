// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// Output that a careful program does not send is recorded, and nothing breaks the screen.
struct VirtualScreenTests {
    private func screen(_ input: String, columns: Int = 10) -> VirtualScreen {
        var screen = VirtualScreen(columns: columns, rows: 3)
        screen.feed(input)
        return screen
    }

    @Test(arguments: [
        ("\u{0}", "control byte 00"), ("\u{5}", "control byte 05"), ("\u{B}", "control byte 0B"),
        ("\u{7F}", "control byte 7F"), ("\u{9B}31m", "C1 control U+009B"),
        ("\u{1B}[5i", "control sequence CSI 5i"), ("\u{1B}[?6J", "control sequence CSI ?6J"),
        ("\u{1B}[>4;1m", "control sequence CSI >4;1m"), ("\u{1B}[7J", "control sequence CSI 7J"),
        ("\u{1B}[?9999h", "unknown private mode 9999 in CSI ?9999h"), ("\u{1B}[9h", "unknown mode 9 in CSI 9h"),
        ("\u{1B}[?3h", "unknown private mode 3 in CSI ?3h"), ("\u{1B}[1 2m", "control sequence CSI 1 2m"),
        ("\u{1B}g", "escape sequence ESC g"), ("\u{1B}(Z", "escape sequence ESC (Z"),
        ("\u{1B}]99;x\u{7}", "OSC string 99;x"), ("\u{1B}]4;3;#000000\u{7}", "OSC string 4;3;#000000"),
        ("\u{1B}[4:3m", "control sequence CSI 4:3m"), ("\u{1B}[4h", "unknown mode 4 in CSI 4h"),
        ("\u{1B}(0", "escape sequence ESC (0"),
        ("\u{1B}]10;#000000\u{7}", "OSC string 10;#000000"), ("\u{1B}P+q544e\u{1B}\\", "DCS string +q544e"),
        ("\u{1B}_G\u{1B}\\", "APC string G"), ("\u{1B}]2;x\n", "OSC string broken off by byte 0A"),
        ("\u{1B}[3\u{18}", "control sequence broken off by byte 18"),
        ("\u{1B}[3\u{1B}[m", "unfinished control sequence"),
        ("\u{1B}]2;x\u{1B}[m", "unfinished OSC string"), ("\u{1B}[123456m", "control sequence CSI 123456m"),
    ])
    func notesViolations(input: String, expected: String) {
        #expect(screen(input).violations.first == expected)
    }

    @Test(
        arguments: [[0xFF], [0xC0, 0x80], [0xE2, 0x28], [0xED, 0xA0, 0x80], [0xF5], [0x80], [0xF0, 0x80]] as [[UInt8]]
    )
    func notesInvalidUTF8(bytes: [UInt8]) {
        var screen = screen("")
        screen.feed(bytes + Array("ok".utf8))
        #expect(screen.violations.first?.hasPrefix("invalid UTF-8") == true)
        #expect(screen.text.hasSuffix("ok"))
    }

    @Test func notesAWideCharacterWithoutRoom() {
        #expect(screen("世", columns: 1).violations.count == 1)
        #expect(screen("\u{1B}[?7l\u{1B}[10G世").violations.count == 1)
        #expect(screen("\u{301}").violations.count == 1)
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func readsTheSameHoweverTheBytesAreCut(seed: UInt64) {
        let bytes = Array(RandomStream(seed: seed, columns: 40, rows: 10).pieces.joined().utf8)
        var whole = VirtualScreen(columns: 40, rows: 10)
        whole.feed(bytes)

        var random = SeededGenerator(seed: seed)
        var cut = VirtualScreen(columns: 40, rows: 10)
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(Int.random(in: 1...7, using: &random))
            cut.feed(piece)
            rest = rest.dropFirst(piece.count)
        }
        #expect(cut.differences(from: whole) == [])
        #expect(cut.violations == whole.violations)
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func survivesAnyBytes(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var screen = VirtualScreen(columns: 7, rows: 3)
        let starts: [[UInt8]] = [[], [0x1B], [0x1B, 0x5B], [0x1B, 0x5D], [0x1B, 0x5B, 0x3F]]
        for _ in 0..<2000 {
            screen.feed(starts.randomElement(using: &random) ?? [])
            screen.feed(
                (0..<Int.random(in: 0...6, using: &random)).map { _ in UInt8.random(in: 0...127, using: &random) }
            )
        }
        #expect(screen.rows == 3 && screen.columns == 7)
        for row in 0..<3 { #expect(screen.cells(row: row).reduce(0) { $0 + $1.width } == 7) }
    }
}
