// SPDX-License-Identifier: Apache-2.0

internal import ConfigHub
internal import ConfigModel
internal import ConfigRules
internal import ConfigStore
internal import ConfigWire

/// A flag as it was evaluated for a context.
enum FlagEvaluation: Sendable {
    case answer(OFREPFlag, reason: EvaluationReason)
    case failure(OFREPFailure)

    var isFailure: Bool { if case .failure = self { true } else { false } }

    /// The approximate size as JSON, in bytes.
    var count: Int {
        switch self {
        case .answer(let flag, _): flag.count
        case .failure: 256
        }
    }

    /// Writes OFREP's `evaluationSuccess`, or its `evaluationFailure`.
    func write(to json: inout JSONWriter) {
        switch self {
        case .answer(let flag, let reason): flag.write(reason: reason.description, to: &json)
        case .failure(let failure): json.object(failure.writeMembers)
        }
    }
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
        flag(key, state.compiledRule(key), within: &budget)
    }

    /// The same for a key whose rule is known.
    ///
    /// - Parameter beginning: how far the evaluation of a rule that is written alike has come.
    func flag(
        _ key: String,
        _ rule: CompiledRule?,
        after beginning: ConfigRule.Beginning? = nil,
        within budget: inout StepBudget
    ) -> FlagEvaluation? {
        guard let rule else { return state.entry(key).map { Self.plain(key, $0.value) } }
        guard let flag = rule.flag else {
            let error = EvaluationError(.parseError, "the rule requires another version of the server")
            return .failure(OFREPFailure(key: key, error))
        }
        let evaluation = flag.evaluate(in: context, at: seconds, after: beginning, within: &budget)
        if let error = evaluation.error { return .failure(OFREPFailure(key: key, error)) }
        return .answer(flag.answer(evaluation.variant), reason: evaluation.reason)
    }

    /// Whether a flag is evaluated and written in a fraction of a millisecond: its answers are ready, or its value, which has no
    /// rule, is short.
    func isQuick(_ key: String, bytes: Int) -> Bool {
        if let rule = state.compiledRule(key) { return rule.isCompiled }
        var rest = bytes
        return state.entry(key)?.value.isWritten(within: &rest) ?? true
    }

    private static func plain(_ key: String, _ value: EntryValue) -> FlagEvaluation {
        let variant = ConfigRule.plainVariant
        let flag = OFREPFlag(key: key, value: value, isFloat: false, variant: variant, metadata: EntryObject())
        return .answer(flag, reason: .static)
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
    func isWritten(within bytes: inout Int) -> Bool {
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
