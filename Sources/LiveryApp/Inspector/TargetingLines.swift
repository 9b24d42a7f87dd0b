// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigRules
import RemoteConfig

extension ConfigState.Current {
    /// What the rule of a key gives, and how it comes to that: `blue, TARGETING_MATCH`, then each decision; none where the key
    /// has no rule.
    func targetingLines(forKey key: String) -> [String] {
        guard let rule = rule(forKey: key) else { return ruleProblem(forKey: key).map { [$0.message] } ?? [] }
        let names = rule.variants.map(\.key).joined(separator: ", ")
        guard let explanation = explanation(forKey: key) else {
            return ["everybody's value: the program has no context (--context)", "variants: \(names)"]
        }
        let steps = explanation.steps.map { "\($0.pointer): \($0.decision.words)" }
        let rest = explanation.isTruncated ? ["… (more decisions)"] : []
        return [explanation.evaluation.words] + steps + rest + ["variants: \(names)"]
    }
}

extension RuleEvaluation {
    /// `blue, TARGETING_MATCH`, or what went wrong.
    var words: String {
        if let error { return "\(reason.rawValue) \(error.code.rawValue): \(error.message)" }
        return [variant ?? "everybody's value", reason.rawValue].joined(separator: ", ")
    }
}

extension RuleExplanation.Decision {
    /// `true`, or `bucket 17 of 100`.
    var words: String {
        switch self {
        case .condition(let isTrue): isTrue ? "true" : "false"
        case .split(let bucket, let total): "bucket \(bucket) of \(total)"
        }
    }
}
