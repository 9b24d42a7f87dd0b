// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigRules
import Testing

struct ComparisonTests {
    private static let indices = ComparisonTable.operands.indices

    /// The operands as attributes of a context, in which null ones are missing.
    private static let context = EvaluationContext(
        attributes: EntryObject(
            indices.compactMap { index in
                let value = ComparisonTable.operands[index]
                return value == .null ? nil : (key: "v\(index)", value: value)
            }
        )
    )

    private static func attribute(_ index: Int) -> EntryValue { ["var": .string("v\(index)")] }

    private static func holds(_ name: String, _ operands: [EntryValue]) throws -> Bool {
        let condition = EntryValue.object(EntryObject([(key: name, value: .array(operands))]))
        let rule = try ConfigRule(["variants": ["a": 1, "b": 2], "targeting": ["if": [condition, "a", "b"]]])
        return rule.evaluate(key: "k", in: context, at: 0).variant == "a"
    }

    @Test func everyPairIsComparedAsByFlagd() throws {
        for (name, results) in ComparisonTable.results {
            for left in Self.indices {
                for right in Self.indices {
                    let expected = ComparisonTable.holds(results, left, right).flagd
                    let (first, second) = (ComparisonTable.operands[left], ComparisonTable.operands[right])
                    #expect(try Self.holds(name, [first, second]) == expected, "\(first) \(name) \(second)")
                    let attributes = [Self.attribute(left), Self.attribute(right)]
                    #expect(try Self.holds(name, attributes) == expected, "attributes \(first) \(name) \(second)")
                }
            }
        }
    }

    @Test func threeOperandsAreComparedInPairs() throws {
        for (name, results) in ComparisonTable.results where name.hasPrefix("<") || name.hasPrefix(">") {
            for left in Self.indices {
                for middle in Self.indices where ComparisonTable.holds(results, left, middle).flagd {
                    for right in Self.indices {
                        let operands = [left, middle, right].map(Self.attribute)
                        let expected = ComparisonTable.holds(results, middle, right).flagd
                        #expect(
                            try Self.holds(name, operands) == expected,
                            "\(left) \(name) \(middle) \(name) \(right)"
                        )
                    }
                }
            }
        }
    }

    /// Where flagd and JavaScript differ, one of the operands is an array or an object, or null is ordered with 0.
    @Test func flagdDiffersFromJavaScriptByArraysAndNull() {
        for (name, results) in ComparisonTable.results {
            for left in Self.indices {
                for right in Self.indices {
                    let (flagd, javaScript) = ComparisonTable.holds(results, left, right)
                    guard flagd != javaScript else { continue }
                    let operands = [ComparisonTable.operands[left], ComparisonTable.operands[right]]
                    let hasArray = operands.contains { $0 == [] || $0 == [1] || $0 == [:] }
                    let isNullOrdered = operands.contains(.null) && ["<=", ">="].contains(name) && !flagd
                    #expect(hasArray || isNullOrdered, "\(operands[0]) \(name) \(operands[1])")
                }
            }
        }
    }

    @Test(
        arguments: [
            ["in": [["var": "no"], "no null here"]], ["in": [["var": "no"], ["null", 0, false, ""]]],
            ["in": [[1], [[1]]]], ["starts_with": [["var": "no"], "null"]],
            ["==": [["cat": ["a", ["var": "no"]]], "anull"]],
            ["sem_ver": [["var": "no"], ">=", "0.0.0"]], ["<": [1, 2, ["var": "no"]]],
        ] as [EntryValue]
    )
    func missingAttributesMatchNothing(condition: EntryValue) throws {
        let rule = try ConfigRule(["variants": ["a": 1, "b": 2], "targeting": ["if": [condition, "a", "b"]]])
        #expect(rule.evaluate(key: "k", in: EvaluationContext(), at: 0).variant == "b")
    }

    @Test(
        arguments: [
            ["-": [5, ["var": "no"]]], ["+": [5, ["var": "no"]]], ["max": [5, ["var": "no"]]], ["-": -5], ["-": [-5]],
            ["-": [["var": "no"], -5]],
        ] as [EntryValue]
    )
    func missingAttributesAreZeroInArithmetic(sum: EntryValue) throws {
        #expect(try Self.holds("===", [sum, 5]), "\(sum)")
    }
}
