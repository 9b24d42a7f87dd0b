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

/// The elements of a stream, until its task is cancelled or a graceful shutdown begins.
struct UntilShutdown<Element: Sendable>: AsyncSequence, Sendable {
    private let stream: AsyncStream<Element>
    private let finish: @Sendable () -> Void

    /// - Parameter finish: Finishes the stream.
    init(_ stream: AsyncStream<Element>, finish: @escaping @Sendable () -> Void) {
        (self.stream, self.finish) = (stream, finish)
    }

    func makeAsyncIterator() -> Iterator { Iterator(base: stream.makeAsyncIterator(), finish: finish) }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate var base: AsyncStream<Element>.Iterator
        fileprivate let finish: @Sendable () -> Void

        mutating func next() async -> Element? { await next(isolation: #isolation) }

        mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            await withShutdownHandler {
                await base.next(isolation: actor)
            } onShutdown: { [finish] in
                finish()
            }
        }
    }
}
