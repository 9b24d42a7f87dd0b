// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Foundation
import TestSupport
import Testing

@testable import ConfigRules

/// Rules and contexts made at random: every operator, names in every Unicode normal form, values that double, and contexts
/// of some megabytes.
struct GeneratedEvaluationTests {
    /// Evaluates 2,000 rules, or as many as RULE_EVALUATIONS sets; then it reports the longest evaluation as well.
    @Test(.timeLimit(.minutes(60))) func everyEvaluationStaysWithinItsLimits() throws {
        let wanted = ProcessInfo.processInfo.environment["RULE_EVALUATIONS"].flatMap(Int.init)
        var generator = RuleGenerator(seed: wanted == nil ? 7 : UInt64(Date.now.timeIntervalSince1970))
        let contexts = RuleGenerator.contexts
        var (accepted, refused, errors, longest, slowest) = (0, 0, 0, Duration.zero, EntryValue.null)
        while accepted < wanted ?? 2_000 {
            let value = generator.rule()
            guard let rule = try? ConfigRule(value, evaluators: RuleGenerator.evaluators) else {
                refused += 1
                continue
            }
            accepted += 1
            // One of 16 is large.
            let choice = Int.random(in: 0..<32, using: &generator.random)
            let context = contexts[min(choice, contexts.count - 1)]
            var machine = rule.machine(key: "k", in: context, at: 0)
            machine.decisions = RuleDecisions()
            let start = Duration.processorTime
            let evaluation = rule.evaluate(by: &machine)
            let time = Duration.processorTime - start
            if time > longest { (longest, slowest) = (time, value) }
            // Values beyond a limit are not built.
            let isOver = machine.steps > RuleMachine.maximumSteps || machine.builtBytes > RuleMachine.maximumBytes
            if isOver { #expect(evaluation.reason == .error, "\(value)") }
            errors += evaluation.reason == .error ? 1 : 0
            #expect(machine.decisions.map { $0.recorded.count <= 1000 } == true)
            if accepted % 16 == 0 { #expect(rule.evaluate(key: "k", in: context, at: 0) == evaluation, "\(value)") }
        }
        #expect(refused < accepted && errors > accepted / 100 && errors < accepted * 4 / 5)
        guard wanted != nil else { return }
        let text = slowest.canonicalJSON
        print("\(accepted) evaluated, \(refused) refused, \(errors) errors; the longest took \(longest): \(text)")
    }

    /// A result stays in another context if nothing that it depends on differs, and an evaluation continues from a beginning
    /// that stays.
    @Test(.timeLimit(.minutes(5))) func unaffectedResultsStayTheSame() throws {
        var generator = RuleGenerator(seed: 9)
        var (kept, evaluated) = (0, 0)
        for round in 0..<2_000 {
            let value = round % 2 == 0 ? generator.rule() : generator.splitRule()
            guard let rule = try? ConfigRule(value, evaluators: RuleGenerator.evaluators),
                rule.nextChange(after: .min) == nil
            else { continue }
            var (context, budget) = (RuleGenerator.contexts[3], StepBudget(.max))
            var beginning = rule.begin(in: context, at: 0, within: &budget)
            var last = rule.evaluateNoting(key: "k", in: context, at: 0, after: beginning, within: &budget)
            for _ in 0..<8 {
                let next = generator.changed(context)
                let changed = RuleInputs(differingBetween: context, and: next)
                if last.progress.isSame(forKey: "k", in: next, changing: changed) {
                    kept += 1
                } else {
                    beginning = last.progress.beginning
                    if beginning?.inputs.isDisjoint(with: changed) != true {
                        beginning = rule.begin(in: next, at: 0, within: &budget)
                    }
                    last = rule.evaluateNoting(key: "k", in: next, at: 0, after: beginning, within: &budget)
                    evaluated += 1
                }
                try #require(last.evaluation == rule.evaluate(key: "k", in: next, at: 0), "\(value): \(next)")
                context = next
            }
        }
        #expect(kept > 1_000 && evaluated > 1_000, "\(kept), \(evaluated)")
    }
}

/// Makes rules that use every operator, mostly with operands of the types that they take.
private struct RuleGenerator {
    var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    /// Pairs of names that are canonically or compatibly equivalent, and names that are taken.
    static let names = [
        "\u{E9}", "e\u{301}", "K", "\u{212A}", "\u{C5}", "A\u{30A}", "\u{212B}", "\u{FB01}", "fi", "\u{1E69}",
        "s\u{323}\u{307}", "s\u{307}\u{323}", "\u{AC00}", "\u{1100}\u{1161}", "\u{3A9}", "\u{2126}", ";", "\u{37E}",
        "targeting\u{212A}ey", "targetingKey", "$flagd", "list", "lists", "text", "marks", "object", "deep",
    ]

    static let evaluators: RuleEvaluators = {
        let members: [EntryObject.Member] = [
            ("\u{E9}", true), ("e\u{301}", ["var": "e\u{301}"]), ("\u{212A}", ["map": [["var": "list"], ["var": ""]]]),
            ("K", ["cat": [["var": ""], ["var": "text"]]]),
        ]
        return (try? RuleEvaluators(.object(EntryObject(members)))) ?? .none
    }()

    static let contexts: [EvaluationContext] = {
        let numbers = { (count: Int) in EntryValue.array((0..<count).map { .integer($0) }) }
        let marks = String(String.UnicodeScalarView((0..<500_000).map { $0 % 2 == 0 ? "\u{301}" : "\u{323}" }))
        let deep = (0..<30).reduce("x" as EntryValue) { value, number in
            number % 2 == 0 ? [value, value] : ["a": value]
        }
        let named = names.enumerated().map { (key: $1, value: EntryValue.string(names[($0 + 1) % names.count])) }
        let small: [EntryObject.Member] = [
            ("list", numbers(20)), ("lists", .array([numbers(3), numbers(4)])), ("text", "a.b.c"),
            ("marks", "e\u{301}\u{323}"),
            ("object", ["a": 1, "e\u{301}": 2, "\u{E9}": 3]), ("deep", deep),
        ]
        let large: [EntryObject.Member] = [
            ("list", numbers(100_000)), ("lists", .array(Array(repeating: numbers(1000), count: 100))),
            ("text", .string(String(repeating: "a.", count: 2_000_000))), ("marks", .string(marks)),
            ("object", .object(EntryObject((0..<50_000).map { (key: "name \($0)", value: .integer($0)) }))),
            ("deep", deep),
        ]
        let many = (0..<300_000).map { (key: "attribute \($0)", value: EntryValue.integer($0)) }
        return [
            EvaluationContext(targetingKey: "u", attributes: EntryObject(named + large)),
            EvaluationContext(targetingKey: marks, attributes: EntryObject(many + large)),
            EvaluationContext(),
            EvaluationContext(targetingKey: "u", attributes: EntryObject(named + small)),
        ]
    }()

    mutating func rule() -> EntryValue {
        let (first, second) = (name(), name())
        let results: [EntryValue] = [.string(first), .string(second), .null, operation(2)]
        let targeting: EntryValue = ["if": [operation(4), pick(results), operation(3), pick(results)]]
        var variants = EntryObject()
        variants.setMember(first, to: 1)
        variants.setMember(second, to: 2)
        for name in Self.names where chance(8) { variants.setMember(name, to: 3) }
        return ["variants": .object(variants), "defaultVariant": .string(first), "targeting": targeting]
    }

    /// A rule with a condition and a split by the targeting key.
    mutating func splitRule() -> EntryValue {
        let split: EntryValue = ["fractional": [["a", 30], ["b", 50], ["c", 20]]]
        let targeting: EntryValue = ["if": [operation(2), "c", split]]
        return ["variants": ["a": 1, "b": 2, "c": 3], "defaultVariant": "a", "targeting": targeting]
    }

    /// A context of which the targeting key or an attribute differs.
    mutating func changed(_ context: EvaluationContext) -> EvaluationContext {
        var context = context
        if chance(2) {
            context.targetingKey = pick([nil, "", "u", "v", String(repeating: "w", count: 300)])
        } else {
            let value = pick([nil, 1, "a", "text", [1, 2], ["a": 1]] as [EntryValue?])
            context.attributes.setMember(name(), to: value)
        }
        return context
    }

    private mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }
    private mutating func pick<Element>(_ choices: [Element]) -> Element {
        choices[Int.random(in: 0..<choices.count, using: &random)]
    }
    private mutating func name() -> String { pick(Self.names) }

    private mutating func path() -> EntryValue {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: ""
        case 1: .string("\(name()).\(name())")
        case 2: .string("\(name()).\(Int.random(in: 0..<5, using: &random))")
        case 3:
            .string(
                pick(["accumulator", "current", "current.0", "accumulator.0", "deep.0.a.0", "object.a", "text.length"])
            )
        default: .string(name())
        }
    }

