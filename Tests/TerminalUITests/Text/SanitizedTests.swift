// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import TerminalUI

struct SanitizedTests {
    @Test(arguments: [
        ("plain", "plain"), ("", ""), ("Привет, 世界 👋", "Привет, 世界 👋"),
        ("a\tb\nc\r\nd", "a b c d"), ("a\rb", "a\u{FFFD}b"), ("\r\r\n", "\u{FFFD} "),
        ("\u{1B}[2J\u{9B}31m\u{7F}", "\u{FFFD}[2J\u{FFFD}31m\u{FFFD}"),
        ("\u{202E}evil\u{202C}", "\u{FFFD}evil\u{FFFD}"), ("a\u{200E}\u{200F}\u{61C}", "a\u{FFFD}\u{FFFD}\u{FFFD}"),
        ("\u{2066}x\u{2069}", "\u{FFFD}x\u{FFFD}"), ("a\u{2028}b\u{2029}", "a\u{FFFD}b\u{FFFD}"),
        ("\u{FEFF}bom", "\u{FFFD}bom"), (WidthFixtures.noncharacters, "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
        ("\u{FFF9}a\u{FFFB}", "\u{FFFD}a\u{FFFD}"), ("\u{E000}\u{F0001}", "\u{E000}\u{F0001}"),
        ("می\u{200C}خواهم", "می\u{200C}خواهم"),
    ])
    func controlAndInvisibleCharactersAreReplaced(text: String, expected: String) {
        #expect(text.sanitized() == expected)
        #expect(text[...].sanitized() == expected)
    }

    @Test(arguments: [
        ("a\u{200D}b", "ab"), ("\u{200D}", ""), ("👩\u{200D}", "👩"), ("\u{200D}👩", "👩"), ("a\u{200D}👩", "a👩"),
        ("👩\u{200D}💻", "👩\u{200D}💻"), ("👩🏽\u{200D}💻", "👩🏽\u{200D}💻"), ("❤\u{FE0F}\u{200D}🔥", "❤\u{FE0F}\u{200D}🔥"),
        ("👩\u{200D}\u{200D}💻", "👩\u{200D}💻"), ("👩\u{301}\u{200D}💻", "👩\u{301}💻"), ("🇩🇪\u{200D}💻", "🇩🇪💻"),
        ("क्\u{200D}ष", "क्\u{200D}ष"), ("র\u{200D}্য", "র\u{200D}্য"), ("ශ්\u{200D}රී", "ශ්\u{200D}රී"),
        ("क\u{200D}ष", "कष"), ("ه\u{200D}", "ه"),
    ])
    func joinersStayWhereTheyJoin(text: String, expected: String) {
        #expect(Array(text.sanitized().unicodeScalars) == Array(expected.unicodeScalars))
    }

    static let england = "\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}"

    @Test(arguments: [
        (england, england), ("a\(england)\(england)b", "a\(england)\(england)b"),
        ("\u{E0041}", "\u{FFFD}"), ("a\u{E0067}\u{E007F}", "a\u{FFFD}\u{FFFD}"),
        ("\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}", "\u{1F3F4}\u{FFFD}\u{FFFD}\u{FFFD}"),
        ("\u{1F3F4}\u{E0067}\u{E0062}\u{E007F}", "\u{1F3F4}\u{FFFD}\u{FFFD}\u{FFFD}"),
        ("\u{1F3F4}\u{E0041}\u{E0042}\u{E0043}\u{E007F}", "\u{1F3F4}" + String(repeating: "\u{FFFD}", count: 4)),
        (
            "\u{1F3F4}" + String(repeating: "\u{E0061}", count: 7) + "\u{E007F}",
            "\u{1F3F4}" + String(repeating: "\u{FFFD}", count: 8)
        ),
    ])
    func tagsStayInFlagsOfSubdivisions(text: String, expected: String) {
        #expect(Array(text.sanitized().unicodeScalars) == Array(expected.unicodeScalars))
    }

    @Test
    func hostileTextIsCleanAfterOnePass() {
        for text in HostileText.texts(count: 4000, seed: 1) + WidthFixtures.all.map(\.text) {
            let sanitized = text.sanitized()
            #expect(Array(sanitized.sanitized().unicodeScalars) == Array(sanitized.unicodeScalars), "\(text.escaped)")
            #expect(!sanitized.unicodeScalars.contains(where: isForbidden), "\(text.escaped)")
            #expect(sanitized.allSatisfy(isFreeOfStrayTagsAndJoiners), "\(text.escaped)")
        }
    }

    private func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: return true
        default: break
        }
        let isBidirectional = scalar.properties.isBidiControl
        return isBidirectional || scalar.properties.isNoncharacterCodePoint || scalar == "\u{FEFF}"
    }

    private func isFreeOfStrayTagsAndJoiners(_ cluster: Character) -> Bool {
        let scalars = Array(cluster.unicodeScalars)
        if scalars.contains(where: \.isTag) {
            return scalars.first == "\u{1F3F4}" && scalars.contains("\u{E007F}")
        }
        guard scalars.contains("\u{200D}") else { return true }
        let isEmoji = scalars.count { $0.isPictographic } > 1
        return isEmoji || scalars.contains { $0.properties.canonicalCombiningClass == .virama }
    }
}

