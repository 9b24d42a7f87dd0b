// SPDX-License-Identifier: Apache-2.0

@testable import TextPatterns

/// The meaning of a regular expression, by definition: the positions in a text that it leads to from a position. Slow.
struct PatternMeaning {
    private let node: PatternNode
    private let sets: [ScalarSet]

    init(_ pattern: String) throws {
        var parser = PatternParser(pattern)
        node = try parser.pattern()
        sets = parser.sets
    }

    func matches(_ text: String) -> Bool {
        let scalars = Array(text.unicodeScalars)
        return !ends(of: node, from: Set(0...scalars.count), in: scalars).isEmpty
    }

    /// The first and then longest part that matches, in scalars.
    func firstMatch(in text: String) -> Range<Int>? {
        let scalars = Array(text.unicodeScalars)
        return (0...scalars.count).lazy.compactMap { start in
            ends(of: node, from: [start], in: scalars).max().map { start..<$0 }
        }.first
    }

    private func ends(of node: PatternNode, from starts: Set<Int>, in text: [Unicode.Scalar]) -> Set<Int> {
        let next = { (isWanted: (Unicode.Scalar) -> Bool) in
            Set(starts.filter { $0 < text.count && isWanted(text[$0]) }.map { $0 + 1 })
        }
        switch node {
        case .empty: return starts
        case .scalar(let scalar): return next { $0 == scalar }
        case .set(let index): return next(sets[index].contains)
        case .assertion(.startOfText): return starts.filter { $0 == 0 }
        case .assertion(.endOfText): return starts.filter { $0 == text.count }
        case .assertion(.wordBoundary(let isWanted)):
            let isWord = text.map {
                $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil) || $0 == "_"
            }
            let ends = [false] + isWord + [false]
            return starts.filter { (ends[$0] != ends[$0 + 1]) == isWanted }
        case .sequence(let nodes): return nodes.reduce(starts) { ends(of: $1, from: $0, in: text) }
        case .alternatives(let nodes):
            return nodes.reduce(into: []) { $0.formUnion(ends(of: $1, from: starts, in: text)) }
        case .repetition(let node, let atLeast, let atMost):
            var reached = (0..<atLeast).reduce(starts) { places, _ in ends(of: node, from: places, in: text) }
            for _ in atLeast..<(atMost ?? atLeast + text.count + 1) {
                reached.formUnion(ends(of: node, from: reached, in: text))
            }
            return reached
        }
    }
}
