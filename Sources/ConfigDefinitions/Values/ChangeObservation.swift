// SPDX-License-Identifier: Apache-2.0

/// Observes something that may change: starts to, calls the closure that it is given after each possible change, and returns
/// what ends that.
///
/// ```swift
/// func observing(_ signIns: AsyncStream<Void>) -> ChangeObservation {
///     { didChange in
///         let watching = Task { for await _ in signIns { didChange() } }
///         return { watching.cancel() }
///     }
/// }
/// ```
///
/// It is called on any thread, once while anybody observes a definition that depends on it.
public typealias ChangeObservation = @Sendable (_ didChange: @escaping @Sendable () -> Void) -> @Sendable () -> Void
