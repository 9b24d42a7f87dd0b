// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import TextPatterns

struct FuzzyPatternTests {
    /// The better match is the first one.
    @Test(arguments: [
        ("afc", "app.fun.color", "saffic"), ("color", "app.color", "c.o.x.l.o.r"), ("fun", "fun.a", "a.fun"),
        ("fun", "a.fun", "a.xfun"), ("text", "t.ext.text", "t.e.x.t"), ("bt", "buttonText", "button"),
        ("APP", "app", "a.p.p"),
    ])
    func ranksMatchesAsPeopleDo(word: String, better: String, worse: String) throws {
        let pattern = FuzzyPattern(word)
        #expect(try #require(pattern.score(in: better)) > pattern.score(in: worse) ?? 0)
    }

    @Test func positionsDescribeTheBestMatch() {
        #expect(FuzzyPattern("afc").positions(in: "app.fun.color") == [0, 4, 8])
        #expect(FuzzyPattern("text").positions(in: "t.e.x.t.text") == [8, 9, 10, 11])
        #expect(FuzzyPattern("").positions(in: "a") == [])
        #expect(FuzzyPattern("ba").positions(in: "ab") == nil)
        #expect(FuzzyPattern("é").score(in: "É") == nil)
    }

    /// The oracle tries all ways.
    @Test(arguments: 1...50 as ClosedRange<UInt64>)
    func theScoreIsTheBestOfAllWays(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            let text = { (count: Int) in String((0..<count).map { _ in "abAB.1".randomElement(using: &random) ?? "a" })
            }
            let (word, name) = (
                text(Int.random(in: 1...4, using: &random)), text(Int.random(in: 1...9, using: &random))
            )
            let ways = Self.ways(Array(word.lowercased().utf8)[...], in: Array(name.lowercased().utf8), from: 0)
            let best = ways.map { Self.score($0, in: Array(name.utf8)) }.max()
            let pattern = FuzzyPattern(word)
            #expect(pattern.score(in: name) == best, "\(word) in \(name)")
            #expect(pattern.positions(in: name).map { Self.score($0, in: Array(name.utf8)) } == best)
        }
    }

    private static func ways(_ word: ArraySlice<UInt8>, in name: [UInt8], from start: Int) -> [[Int]] {
        guard let letter = word.first else { return [[]] }
        return name.indices.dropFirst(start).filter { name[$0] == letter }.flatMap { place in
            ways(word.dropFirst(), in: name, from: place + 1).map { [place] + $0 }
        }
    }

    private static func score(_ places: [Int], in name: [UInt8]) -> Int {
        var (sum, last) = (0, Int?.none)
        for place in places {
            let (byte, before) = (Character(.init(name[place])), place > 0 ? Character(.init(name[place - 1])) : nil)
            let isHump = byte.isUppercase && before?.isUppercase == false || byte.isNumber && before?.isNumber == false
            let bonus = before == nil ? 10 : before == "." ? 8 : isHump ? 7 : 0
            guard let end = last else {
                (sum, last) = (16 + 2 * bonus, place)
                continue
            }
            sum += 16 + (place == end + 1 ? max(bonus, 9) : bonus - (place - end - 1))
            last = place
        }
        return sum
    }
}
