// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigRules
import Testing

struct ComparisonTests {
    /// The operands, as left and right ones. The first one is an attribute that the context does not have, or null.
    private static let operands: [EntryValue] = [
        .null, false, true, 0, 1, -1, 1.5, "", "0", "1", "a", "1.2.3", [], [1], [:],
    ]

    /// The result of `==` by flagd's engine in Go (github.com/diegoholiveira/jsonlogic, version 3): a row for each left
    /// operand, with a character for each right one. JavaScript differs for arrays alone.
    private static let equal = [
        "100000000000000",  // null
        "010100011000000",  // false
        "001010000100000",  // true
        "010100011000000",  // 0
        "001010000100000",  // 1
        "000001000000000",  // -1
        "000000100000000",  // 1.5
        "010100010000000",  // ""
        "010100001000000",  // "0"
        "001010000100000",  // "1"
        "000000000010000",  // "a"
        "000000000001000",  // "1.2.3"
        "000000000000000",  // []
        "000000000000000",  // [1]
        "000000000000000",  // {}
    ]

    /// The result of `<` by the same engine. JavaScript differs for arrays, and by `null <= 0`, which is true there.
    private static let less = [
        "001010100100000",  // null
        "001010100100000",  // false
        "000000100000000",  // true
        "001010100100000",  // 0
        "000000100000000",  // 1
        "111110111100000",  // -1
        "000000000000000",  // 1.5
        "001010101111000",  // ""
        "001010100111000",  // "0"
        "000000100011000",  // "1"
        "000000000000000",  // "a"
        "000000000010000",  // "1.2.3"
        "000000000000000",  // []
        "000000000000000",  // [1]
        "000000000000000",  // {}
    ]

    private static func expected(_ name: String, _ left: Int, _ right: Int) -> Bool {
        let holds = { (table: [String], left: Int, right: Int) in Array(table[left])[right] == "1" }
        return switch name {
        case "==": holds(equal, left, right)
        case "!=": !holds(equal, left, right)
        // An array or an object is not identical to any value.
        case "===": left == right && left < 12
        case "!==": left != right || left >= 12
        case "<": holds(less, left, right)
        case "<=": holds(less, left, right) || holds(equal, left, right)
        case ">": holds(less, right, left)
        default: holds(less, right, left) || holds(equal, right, left)
        }
    }

    /// The operands as attributes of a context, in which null ones are missing.
    private static let context = EvaluationContext(
        attributes: EntryObject(
            operands.enumerated().compactMap { $1 == .null ? nil : (key: "v\($0)", value: $1) }
        )
    )

    private static func attribute(_ index: Int) -> EntryValue { ["var": .string("v\(index)")] }

    private static func holds(_ name: String, _ operands: [EntryValue]) throws -> Bool {
        let condition = EntryValue.object(EntryObject([(key: name, value: .array(operands))]))
        let rule = try ConfigRule(["variants": ["a": 1, "b": 2], "targeting": ["if": [condition, "a", "b"]]])
        return rule.evaluate(key: "k", in: context, at: 0).variant == "a"
    }

    @Test(arguments: ["==", "!=", "===", "!==", "<", "<=", ">", ">="])
    func everyPairIsComparedAsByFlagd(name: String) throws {
        for left in Self.operands.indices {
            for right in Self.operands.indices {
                let expected = Self.expected(name, left, right)
                let (first, second) = (Self.operands[left], Self.operands[right])
                #expect(try Self.holds(name, [first, second]) == expected, "\(first) \(name) \(second)")
                let attributes = [Self.attribute(left), Self.attribute(right)]
                #expect(try Self.holds(name, attributes) == expected, "attributes \(first) \(name) \(second)")
            }
        }
    }

    @Test(arguments: ["<", "<=", ">", ">="])
    func threeOperandsAreComparedInPairs(name: String) throws {
        for left in Self.operands.indices {
            for middle in Self.operands.indices where Self.expected(name, left, middle) {
                for right in Self.operands.indices {
                    let operands = [left, middle, right].map(Self.attribute)
                    let expected = Self.expected(name, middle, right)
                    #expect(try Self.holds(name, operands) == expected, "\(operands) \(name)")
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
