// SPDX-License-Identifier: Apache-2.0

#if ServiceLifecycle
    public import ServiceLifecycle

    /// In a `ServiceGroup`, a graceful shutdown ends the run. Needs the trait `ServiceLifecycle`.
    extension RemoteConfigService: Service {}

    /// Runs an operation, and calls `onShutdown` when its task is cancelled or a graceful shutdown begins.
    func withShutdownHandler<Value>(
        _ operation: () async -> Value,
        onShutdown: @escaping @Sendable () -> Void
    ) async -> Value {
        await withTaskCancellationOrGracefulShutdownHandler(
            operation: operation,
            onCancelOrGracefulShutdown: onShutdown
        )
    }
#else
    /// Runs an operation, and calls `onShutdown` when its task is cancelled.
    func withShutdownHandler<Value>(
        _ operation: () async -> Value,
        onShutdown: @escaping @Sendable () -> Void
    ) async -> Value {
        await withTaskCancellationHandler(operation: operation, onCancel: onShutdown)
    }
#endif
