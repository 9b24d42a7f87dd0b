// SPDX-License-Identifier: Apache-2.0

package import ConfigModel
package import ConfigRules
internal import Observing
internal import Synchronization

extension ConfigState {
    /// Makes this the program's configuration, for each ``RemoteValue`` that names no other.
    ///
    /// ```swift
    /// let service = RemoteConfigService(source: source)
    /// service.state.bootstrap()
    /// ```
    ///
    /// It is set once, when the program starts, as the systems of swift-log and swift-metrics are; observers that have read
    /// defaults before read their values again. Libraries leave it alone and name the state that they mean:
    /// `@RemoteValue("app.limit", in: state)`. Tests use a separate configuration for each task (`withConfig` of
    /// `RemoteConfigTesting`).
    ///
    /// - Returns: whether it is set now; `false` if another one was set before, which stays. That is among the ``problems``, and
    ///   logged.
    @discardableResult
    public func bootstrap() -> Bool { RemoteConfigSystem.bootstrap(self) }

    /// The program's configuration; `nil` before ``bootstrap()``.
    public static var ofProgram: ConfigState? { RemoteConfigSystem.state }
}

/// The program's own configuration.
package enum RemoteConfigSystem {
    /// Never released, since a reader on another thread may be about to retain it.
    private static let configured = Atomic<Unmanaged<ConfigState>?>(nil)
    /// The override of this task.
    @TaskLocal package static var override: ConfigOverride?
    /// The number of overrides in use. While it is zero, reads do not look at the task.
    private static let overrideCount = Atomic(0)
    /// Read while there is no configuration.
    static let absence = ObservedReading()

    fileprivate static func bootstrap(_ state: ConfigState) -> Bool {
        let (isSet, former) = configured.compareExchange(
            expected: nil,
            desired: Unmanaged.passUnretained(state),
            ordering: .acquiringAndReleasing
        )
        guard isSet else {
            if former?.takeUnretainedValue() === state { return true }
            let message = "cannot set the program's configuration: another one was set before; call bootstrap once"
            state.current.report(ConfigError(.conflict, message))
            return false
        }
        _ = Unmanaged.passRetained(state)
        absence.announceOnMain()
        return true
    }

    /// Forgets the program's configuration, so that another one can be set.
    package static func reset() {
        if configured.exchange(nil, ordering: .acquiringAndReleasing) != nil { absence.announceOnMain() }
    }

    static var state: ConfigState? {
        if overrideCount.load(ordering: .relaxed) > 0, let override { return override.state }
        return configured.load(ordering: .acquiring)?.takeUnretainedValue()
    }

    /// Gives a configuration to a task for as long as an operation takes.
    package static func with<Result>(_ override: ConfigOverride, _ body: () throws -> Result) rethrows -> Result {
        overrideCount.add(1, ordering: .relaxed)
        defer { overrideCount.subtract(1, ordering: .relaxed) }
        return try $override.withValue(override, operation: body)
    }

    /// Gives a configuration to a task for as long as an operation takes.
    package static func with<Result>(
        _ override: ConfigOverride,
        _ body: () async throws -> Result
    ) async rethrows -> Result {
        overrideCount.add(1, ordering: .relaxed)
        defer { overrideCount.subtract(1, ordering: .relaxed) }
        return try await $override.withValue(override, operation: body)
    }
}

/// The configuration of a task, in place of the program's.
package struct ConfigOverride: Sendable {
    package let values: [String: EntryValue]
    package let rules: [String: EntryValue]
    package let context: EvaluationContext?
    package let state: ConfigState

    package init(values: [String: EntryValue], rules: [String: EntryValue], context: EvaluationContext?) {
        (self.values, self.rules, self.context) = (values, rules, context)
        state = ConfigState(preview: values, rules: rules, context: context)
    }
}
