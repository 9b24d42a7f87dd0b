// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigRules
internal import Synchronization

/// The rules of a snapshot, each compiled once, when it is first needed.
final class CompiledRules: Sendable {
    private struct State {
        var shared: Result<RuleEvaluators, EvaluationError>?
        /// The keys that have rules, sorted.
        var keys: [String]?
        /// `nil` for a key without a rule.
        var rules: [String: Result<ConfigRule, EvaluationError>] = [:]
    }

    private let state = Mutex(State())

    /// The rule of a key; `nil` if it has none.
    ///
    /// - Parameter held: the entries of the snapshot before rules are evaluated.
    func rule(forKey key: String, in held: ConfigEntries) -> Result<ConfigRule, EvaluationError>? {
        state.withLock { state in
            if let known = state.rules[key] { return known }
            guard let value = held[EntryKind.rule.key(of: key)]?.value else { return nil }
            let shared = state.shared ?? Self.evaluators(of: held)
            state.shared = shared
            let rule = Self.read(value, shared)
            state.rules[key] = rule
            return rule
        }
    }

    /// The keys of a snapshot that have rules, sorted.
    func keys(of snapshot: EntrySnapshot) -> [String] {
        state.withLock { state in
            let keys = state.keys ?? snapshot.ruledKeys.sorted()
            state.keys = keys
            return keys
        }
    }

    /// The evaluators that the rules of a snapshot share.
    static func evaluators(of held: ConfigEntries) -> Result<RuleEvaluators, EvaluationError> {
        guard let value = held[EntryKind.rule.key(of: EntryKind.sharedRules)]?.value else { return .success(.none) }
        return reading { () throws(RuleError) in try RuleEvaluators(value) }.mapError { error in
            EvaluationError(error.code, "invalid shared evaluators: \(error.message)")
        }
    }

    /// A rule that cannot be read may be one for newer programs.
    static func read(
        _ value: EntryValue,
        _ evaluators: Result<RuleEvaluators, EvaluationError>
    ) -> Result<ConfigRule, EvaluationError> {
        // A rule that refers to evaluators has their error.
        if case .failure(let error) = evaluators, ConfigRule.refersToEvaluators(value) { return .failure(error) }
        let known = (try? evaluators.get()) ?? .none
        return reading { () throws(RuleError) in try ConfigRule(value, evaluators: known) }
    }

    private static func reading<Value>(_ body: () throws(RuleError) -> Value) -> Result<Value, EvaluationError> {
        Result { () throws(RuleError) in try body() }.mapError { error in
            EvaluationError(.parseError, error.faults.first?.description ?? "invalid rule")
        }
    }
}
