// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigRules
internal import Observing

extension ConfigState {
    /// The state now, and then each one that follows it.
    ///
    /// A slow reader skips states but always gets the newest. The sequence ends when its task is cancelled, or when a graceful
    /// shutdown begins (with the trait `ServiceLifecycle`).
    ///
    /// ```swift
    /// for await current in state.observe() {
    ///     print(current.status.phase, current.revision)
    /// }
    /// ```
    public func observe() -> some AsyncSequence<Snapshot, Never> & Sendable {
        observed.updates(of: StateMark.init) { current, _ in current }
    }

    /// The changes of the configuration from this call on, one message for each state.
    ///
    /// ```swift
    /// for await update in state.messages() {
    ///     print(update.changedKeys)
    /// }
    /// ```
    ///
    /// They are the messages that are posted to the notification centre, also if the service has none. The sequence that
    /// Foundation's `NotificationCenter.messages(of:for:)` returns lacks what is posted before its iterator is made, and buffers 10.
    ///
    /// - Parameter limit: The maximum number of messages that wait for a slow reader of the sequence; older ones are dropped.
    /// - Returns: A sequence for one reader. It ends as that of ``observe()`` does.
    public func messages(limit: Int = 1000) -> some AsyncSequence<ConfigDidUpdate, Never> & Sendable {
        UntilShutdown(limit: limit) { messages in
            let subscription = messageReaders.add { messages.yield($0) }
            return { subscription.end() }
        }
    }

    /// The value of a key now, and then each different one that follows it.
    ///
    /// A value is `nil` while the key is not there or cannot be read as the type; the error is then among the ``problems``. A
    /// slow reader skips values but always gets the newest. The sequence ends as that of ``observe()`` does.
    ///
    /// ```swift
    /// for await color in state.observe("app.background.color", as: RGBColor.self) {
    ///     print("recolour with", color ?? RGBColor(0))
    /// }
    /// ```
    ///
    /// In a task with a context (`EvaluationContext.current`), the values are those of the context.
    public func observe<Value: Decodable & Equatable & Sendable>(
        _ key: String,
        as type: Value.Type = Value.self
    ) -> some AsyncSequence<Value?, Never> & Sendable {
        let context = EvaluationContext.current
        return DistinctUpdates(value: { () -> Value? in
            let current = self.current.snapshot(below: key, for: context)
            do throws(ConfigError) {
                return try current.value(forKey: key, as: type)
            } catch {
                current.report(error)
                return nil
            }
        }) { hint in
            [self.observeValues(around: key, in: context, hint)]
        }
    }

    /// The result of an expression over the state now, and then each different one that follows it.
    ///
    /// ```swift
    /// for await total in state.observe({ $0.value(forKey: "seats", default: 0) + $0.value(forKey: "extra", default: 0) }) {
    ///     print(total)
    /// }
    /// ```
    ///
    /// The expression is evaluated in the task that iterates, once for each state that it gets. In a task with a context
    /// (`EvaluationContext.current`), the values are those of the context. The sequence ends as that of ``observe()`` does.
    public func observe<Value: Equatable & Sendable>(
        _ expression: @escaping @Sendable (Snapshot) -> Value
    ) -> some AsyncSequence<Value, Never> & Sendable {
        let context = EvaluationContext.current
        return DistinctUpdates(value: { expression(self.current.snapshot(below: "", for: context)) }) { hint in
            [
                self.observed.observe { previous, next in
                    let isAffected = context.map { next.hasOtherValues(than: previous, in: $0) } ?? false
                    if isAffected || StateMark(previous) != StateMark(next) { hint() }
                }
            ]
        }
    }

    /// Calls back after the value of a key, of one below it, or of an object above it may have become another.
    ///
    /// - Parameter context: The context that the values are read in; `nil` for the program's.
    func observeValues(
        around key: String,
        in context: EvaluationContext?,
        _ hint: @escaping @Sendable () -> Void
    ) -> ObservationToken {
        observed.observe { previous, next in
            // A value may be another in a context although the program's own value is the same.
            let isAffected =
                if let context, previous.dependsOnContext || next.dependsOnContext {
                    next.hasOtherValues(than: previous, in: context)
                } else {
                    next.hasOtherValues(than: previous, around: key)
                }
            if isAffected { hint() }
        }
    }
}

extension RemoteConfigService {
    /// The state now, and then each one that follows it; see ``ConfigState/observe()``.
    public func observe() -> some AsyncSequence<ConfigState.Snapshot, Never> & Sendable { state.observe() }

    /// The value of a key now, and then each different one that follows it; see ``ConfigState/observe(_:as:)``.
    public func observe<Value: Decodable & Equatable & Sendable>(
        _ key: String,
        as type: Value.Type = Value.self
    ) -> some AsyncSequence<Value?, Never> & Sendable {
        state.observe(key, as: type)
    }

    /// The changes of the configuration from this call on; see ``ConfigState/messages(limit:)``.
    public func messages(limit: Int = 1000) -> some AsyncSequence<ConfigDidUpdate, Never> & Sendable {
        state.messages(limit: limit)
    }

    /// The result of an expression over the state now, and then each different one; see ``ConfigState/observe(_:)``.
    public func observe<Value: Equatable & Sendable>(
        _ expression: @escaping @Sendable (ConfigState.Snapshot) -> Value
    ) -> some AsyncSequence<Value, Never> & Sendable {
        state.observe(expression)
    }
}

/// The properties by which consecutive states differ: the revision represents all values.
private struct StateMark: Equatable {
    let revision: UInt64
    let cursor: RevisionCursor?
    let status: SourceStatus
    let context: EvaluationContext?

    init(_ current: ConfigState.Snapshot) {
        context = current.context
        revision = current.snapshot.revision
        cursor = current.snapshot.cursor
        status = current.status
    }
}