    private mutating func operand(_ depth: Int) -> EntryValue {
        switch Int.random(in: 0..<10, using: &random) {
        case 0: pick([.null, true, false, 0, 1, -1, 1.5, 1e300, "", "0", "a", "1.2.3", [], [1], [:]])
        case 1: .string(name())
        case 2, 3, 4: ["var": path()]
        case 5: .array((0..<Int.random(in: 1..<4, using: &random)).map { _ in depth > 0 ? operand(depth - 1) : 1 })
        default: depth > 0 ? operation(depth - 1) : ["var": path()]
        }
    }

    private mutating func list(_ depth: Int) -> EntryValue {
        switch Int.random(in: 0..<5, using: &random) {
        case 0: ["var": "lists"]
        case 1: .array(Array(repeating: 1, count: 40))
        case 2:
            depth > 0 ? pick([["merge": [list(depth - 1), list(depth - 1)]], ["var": "lists.0"]]) : ["var": "lists.1"]
        default: ["var": "list"]
        }
    }

    /// The step of `reduce` for each element: half of them double the accumulator.
    private mutating func step(_ depth: Int) -> EntryValue {
        let accumulator: EntryValue = ["var": "accumulator"]
        return switch Int.random(in: 0..<8, using: &random) {
        case 0: [accumulator, accumulator]
        case 1: ["merge": [accumulator, accumulator]]
        case 2: ["cat": [accumulator, accumulator]]
        case 3: ["var": ""]
        case 4: ["merge": [accumulator, [["var": "current"]]]]
        case 5: ["+": [accumulator, ["var": "current"]]]
        default: operand(depth)
        }
    }

