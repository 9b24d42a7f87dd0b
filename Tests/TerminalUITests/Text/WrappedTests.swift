import Testing

@testable import TerminalUI

struct WrappedTests {
    @Test(arguments: [
        ("", 5, []), ("one", 5, ["one"]), ("one two", 7, ["one two"]), ("one two", 6, ["one", "two"]),
        ("one two three", 8, ["one two", "three"]), ("one  two", 8, ["one  two"]), ("one  two", 4, ["one", "two"]),
        ("  one  ", 5, ["one"]), ("one ", 3, ["one"]), ("one     ", 3, ["one"]), ("one     two", 3, ["one", "two"]),
        ("abcdefgh", 3, ["abc", "def", "gh"]), ("ab cdefgh", 4, ["ab", "cdef", "gh"]), ("漢字漢字", 5, ["漢字", "漢字"]),
        ("a\nb", 5, ["a", "b"]), ("a\n\nb", 5, ["a", "", "b"]), ("a\n", 5, ["a"]), ("abc  \ndef", 3, ["abc", "def"]),
        ("a\n  b", 5, ["a", "b"]), ("a\r\nb", 5, ["a", "b"]), ("漢a", 1, ["…", "a"]), ("設定\u{3000}更新", 5, ["設定", "更新"]),
        ("a\u{A0}b c", 4, ["a\u{A0}b", "c"]), ("👨‍👩‍👧‍👦👨‍👩‍👧‍👦", 3, ["👨‍👩‍👧‍👦", "👨‍👩‍👧‍👦"]), ("abc", 0, []), ("abc", -1, []),
    ])
    func breaksBetweenWords(text: String, columns: Int, expected: [String]) {
        #expect(text.wrapped(toColumns: columns, maximumLines: 9) == expected)
        #expect(text[...].wrapped(toColumns: columns, maximumLines: 9) == expected)
    }

    @Test(arguments: [
        ("one two three", 5, 2, ["one", "two…"]), ("one two three", 5, 3, ["one", "two", "three"]),
        ("one two", 3, 1, ["on…"]), ("one two", 5, 1, ["one…"]), ("one\ntwo", 9, 1, ["one…"]),
        ("one\ntwo", 3, 1, ["on…"]), ("one \n ", 3, 1, ["one"]), ("漢字漢字", 4, 1, ["漢…"]), ("漢字", 1, 1, ["…"]),
        ("one two", 9, 0, []), ("one two", 9, -1, []), ("ab", 1, 1, ["…"]), ("\n\none", 5, 2, ["", "…"]),
    ])
    func endsInAnEllipsisWhenLinesRunOut(text: String, columns: Int, lines: Int, expected: [String]) {
        #expect(text.wrapped(toColumns: columns, maximumLines: lines) == expected)
    }

    @Test
    func keepsWithinColumnsAndLines() {
        for (number, text) in HostileText.texts(count: 2000, seed: 3).enumerated() {
            let (columns, maximum) = (number % 11, number % 5)
            let text = number.isMultiple(of: 2) ? text.sanitized() : text
            let lines = text.wrapped(toColumns: columns, maximumLines: maximum)
            #expect(lines.count <= maximum, "\(text.escaped)")
            #expect(lines.allSatisfy { $0.columnWidth <= columns }, "\(text.escaped)")
        }
    }

    @Test
    func losesNothingButSpacesWhenThereIsRoom() {
        for text in HostileText.texts(count: 2000, seed: 4).map({ $0.sanitized() }) {
            let lines = text.wrapped(toColumns: 60, maximumLines: 100)
            #expect(lines.joined().filter(isShown) == text.filter(isShown), "\(text.escaped)")
        }
    }

    private func isShown(_ character: Character) -> Bool {
        !character.isWhitespace
    }
}