/// Texts of scalars that command, hide, widen or join: what an attacker or a broken editor would send.
struct HostileText {
    private var generator: SeededGenerator

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    /// A text of 0 to 24 scalars.
    mutating func next() -> String {
        var scalars = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...24, using: &generator) {
            let range = Self.ranges.randomElement(using: &generator) ?? 0...0
            scalars.append(Unicode.Scalar(UInt32.random(in: range, using: &generator)) ?? "\u{FFFD}")
        }
        return String(scalars)
    }

    /// Texts for a property to hold of, the same for the same seed.
    static func texts(count: Int, seed: UInt64) -> [String] {
        var source = HostileText(seed: seed)
        return (0..<count).map { _ in source.next() }
    }

    /// Listed more than once: likelier.
    private static let ranges: [ClosedRange<UInt32>] = [
        0x0...0x20, 0x20...0x20, 0x20...0x7E, 0x61...0x7A, 0x30...0x39, 0x7F...0xA0, 0xA0...0x2FF, 0x300...0x30F,
        0x5D0...0x61C, 0x915...0x94D, 0x94D...0x94D, 0xDB3...0xDDF, 0xE01...0xE3A, 0x1100...0x1112, 0x1160...0x1175,
        0x11A8...0x11C2, 0x200B...0x200F, 0x200D...0x200D, 0x200D...0x200D, 0x2028...0x202E, 0x2060...0x206F,
        0x20E3...0x20E3, 0x2500...0x25FF, 0x2600...0x2764, 0x3000...0x30FF, 0x4E00...0x4E20, 0xAC00...0xAC40,
        0xFE00...0xFE0F, 0xFE0F...0xFE0F, 0xFE0F...0xFE0F, 0xFEFF...0xFEFF, 0xFF61...0xFFA0, 0xFFF9...0xFFFF,
        0x1F1E6...0x1F1FF, 0x1F1E6...0x1F1FF, 0x1F3F0...0x1F3F4, 0x1F3F4...0x1F3F4, 0x1F3FB...0x1F3FF,
        0x1F440...0x1F4FF, 0x1F466...0x1F469, 0x1FA70...0x1FAFF, 0xE0000...0xE007F, 0xE0061...0xE007A,
        0xE007F...0xE007F, 0xE0100...0xE0110, 0x10_FFF0...0x10_FFFF, 0x0...0x10_FFFF,
    ]
}

extension StringProtocol {
    /// The text with everything outside printable ASCII as escapes, for messages.
    var escaped: String {
        unicodeScalars.map { $0.escaped(asASCII: true) }.joined()
    }
}
