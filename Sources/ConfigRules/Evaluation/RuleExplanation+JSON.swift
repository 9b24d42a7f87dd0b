// SPDX-License-Identifier: Apache-2.0

package import ConfigModel

extension RuleEvaluation {
    /// Writes `"variant"`, `"value"`, `"reason"` and, after an error, `"errorCode"` and `"errorDetails"`; `null` where there is
    /// no variant and no value.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("variant") { $0.optional(variant) { $0.string($1) } }
        json.member("value") { $0.optional(value) { $0.value($1) } }
        json.member("reason") { $0.string(reason.description) }
        error?.writeMembers(to: &json)
    }
}

extension EvaluationError {
    /// Writes `"errorCode"` and `"errorDetails"`, as OpenFeature's protocol has them.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("errorCode") { $0.string(code.rawValue) }
        json.member("errorDetails") { $0.string(message) }
    }
}

extension RuleExplanation {
    /// Writes `"steps": [{"pointer": …, "condition": …}, {"pointer": …, "bucket": …, "total": …}]`, and if there were more
    /// `"stepsTruncated": true`.
    package static func writeSteps(of explanation: RuleExplanation?, to json: inout JSONWriter) {
        json.member("steps", each: explanation?.steps ?? []) { step, array in
            array.object { object in
                object.member("pointer") { $0.string(step.pointer) }
                switch step.decision {
                case .condition(let isTrue): object.member("condition") { $0.boolean(isTrue) }
                case .split(let bucket, let total):
                    object.member("bucket") { $0.number(bucket) }
                    object.member("total") { $0.number(total) }
                }
            }
        }
        if let explanation, explanation.isTruncated { json.member("stepsTruncated") { $0.boolean(true) } }
    }
}
