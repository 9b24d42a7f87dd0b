// SPDX-License-Identifier: Apache-2.0

internal import ConfigHub
internal import ConfigModel
internal import ConfigRules
internal import ConfigStore
internal import ConfigWire

/// A key as a flag, evaluated for a context.
struct FlagEvaluation: Sendable {
    let key: String
    let evaluation: RuleEvaluation
    var metadata = EntryObject()
    /// Whether the flag is one of floating-point numbers, so that `1` has to be written as `1.0`.
    var isFloat = false
}

/// The keys of a namespace as flags, for a context.
struct FlagReader: Sendable {
    let state: NamespaceState
    let context: EvaluationContext
    /// The time of the evaluation, since 1970.
    let seconds: Int

    /// A key as a flag; `nil` if there is none. One without a rule has one variant.
    ///
    /// - Parameter budget: the shared step limit of the flags of a request.
    func flag(_ key: String, within budget: inout StepBudget) -> FlagEvaluation? {
        if let compiled = state.compiledRule(key) {
            guard let rule = compiled.rule else {
                let error = EvaluationError(.parseError, "the rule requires another version of the server")
                return FlagEvaluation(key: key, evaluation: RuleEvaluation(reason: .error, error: error))
            }
            return FlagEvaluation(
                key: key,
                evaluation: rule.evaluate(key: key, in: context, at: seconds, within: &budget),
                metadata: rule.metadata,
                isFloat: rule.variants.contains { if case .double = $0.value { true } else { false } }
            )
        }
        guard let entry = state.entry(key) else { return nil }
        let variant = ConfigRule.plainVariant
        return FlagEvaluation(
            key: key,
            evaluation: RuleEvaluation(variant: variant, value: entry.value, reason: .static)
        )
    }
}

extension FlagEvaluation {
    /// Whether the answer takes longer to write than a text of so many bytes.
    func isLonger(than bytes: Int) -> Bool {
        var rest = bytes
        let metadata = EntryValue.object(metadata)
        return evaluation.value?.isWritten(within: &rest) == false || !metadata.isWritten(within: &rest)
    }

    /// Writes the members of OFREP's `evaluationSuccess`, or of its `evaluationFailure`.
    func writeMembers(to json: inout JSONWriter) {
        if let error = evaluation.error { return OFREPFailure(key: key, error).writeMembers(to: &json) }
        let flag = OFREPFlag(
            key: key,
            value: evaluation.value,
            isFloat: isFloat,
            reason: evaluation.reason.description,
            variant: evaluation.variant,
            metadata: metadata
        )
        flag.writeMembers(to: &json)
    }
}

extension OFREPFailure {
    /// - Parameter key: the flag; `nil` if the request is wrong.
    init(key: String?, _ error: EvaluationError) {
        self.init(key: key, code: error.code.rawValue, details: error.message)
    }
}

extension EntryValue {
    /// Subtracts the cost of writing the value, in bytes of a text that takes as long; stops where there are none left.
    ///
    /// - Returns: whether there are as many.
    fileprivate func isWritten(within bytes: inout Int) -> Bool {
        switch self {
        case .string(let text): bytes -= text.utf8.count + 8
        case .null, .boolean, .integer: bytes -= 32
        // The shortest decimal digits take some microseconds to find.
        case .double: bytes -= 512
        case .array(let elements):
            bytes -= 8
            return bytes >= 0 && elements.allSatisfy { $0.isWritten(within: &bytes) }
        case .object(let members):
            bytes -= 8
            return bytes >= 0
                && members.allSatisfy { member in
                    bytes -= member.key.utf8.count + 32
                    return member.value.isWritten(within: &bytes)
                }
        }
        return bytes >= 0
    }
}
