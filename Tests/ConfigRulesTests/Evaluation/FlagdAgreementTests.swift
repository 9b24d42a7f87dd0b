// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigRules
import TestSupport
import Testing

/// Rules and contexts made at random, evaluated as PyPI's openfeature-flagd-core 2.0.0 does.
struct FlagdAgreementTests {
    /// Reads `pairs.jsonl`, or another file that `generate.py` made: its path is in RULE_PAIRS.
    @Test func twentyThousandPairsAreEvaluatedAsByPython() throws {
        let lines = try FixtureLines(variable: "RULE_PAIRS", or: "pairs.jsonl", in: "Reference").values
        let contexts = try lines[0].elements.map(EvaluationContext.init(reference:))
        var counts = Counts()
        for (number, line) in lines.dropFirst().enumerated() {
            let text = try #require(String(configValue: line.elements[0]))
            let answers = try #require(line.elements[1].elements(as: String.self))
            let digits = try #require(String(configValue: line.elements[2]))
            let choices = try digits.map { try #require(Int(String($0), radix: 36)) }
            guard let rule = counts.rule(text) else { continue }
            for (index, choice) in choices.enumerated() {
                let context = contexts[(number * 20 + index) % contexts.count]
                let (time, pair) = (1_795_000_000, "\(text)\nin \(context)")
                let evaluation = rule.evaluate(key: "flag", in: context, at: time)
                counts.compare(evaluation, with: answers[choice], pair)
                var budget = StepBudget(.max)
                let beginning = rule.begin(in: context, at: time, within: &budget)
                let same = rule.evaluate(key: "flag", in: context, at: time, after: beginning, within: &budget)
                counts.beginnings += beginning == nil ? 0 : 1
                if same != evaluation { counts.failures.append("\(pair)\nis \(evaluation), after a beginning \(same)") }
            }
        }
        #expect(counts.failures.isEmpty, "\(counts.failures.count) of \(counts.pairs):\n\(counts.sample)")
        #expect(counts.pairs >= 20_000)
        #expect(counts.matches * 4 > counts.pairs && counts.matches * 4 < counts.pairs * 3)
        #expect(counts.beginnings * 2 > counts.pairs)
        // Cases that Livery rejects or decides differently.
        #expect(counts.refused * 50 < counts.pairs)
        #expect(counts.deviations * 15 < counts.pairs)
    }

    private struct Counts {
        var (pairs, matches, refused, deviations, beginnings) = (0, 0, 0, 0, 0)
        var failures: [String] = []
        var sample: String { failures.prefix(5).joined(separator: "\n\n") }

        /// The rule of a flag, unless that names a missing variant, which flagd detects later.
        mutating func rule(_ text: String) -> ConfigRule? {
            do {
                return try ConfigRule(try EntryValue(json: Array(text.utf8)))
            } catch {
                if !"\(error)".contains("unknown variant") { failures.append("\(text)\n\(error)") }
                refused += 1
                return nil
            }
        }

        mutating func compare(_ evaluation: RuleEvaluation, with answer: String, _ pair: String) {
            // Livery's, and the other one where they differ.
            let answers = answer.split(separator: "\t")
            let found = [evaluation.error?.code.rawValue ?? evaluation.reason.description, evaluation.variant]
                .compactMap(\.self).joined(separator: " ")
            pairs += 1
            matches += evaluation.reason == .targetingMatch ? 1 : 0
            deviations += answers.count - 1
            if found != answers[0] { failures.append("\(pair)\nis \(answers[0]), not \(found)") }
        }
    }
}

extension EvaluationContext {
    /// A context as `generate.py` writes it.
    fileprivate init(reference pair: EntryValue) throws {
        guard case .object(let attributes) = pair.elements[1] else { throw ConfigError(.typeMismatch, "\(pair)") }
        self.init(targetingKey: String(configValue: pair.elements[0]), attributes: attributes)
    }
}
