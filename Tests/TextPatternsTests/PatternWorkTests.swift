// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TextPatterns

/// The work of patterns, counted in visits of a step, and their matches.
struct PatternWorkTests {
    /// Each scalar, and the end, costs no more than one visit of each step, beside what making room for them costs.
    private static func isLinear(_ pattern: TextPattern, _ text: String) -> Bool {
        pattern.search(text, withinWork: .max).work <= (text.unicodeScalars.count + 2) * pattern.stepCount
    }

    @Test(arguments: [
        "^(a*)*$", "^(a+)+b", "(a|a)*b", "(a|aa)+$", "^(a?){600}a{600}$", "(.*)(.*)(.*)(.*)x", "(x+x+)+y", "((a*)*)*c",
        "^(([a-z])+.)+[A-Z]([a-z])+$", "(a{0,30}){30}b", "(?:(?:a|b)?){300}c",
    ])
    func patternsThatOthersBacktrackOnCostLinearTime(text: String) throws {
        let pattern = try TextPattern(text)
        for count in [300, 2000] {
            #expect(Self.isLinear(pattern, String(repeating: "a", count: count)))
            #expect(Self.isLinear(pattern, String(repeating: "x", count: count) + "!"))
        }
    }

    @Test func aSearchEndsAtItsLimit() throws {
        let pattern = try TextPattern("(a|b)*c")
        let text = String(repeating: "ab", count: 30_000)
        let (isMatch, work) = pattern.search(text, withinWork: 1000)
        #expect(isMatch == nil)
        #expect(work <= 1000 + pattern.stepCount)
        #expect(pattern.search(text, withinWork: 10_000_000).isMatch == false)
    }

    /// A scalar beyond ASCII is looked up in categories and ranges, which takes longer than a visit of a step.
    @Test(arguments: ["\\p{L}", "[^\\s]", "[\u{E0}-\u{FF}\u{100}-\u{17F}\u{400}-\u{4FF}]"])
    func lookingUpScalarsInSetsIsCounted(text: String) throws {
        let pattern = try TextPattern("^(?:\(text)|[a-z])*$")
        let ascii = pattern.search(String(repeating: "a", count: 1000), withinWork: .max).work
        let others = pattern.search(String(repeating: "\u{E9}", count: 1000), withinWork: .max).work
        #expect(others >= ascii + 1000)
    }

    /// Once nothing can match any more, the rest of the text costs nothing.
    @Test func anAnchoredSearchEndsWithItsLastWay() throws {
        let search = try TextPattern("^ab").search(String(repeating: "x", count: 60_000), withinWork: .max)
        #expect(search.isMatch == false)
        #expect(search.work < 10)
    }

    @Test func matchesTheDefinitionInLinearTime() throws {
        var generator = PatternGenerator(seed: 2, maximumDepth: 2)
        var (compared, matched, failures): (Int, Int, [String]) = (0, 0, [])
        while compared < 4_000 {
            let source = generator.pattern()
            guard let pattern = try? TextPattern(source) else { continue }
            let meaning = try PatternMeaning(source)
            for count in [0, 1, 3, 7] {
                let text = generator.text(count: count)
                let expected = meaning.matches(text)
                compared += 1
                matched += expected ? 1 : 0
                if pattern.matches(text) != expected { failures.append("\(source) on \(text): \(expected)") }
                let place = meaning.firstMatch(in: text).map {
                    text.utf8Offset($0.lowerBound)..<text.utf8Offset($0.upperBound)
                }
                if pattern.firstMatch(in: text) != place {
                    failures.append("\(source) on \(text): at \(String(describing: place))")
                }
            }
            if !Self.isLinear(pattern, String(repeating: "a", count: 60)) { failures.append("\(source) is not linear") }
        }
        #expect(failures == [])
        // Neither answer is the only one.
        #expect((800..<3600).contains(matched), "\(matched)")
    }
}

extension String {
    /// The offset of a scalar in UTF-8.
    fileprivate func utf8Offset(_ scalar: Int) -> Int {
        String(UnicodeScalarView(unicodeScalars.prefix(scalar))).utf8.count
    }
}
