// SPDX-License-Identifier: Apache-2.0

extension RuleEvaluation {
    /// `blue, TARGETING_MATCH`, or the error.
    package var words: String {
        if let error { return "\(reason.description) \(error.code.rawValue): \(error.message)" }
        return [variant ?? "default value", reason.description].joined(separator: ", ")
    }
}

extension RuleExplanation.Decision {
    /// `true`, or `bucket 17 of 100`.
    package var words: String {
        switch self {
        case .condition(let isTrue): isTrue ? "true" : "false"
        case .split(let bucket, let total): "bucket \(bucket) of \(total)"
        }
    }
}
