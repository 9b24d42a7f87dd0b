// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TerminalUI

struct GlyphRepertoireTests {
    @Test(arguments: [
        ("a", "a"), ("é", "é"), ("漢", "漢"), ("ｱ", "ｱ"), ("─", "─"), ("😀", "😀"), ("❤", "❤"), ("❤\u{FE0E}", "❤\u{FE0E}"),
        ("क्ष", "क्ष"), ("ที่", "ที่"), ("각", "각"),
        ("👨‍👩‍👧‍👦", "👨"), ("👩‍❤️‍👨", "👩"), ("❤️‍🔥", "❤ "), ("👍🏽", "👍"), ("☝🏽", "☝ "), ("🏳️‍🌈", "🏳 "),
        ("❤\u{FE0F}", "❤ "), ("⌚\u{FE0F}", "⌚"), ("⌚\u{FE0E}", "⌚"), ("1\u{FE0F}\u{20E3}", "1\u{20E3} "),
        ("1\u{FE0F}", "1 "),
        ("🇩🇪", "DE"), ("🇩", "D "), (SanitizedTests.england, "🏴"), ("🏽", "\u{FFFD} "), ("a🏽", "a\u{FFFD} "),
        ("क्\u{200D}ष", "क्ष"), ("\u{AD}", "-"), ("\u{3164}", "  "), ("\u{FFA0}", " "),
        ("\u{1100}\u{1100}\u{1161}", "\u{1100}\u{1161}"),
        ("a\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}", "a\u{301}\u{302}\u{303}\u{304}"),
        ("\u{301}", ""), ("\u{200B}", ""), ("\n", ""), ("\u{1B}", ""), ("\u{9B}", ""), ("\u{202E}", ""), ("\r\n", ""),
    ])
    func sequencesBecomeTheirSimplestRelative(cluster: String, expected: String) {
        #expect(
            Array(GlyphRepertoire.unicode.degraded(Character(cluster)).unicodeScalars) == Array(expected.unicodeScalars)
        )
    }

    @Test(arguments: [
        ("\u{1FAE8}", -1, "\u{FFFD} "), ("☰", 1, "\u{FFFD} "), ("\u{3248}", 2, "\u{FFFD}"), ("\u{897}", -1, ""),
        ("漢", 2, "漢"), ("é", 1, "é"), ("\u{1FAF7}\u{1F3FD}", -1, "\u{FFFD} "),
    ])
    func glyphsOfOtherWidthsAreReplaced(cluster: String, platformWidth: Int, expected: String) {
        #expect(GlyphRepertoire.unicode.degraded(Character(cluster)) { _ in platformWidth } == expected)
    }

    @Test
    func aMarkThatThePlatformDoesNotKnowIsLeftOut() {
        let degraded = GlyphRepertoire.unicode.degraded("a\u{20F0}\u{301}") { $0 == "\u{20F0}" ? -1 : $0.columnWidth }
        #expect(Array(degraded.unicodeScalars) == ["a", "\u{301}"])
    }

    @Test(arguments: [
        ("a", "a"), ("~", "~"), ("é", "?"), ("e\u{301}", "?"), ("漢", "??"), ("ｱ", "?"), ("👨‍👩‍👧‍👦", "??"),
        ("❤\u{FE0F}", "??"),
        ("─", "-"), ("═", "="), ("│", "|"), ("┌", "+"), ("╬", "+"), ("█", "#"), ("…", "."), ("●", "*"), ("→", ">"),
        ("✓", "v"),
        ("“", "\""), ("’", "'"), ("\u{A0}", " "), ("⠋", "*"), ("×", "x"), ("─\u{301}", "?"), ("🇩🇪", "DE"), ("🇩", "D "),
        ("\u{FFFD}", "?"), ("\u{301}", ""), ("\n", ""), ("\u{7F}", ""),
    ])
    func onlyASCIIIsLeftInAnyOtherLocale(cluster: String, expected: String) {
        #expect(GlyphRepertoire.ascii.degraded(Character(cluster)) == expected)
    }

    @Test(arguments: [GlyphRepertoire.unicode, .ascii])
    func columnsAreKept(repertoire: GlyphRepertoire) {
        for text in HostileText.texts(count: 2000, seed: 5) + WidthFixtures.all.map(\.text) {
            for cluster in text {
                let degraded = repertoire.degraded(cluster)
                #expect(degraded.columnWidth == cluster.columnWidth, "\(String(cluster).escaped)")
                #expect(repertoire.isUTF8 || degraded.isPrintableASCII)
            }
        }
    }

    @Test
    func scalarsAtTheEdgesOfTheTablesKeepTheirColumns() {
        let edges = WidthTable.unicode.runs.map { $0 >> 4 }.flatMap { [$0 &- 1, $0] }
        for cluster in edges.compactMap(Unicode.Scalar.init).map(Character.init) {
            let columns = cluster.columnWidth
            #expect(GlyphRepertoire.unicode.degraded(cluster).columnWidth == columns, "\(String(cluster).escaped)")
            #expect(GlyphRepertoire.ascii.degraded(cluster).utf8.count == columns, "\(String(cluster).escaped)")
        }
    }

    @Test
    func replacementsKeepTheWidth() {
        let clusters = (0xA0...0x33FF as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init).map(Character.init)
        let misfits = clusters.filter { GlyphRepertoire.ascii.degraded($0).utf8.count != $0.columnWidth }
        #expect(misfits.isEmpty)
    }

    @Test
    func cellsAreOneSpacingScalarAndAtMostFourMarks() {
        for text in HostileText.texts(count: 2000, seed: 6) + WidthFixtures.all.map(\.text) {
            for cluster in text {
                let scalars = GlyphRepertoire.unicode.degraded(cluster).unicodeScalars
                #expect(scalars.first.map { $0.columnWidth > 0 } ?? true)
                #expect(scalars.reduce(0) { $0 + $1.columnWidth } == cluster.columnWidth)
                #expect(!scalars.split { $0.columnWidth > 0 }.contains { $0.count > 4 })
            }
        }
    }
}
