// SPDX-License-Identifier: Apache-2.0

import TestSupport

/// Makes patterns and texts of a small alphabet, so that they often match, and with repeats in repeats.
struct PatternGenerator {
    private var random: SeededGenerator
    /// The maximum nesting of groups.
    private let maximumDepth: Int

    init(seed: UInt64, maximumDepth: Int = 4) {
        random = SeededGenerator(seed: seed)
        self.maximumDepth = maximumDepth
    }

    mutating func pattern() -> String { pattern(depth: maximumDepth) }

    private mutating func pattern(depth: Int) -> String {
        (0..<Int.random(in: 1...2, using: &random)).map { _ in sequence(depth: depth) }.joined(separator: "|")
    }

    mutating func text(count: Int) -> String {
        String((0..<count).map { _ in pick(["a", "a", "a", "b", "c", "é"]) })
    }

    private mutating func sequence(depth: Int) -> String {
        (0..<Int.random(in: 0...3, using: &random)).map { _ in term(depth: depth) }.joined()
    }

    private mutating func term(depth: Int) -> String {
        if Int.random(in: 0..<12, using: &random) == 0 { return pick(["^", "$", "\\b", "\\B"]) }
        return atom(depth: depth) + pick(["", "", "*", "+", "?", "*?", "+?", "??", "{2}", "{1,3}", "{0,2}?", "{2,}"])
    }

    private mutating func atom(depth: Int) -> String {
        if depth > 0, Bool.random(using: &random) { return pick(["(", "(?:"]) + pattern(depth: depth - 1) + ")" }
        return pick(["a", "a", "b", "c", ".", "[ab]", "[^a]", "[a-c]", "\\d", "\\w", "\\W", "é"])
    }

    mutating func pick<Item>(_ items: [Item]) -> Item { items[Int.random(in: items.indices, using: &random)] }
}
