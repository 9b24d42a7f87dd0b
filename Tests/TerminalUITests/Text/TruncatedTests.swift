import Testing

@testable import TerminalUI

struct TruncatedTests {
    @Test(arguments: [
        ("hello", 5, "hello"), ("hello", 4, "hel…"), ("hello", 1, "…"), ("hello", 0, ""), ("hello", -3, ""),
        ("", 3, ""),
        ("漢字", 4, "漢字"), ("漢字", 3, "漢…"), ("漢字", 2, "…"), ("漢字漢", 5, "漢字…"), ("a漢字", 4, "a漢…"),
        ("👨‍👩‍👧‍👦👨‍👩‍👧‍👦", 3, "👨‍👩‍👧‍👦…"), ("🇩🇪🇫🇷", 3, "🇩🇪…"), ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"),
        ("ab\u{200B}", 2, "ab\u{200B}"), ("நிறம் பச்சை", 5, "நிறம்…"),
    ])
    func cutsBetweenClusters(text: String, columns: Int, expected: String) {
        #expect(text.truncated(toColumns: columns) == expected)
        #expect(text[...].truncated(toColumns: columns) == expected)
    }

    @Test(arguments: [
        ("hello", 4, "...", "h..."), ("hello", 3, "...", "..."), ("hello", 2, "...", "he"), ("hello", 3, "", "hel"),
        ("hello", 1, "漢", "h"), ("hello", 3, "漢", "h漢"),
    ])
    func takesAnyEllipsis(text: String, columns: Int, ellipsis: String, expected: String) {
        #expect(text.truncated(toColumns: columns, ellipsis: ellipsis) == expected)
    }

    @Test
    func isNeverWiderThanAskedAndABeginningOfTheText() {
        for (number, text) in HostileText.texts(count: 2000, seed: 2).enumerated() {
            let columns = number % 14
            let sanitized = text.sanitized()
            let cut = sanitized.truncated(toColumns: columns)
            #expect(cut.columnWidth <= columns, "\(text.escaped)")
            if sanitized.columnWidth <= columns, columns > 0 {
                #expect(cut == sanitized)
            } else if columns > 0 {
                #expect(cut.unicodeScalars.last == "…")
                #expect(sanitized.unicodeScalars.starts(with: cut.unicodeScalars.dropLast()), "\(text.escaped)")
            }
        }
    }
}