    mutating func operation(_ depth: Int) -> EntryValue {
        let name = pick([
            "==", "!=", "===", "!==", "<", "<=", ">", ">=", "!", "!!", "+", "-", "*", "/", "%", "min", "max", "cat",
            "merge",
            "in", "in", "substr", "if", "and", "or", "var", "var", "missing", "missing_some", "starts_with",
            "ends_with",
            "sem_ver", "fractional", "map", "filter", "all", "none", "some", "reduce", "reduce", "reduce", "$ref",
            "log",
        ])
        let next = max(depth - 1, 0)
        var operands: [EntryValue] = []
        switch name {
        case "!", "!!", "log": operands = [operand(next)]
        case "map", "filter", "all", "none", "some": operands = [list(next), operand(next)]
        case "reduce": operands = [list(next), step(next), operand(0)]
        case "$ref": return ["$ref": .string(pick(["\u{E9}", "e\u{301}", "\u{212A}", "K"]))]
        case "var": return ["var": chance(3) ? [operand(next), operand(next)] : path()]
        case "in": operands = [operand(next), chance(2) ? list(next) : ["cat": [operand(next), operand(next)]]]
        case "missing": operands = [path(), ["var": path()]]
        case "missing_some": operands = [1, chance(2) ? list(next) : [path(), path()]]
        case "starts_with", "ends_with": operands = [["var": path()], ["cat": [operand(next)]]]
        case "sem_ver": operands = [["var": path()], .string(pick(["=", "<", "^"])), ["cat": [operand(next)]]]
        case "fractional": operands = [operand(next), [.string(self.name()), 1], [operand(next), operand(0)]]
        case "<", "<=", "substr", "if", "and", "or", "cat", "merge", "+", "*", "min", "max":
            operands = (0..<Int.random(in: 2...3, using: &random)).map { _ in operand(next) }
        default: operands = [operand(next), operand(next)]
        }
        return .object(EntryObject([(key: name, value: .array(operands))]))
    }
}
