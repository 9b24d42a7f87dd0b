// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import TestSupport

/// Rules whose parts are easily confused in words: numbers and texts of the same digits, names that are words of a sentence,
/// shares that differ by a millionth.
struct RandomRules {
    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: elements.indices, using: &random)]
    }

    mutating func rule() -> EntryValue {
        var members: [EntryObject.Member] = [("variants", pick([["a": 1, "b": 2], ["a": 1, "b": 2, "c": "\u{E9}"]]))]
        if let state = pick([nil, "ENABLED", "DISABLED"] as [EntryValue?]) { members.append(("state", state)) }
        if let first = pick([nil, "a", "b"] as [EntryValue?]) { members.append(("defaultVariant", first)) }
        if let targeting = pick([nil, .null, [:], outcome(depth: 2), outcome(depth: 2)] as [EntryValue?]) {
            members.append(("targeting", targeting))
        }
        if let algorithm = pick([nil, "flagd-1", "flagd-2"] as [EntryValue?]) {
            members.append(("bucketing", algorithm))
        }
        return .object(EntryObject(members))
    }

    private mutating func outcome(depth: Int) -> EntryValue {
        if depth > 0, pick([true, false]) {
            let branches = [condition(depth: 1), outcome(depth: depth - 1)]
            return ["if": .array(branches + (pick([true, false]) ? [outcome(depth: depth - 1)] : []))]
        }
        let weights = [0, 1, 30_000, 30_001, 999_999, 99_999_999]
        let parts: [EntryValue] = [["a", .integer(pick(weights))], ["b", .integer(pick(weights) + 1)]]
        let salted: EntryValue = ["cat": ["s", ["var": "m"]]]
        let flagged: EntryValue = ["cat": [["var": "$flagd.flagKey"], ["var": "m"]]]
        let bucketing = pick([[], [], [["var": "m"]], [salted], [flagged]] as [[EntryValue]])
        return pick(["a", "b", .null, ["fractional": .array(bucketing + parts)]])
    }

    mutating func condition(depth: Int) -> EntryValue {
        if depth == 0 { return operand() }
        let parts = [condition(depth: depth - 1), condition(depth: depth - 1)]
        let name = pick([
            "==", "===", "!=", "!==", "<", ">", "in", "and", "or", "!", "!!", "starts_with", "sem_ver", "list", "",
        ])
        switch name {
        case "": return operand()
        case "!", "!!": return operation(name, [parts[0]])
        case "sem_ver": return operation(name, [parts[0], pick(["<", "=", "~"]), parts[1]])
        case "list": return ["in": .array([parts[0], .array((0..<pick([0, 1, 2])).map { _ in operand() })])]
        default: return operation(name, parts)
        }
    }

    private func operation(_ name: String, _ operands: [EntryValue]) -> EntryValue {
        .object(EntryObject([(name, .array(operands))]))
    }

    private mutating func operand() -> EntryValue {
        let texts = [
            "n", "m", "1", "1.0", "is", "not", "or", "true", "a, b", "n is 1", "\"n\"", "", "\u{E9}", "e\u{301}", "~",
            "always", "{}", "(sem_ver)",
        ]
        let text = EntryValue.string(pick(texts))
        return pick([
            text, ["var": text], ["var": text], ["var": .array([text, "x"])], .integer(pick([0, 1])), true, false,
            .null,
        ])
    }
}
