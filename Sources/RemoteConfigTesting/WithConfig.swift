// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
public import ConfigRules
public import RemoteConfig

/// Gives a configuration to what an operation runs, in place of the program's: `ConfigState.ofProgram`, and each
/// `RemoteValue` that names no other.
///
/// ```swift
/// struct Banner {
///     @RemoteValue("app.banner.text") var text = "none"
/// }
///
/// withConfig(["app.banner.text": "Hi"]) {
///     assert(Banner().text == "Hi")
///     withConfig(["app.other": 1]) { assert(Banner().text == "Hi") }
/// }
/// ```
///
/// It holds for the task and its child tasks: tests that run at the same time do not see one another's. A configuration within
/// another has that one's values, rules and context where it has none.
///
/// - Parameters:
///   - values: the values by key. An object is a branch of the keys, as in a plain document.
///   - rules: the rules of keys, as flagd writes them.
///   - context: the evaluation context; without one, no rule is evaluated.
///   - body: what reads the values.
public func withConfig<Outcome>(
    _ values: [String: EntryValue],
    rules: [String: EntryValue] = [:],
    context: EvaluationContext? = nil,
    _ body: () throws -> Outcome
) rethrows -> Outcome {
    try RemoteConfigSystem.with(ConfigOverride(values, rules, context), body)
}

/// Gives a configuration to what an asynchronous operation runs, in place of the program's.
public func withConfig<Outcome>(
    _ values: [String: EntryValue],
    rules: [String: EntryValue] = [:],
    context: EvaluationContext? = nil,
    _ body: () async throws -> Outcome
) async rethrows -> Outcome {
    try await RemoteConfigSystem.with(ConfigOverride(values, rules, context), body)
}

extension ConfigOverride {
    /// The configuration of a task within another one.
    fileprivate init(_ values: [String: EntryValue], _ rules: [String: EntryValue], _ context: EvaluationContext?) {
        let outer = RemoteConfigSystem.override
        self.init(
            values: (outer?.values ?? [:]).merging(values) { $1 },
            rules: (outer?.rules ?? [:]).merging(rules) { $1 },
            context: context ?? outer?.context
        )
    }
}

extension ConfigState {
    /// Forgets the program's configuration, so that the next test can set another one by `bootstrap()`.
    public static func resetForTesting() { RemoteConfigSystem.reset() }
}
