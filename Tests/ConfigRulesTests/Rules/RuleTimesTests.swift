// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigRules
import TestSupport
import Testing

/// When the result of a rule may change because time passes.
struct RuleTimesTests {
    private static let time: EntryValue = ["var": "$flagd.timestamp"]

    private static func rule(_ condition: EntryValue, state: EntryValue = "ENABLED") throws -> ConfigRule {
        try ConfigRule(
            [
                "variants": ["pink": 1, "blue": 2], "defaultVariant": "pink", "state": state,
                "targeting": ["if": [condition, "blue"]],
            ],
            evaluators: try RuleEvaluators([
                "isLate": [">": [time, 50]], "now": time, "isOld": ["<": [["var": "a"], 5]],
            ])
        )
    }

    /// The changes after second 0, up to five.
    private static func changes(of rule: ConfigRule) -> [Int] {
        Array(sequence(first: 0) { rule.nextChange(after: $0) }.dropFirst().prefix(5))
    }

    private static let tens = [10, 20, 30, 40, 50]

    /// `T` is the time.
    @Test(
        arguments: [
            (#"{"<": [T, 5]}"#, [5, 6]), (#"{">=": [5, T]}"#, [5, 6]), (#"{"==": [T, "5"]}"#, [5, 6]),
            (#"{"!==": [5.5, T]}"#, [5, 6]), (#"{"<=": [3, T, " 9.0 "]}"#, [3, 4, 9, 10]),
            (#"{">": [T, 7, {"var": "a"}]}"#, [7, 8]), (#"{"<": [{"var": "a"}, 7, T]}"#, [7, 8]),
            (#"{"and": [{"<": [5, T]}, {"!": {"<": [T, 5.2]}}]}"#, [5, 6]),
            (#"{"<": [{"var": ["$flagd.timestamp", {"var": "a"}]}, 5]}"#, [5, 6]),
            // Before these it is always, or never.
            (#"{"<": [T, "tomorrow"]}"#, []), (#"{"<": [T, 1e300]}"#, []), (#"{"==": [T, [5]]}"#, []),
            (#"{"==": [T, T]}"#, []), (#"{"<": [T, -5]}"#, []), (#"{"==": [T, null]}"#, [1]),
            // Shared evaluators.
            (#"{"$ref": "isLate"}"#, [50, 51]), (#"{"$ref": "isOld"}"#, []),
            (#"{"or": [{"$ref": "isLate"}, {"<": [T, 7]}, {"$ref": "isLate"}]}"#, [7, 8, 50, 51]),
            (#"{"<": [{"$ref": "now"}, 5]}"#, tens),
            // Other uses.
            ("T", tens), (#"{"<": [{"+": [T, 1]}, 5]}"#, tens), (#"{"<": [T, {"var": "a"}]}"#, tens),
            (#"{"<": [3, T, {"var": "a"}]}"#, [3, 4, 14, 24, 34]), (#"{"in": [T, [5]]}"#, tens),
            (#"{"fractional": [{"cat": T}, ["pink", 1]]}"#, tens), (#"{"sem_ver": [T, "=", "1.0.0"]}"#, tens),
            (#"{"fractional": [["pink", 1], [{"if": [T, "blue"]}, 1]]}"#, tens),
            (#"{"==": [{"var": "$flagd"}, 5]}"#, tens), (#"{"==": [{"var": ["$flagd", 0]}, 5]}"#, tens),
            (#"{"==": [{"var": ""}, 5]}"#, tens), (#"{"==": [{"var": []}, 5]}"#, tens),
            (#"{"==": [{"var": {"var": "name"}}, 5]}"#, tens), (#"{"some": [[1, T], {"var": ""}]}"#, tens),
            (#"{"reduce": [[1], {"var": "accumulator"}, T]}"#, tens),
            // No use of the time.
            (#"{"==": [{"var": "$flagd.flagKey"}, 5]}"#, []), (#"{"==": [{"var": "$flagd.timestamp.x"}, 5]}"#, []),
            (#"{"==": [{"var": "timestamp"}, 5]}"#, []), (#"{"fractional": [["pink", 1], ["blue", 1]]}"#, []),
            (#"{"missing": ["$flagd.timestamp"]}"#, []),
            // A member of an element.
            (#"{"some": [{"var": "list"}, {"<": [T, 5]}]}"#, []), (#"{"map": [[1, 2], {"var": ""}]}"#, []),
            (#"{"all": [{"var": "list"}, {"$ref": "isLate"}]}"#, []),
        ] as [(String, [Int])]
    )
    func theNextChangeIsKnown(condition: String, changes: [Int]) throws {
        let json = condition.replacing("T", with: #"{"var": "$flagd.timestamp"}"#)
        #expect(Self.changes(of: try Self.rule(EntryValue(json: Array(json.utf8)))) == changes)
    }

    @Test func disabledRuleNeverChanges() throws {
        #expect(try Self.rule(["<": [Self.time, 5]], state: "DISABLED").nextChange(after: 0) == nil)
    }

    /// 500 rules that compare the time with constants, each at every second.
    @Test func resultStaysUntilTheNextChange() throws {
        var generator = TimeRuleGenerator(random: SeededGenerator(seed: 59))
        let context = EvaluationContext(targetingKey: "u", ["a": 20, "list": [["$flagd": ["timestamp": 7]], 3]])
        var changes = 0
        for _ in 0..<500 {
            let value = generator.condition(depth: 3)
            let rule = try Self.rule(["if": [value, true]])
            var (result, next) = (rule.evaluate(key: "k", in: context, at: -1), rule.nextChange(after: -1))
            for second in 0..<70 {
                let later = rule.evaluate(key: "k", in: context, at: second)
                guard second == next else {
                    #expect(later == result, "\(value) at \(second)")
                    continue
                }
                if later != result { changes += 1 }
                (result, next) = (later, rule.nextChange(after: second))
            }
        }
        #expect(changes > 80)
    }
}

/// Makes conditions that use the time in comparisons with constants alone.
private struct TimeRuleGenerator {
    var random: SeededGenerator

    private mutating func pick<Element>(_ choices: [Element]) -> Element {
        choices[Int.random(in: 0..<choices.count, using: &random)]
    }

    private mutating func constant() -> EntryValue {
        let number = Int.random(in: -3...63, using: &random)
        return pick([
            .integer(number), .double(Double(number) + 0.5), .string("\(number)"), .string(" \(number).25"), .null,
            true,
            "soon", 1e300, [], .string("-\(number)"),
        ])
    }

    mutating func condition(depth: Int) -> EntryValue {
        let time: EntryValue = ["var": pick(["$flagd.timestamp", ["$flagd.timestamp", 3]])]
        let next = depth - 1
        switch Int.random(in: 0..<(depth > 0 ? 12 : 6), using: &random) {
        case 0, 1, 2:
            let operands = pick([[time, constant()], [constant(), time], [time, time]])
            return operation(pick(["<", "<=", ">", ">=", "==", "!=", "===", "!=="]), operands)
        case 3:
            let (first, second, a): (EntryValue, EntryValue, EntryValue) = (constant(), constant(), ["var": "a"])
            let operands = pick([[first, time, second], [time, first, a], [a, first, time], [time, time, first]])
            return operation(pick(["<", "<=", ">", ">="]), operands)
        case 4: return pick([["$ref": "isLate"], ["$ref": "isOld"], ["==": [["var": "a"], 20]]])
        case 5: return true
        case 6, 7: return operation(pick(["and", "or"]), [condition(depth: next), condition(depth: next)])
        case 8: return ["!": [condition(depth: next)]]
        case 9: return ["if": [condition(depth: next), condition(depth: next), condition(depth: next)]]
        case 10:
            return operation(
                pick(["some", "all", "none", "filter", "map"]),
                [["var": "list"], condition(depth: next)]
            )
        default: return operation(pick(["==", "in"]), [condition(depth: next), [condition(depth: next)]])
        }
    }

    private func operation(_ name: String, _ operands: [EntryValue]) -> EntryValue {
        .object(EntryObject([(key: name, value: .array(operands))]))
    }
}
