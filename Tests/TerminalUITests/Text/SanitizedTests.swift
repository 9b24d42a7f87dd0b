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
    func whatCommandsOrHidesIsReplaced(text: String, expected: String) {
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
