// SPDX-License-Identifier: Apache-2.0

import Testing
import TextPatterns

/// The matches of patterns, by ECMA-262 with the flag `u`.
struct TextPatternTests {
    @Test(arguments: [
        // Unanchored, and by Unicode scalars.
        ("a+", "xaay"), ("", ""), ("", "x"), ("^$", ""), ("^a*$", "aaa"), ("^.$", "🐲"), ("^🐲*$", "🐲🐲"), ("^é$", "é"),
        // Alternatives, groups and repeats, greedy and lazy.
        ("^(ab|cd)+$", "abcdab"), ("^(?:|a)b$", "b"), ("^a{2}$", "aa"), ("^a{2,}$", "aaaa"), ("^a{1,3}?$", "aaa"),
        ("^(?<year>\\d{4})-(?<month>\\d\\d)$", "2026-11"), ("^(a*)*$", "aaa"), ("^(a{0})b$", "b"),
        ("^(){9999999}a$", "a"),
        ("^a*?b+?c??$", "aabb"), ("^((a|b)*c)*$", "abcbc"), ("a|", "x"), ("^(?:a?){3}$", "aa"),
        // Classes.
        ("^[a-c-]+$", "a-c"), ("^[^a]$", "b"), ("^[^]$", "\n"), ("^[\\w.-]+$", "a_9.-"), ("^[\\]\\-^]+$", "]-^"),
        ("^[\\d\\D]$", "x"), ("^[\\b]$", "\u{8}"), ("^[🐀-🐲]$", "🐉"), ("^[^\\p{L}]+$", "123"), ("^[+--]$", ","),
        // Escapes of characters.
        ("^\\t\\n\\v\\f\\r$", "\t\n\u{B}\u{C}\r"), ("^\\cC\\cj$", "\u{3}\n"), ("^\\0$", "\0"), ("^\\x41\\u0042$", "AB"),
        ("^\\uD83D\\uDE00$", "😀"), ("^\\u{1F600}$", "😀"), ("^\\u{0000041}$", "A"),
        ("^\\^\\$\\\\\\.\\*\\+\\?\\(\\)\\[\\]\\{\\}\\|\\/$", "^$\\.*+?()[]{}|/"),
        // Escapes of classes.
        ("^\\d\\D$", "1٣"), ("^\\w\\W$", "aé"), ("^\\s+$", " \t\u{FEFF}\u{A0}\u{2029}\u{2003}"), ("^\\S$", "\u{200B}"),
        ("^\\p{Letter}\\p{Lu}\\P{Lu}$", "éÉé"), ("^\\p{gc=Nd}\\p{digit}$", "1٣"),
        ("^\\p{General_Category=Currency_Symbol}$", "€"),
        ("^\\p{ASCII}\\P{ASCII}\\p{Any}\\p{Assigned}$", "aéxx"), ("^\\p{LC}\\p{P}\\p{Zs}\\p{Cc}$", "a! \u{1}"),
        // Assertions.
        ("\\bcat\\b", "a cat."), ("\\Bat\\b", "cat"), ("^\\B$", ""), ("(^a|b$)", "xb"), ("$", "abc"),
        ("(?:^|,)b(?:,|$)", "a,b"),
    ])
    func matches(pattern: String, text: String) throws {
        #expect(try TextPattern(pattern).matches(text))
    }

    @Test(arguments: [
        ("^abc$", "abc\n"), ("^a$", "A"), ("a{2,3}b", "ab"), ("^a{2,3}$", "aaaa"), (".", "\n"), (".", "\u{2028}"),
        ("[]", "a"),
        ("[^\\s]", " \n"), ("\\d", "٣"), ("\\w", "é"), ("\\bcat\\b", "concat"), ("\\B", "a"), ("^e\u{301}$", "é"),
        ("[^\\w\\W]", "a"), ("^[^\\p{L}]$", "é"), ("\\p{Lu}", "abc"), ("^(ab|cd)+$", "abc"), ("a^", "a"), ("$a", "a"),
        ("\\P{Any}", "a"), ("^\\s$", "\u{200B}"), ("^\\uD83D\\uDE00$", "😁"), ("^[^]$", ""),
    ])
    func doesNotMatch(pattern: String, text: String) throws {
        #expect(try !TextPattern(pattern).matches(text))
    }

    @Test(arguments: [
        // Patterns that cannot be matched in linear time.
        ("ab(?=c)", 2, "looks ahead"), ("(?!a)", 0, "looks ahead"), ("a(?<=a)", 1, "looks behind"),
        ("(?<!a)", 0, "looks behind"),
        ("(a)\\1", 3, "back reference"), ("(?<n>a)\\k<n>", 7, "back reference"), ("a{2001}", 0, "more than 2000 steps"),
        ("(a{100}){100}", 0, "more than 2000 steps"), ("((a{9999}){9999}){9999}", 0, "more than 2000 steps"),
        // Text outside the grammar.
        ("(a", 0, "missing ')'"), ("a)", 1, "missing '('"), ("[a", 0, "missing ']'"), ("a\\", 1, "backslash"),
        ("*a", 0, "nothing to repeat"),
        ("a**", 2, "nothing to repeat"), ("a|+", 2, "nothing to repeat"), ("^*", 1, "assertion"),
        ("\\b+", 2, "assertion"),
        ("{2}", 0, "unmatched"), ("a}", 1, "unmatched"), ("a]", 1, "unmatched"), ("a{2", 1, "{n}"),
        ("a{,2}", 1, "{n}"),
        ("a{3,2}", 0, "out of order"), ("[b-a]", 1, "out of order"), ("[\\d-z]", 1, "each end"),
        ("[a-\\w]", 1, "each end"),
        ("\\a", 0, "not an ECMA-262 escape"), ("\\-", 0, "not an ECMA-262 escape"),
        ("\\_", 0, "not an ECMA-262 escape"), ("\\c1", 0, "letter"),
        ("\\01", 0, "octal"),
        ("\\x4", 0, "hexadecimal"), ("\\u004", 0, "hexadecimal"), ("\\u{110000}", 0, "Unicode scalar"),
        ("\\u{}", 0, "Unicode scalar"),
        ("\\uD83D", 0, "surrogate"), ("\\uDE00\\uD83D", 0, "surrogate"), ("\\u{D800}", 0, "Unicode scalar"),
        ("\\p{Greek}", 0, "is unknown"), ("\\p{Script=Greek}", 0, "is unknown"), ("\\pL", 0, "\\p{L}"),
        ("\\p{L", 0, "\\p{L}"),
        ("(?i)a", 0, "unsupported group"), ("(?i:a)", 0, "unsupported group"), ("(?<1>a)", 0, "invalid group name"),
        ("(?<a", 0, "unterminated group name"),
        ("(?<a>b)(?<a>c)", 7, "duplicate group name"), ("[\\1]", 1, "back reference"), ("\\8", 0, "back reference"),
    ])
    func isRefusedWithItsPlace(pattern: String, offset: Int, phrase: String) throws {
        let error = try #require(throws: PatternError.self) { try TextPattern(pattern) }
        #expect(error.offset == offset)
        #expect(error.message.contains(phrase), "\(error)")
        #expect(error.description.hasPrefix("character \(offset + 1): "))
    }

    @Test func groupsMayHaveNamesThatOnlyLookTheSame() throws {
        #expect(try TextPattern("^(?<\u{E9}>a)(?<e\u{301}>b)$").matches("ab"))
    }

    @Test func groupsMayBeNestedAHundredDeep() throws {
        let deep = { (depth: Int) in String(repeating: "(", count: depth) + "a" + String(repeating: ")", count: depth) }
        #expect(try TextPattern(deep(100)).matches("a"))
        #expect(throws: PatternError.self) { try TextPattern(deep(101)) }
        #expect(throws: PatternError.self) { try TextPattern(deep(30_000)) }
    }

    @Test func patternsAreEqualWhenWrittenAlike() throws {
        let patterns: Set = [try TextPattern("é"), try TextPattern("e\u{301}"), try TextPattern("é")]
        #expect(patterns.count == 2)
    }
}
