// SPDX-License-Identifier: Apache-2.0

#if ServiceLifecycle
    internal import ServiceLifecycle
#endif

/// Runs an operation, and calls `onShutdown` when its task is cancelled or, with the trait `ServiceLifecycle`, a graceful
/// shutdown begins.
package func withShutdownHandler<Value>(
    _ operation: () async -> Value,
    onShutdown: @escaping @Sendable () -> Void
) async -> Value {
    #if ServiceLifecycle
        await withTaskCancellationOrGracefulShutdownHandler(
            operation: operation,
            onCancelOrGracefulShutdown: onShutdown
        )
    #else
        await withTaskCancellationHandler(operation: operation, onCancel: onShutdown)
    #endif
}

/// The elements from the moment at which the sequence is made, for one reader, until its task is cancelled or a graceful
/// shutdown begins.
package struct UntilShutdown<Element: Sendable>: AsyncSequence, Sendable {
    private let stream: AsyncStream<Element>
    private let finish: @Sendable () -> Void

    /// - Parameters:
    ///   - limit: The maximum number of elements that wait for a slow reader; older ones are dropped.
    ///   - subscribe: Yields elements to the continuation from now on. It returns what ends that.
    package init(limit: Int, _ subscribe: (AsyncStream<Element>.Continuation) -> @Sendable () -> Void) {
        let (stream, elements) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: .bufferingNewest(limit))
        let end = subscribe(elements)
        elements.onTermination = { _ in end() }
        (self.stream, finish) = (stream, { elements.finish() })
    }

    package func makeAsyncIterator() -> Iterator { Iterator(base: stream.makeAsyncIterator(), finish: finish) }

    package struct Iterator: AsyncIteratorProtocol {
        fileprivate var base: AsyncStream<Element>.Iterator
        fileprivate let finish: @Sendable () -> Void

        package mutating func next() async -> Element? { await next(isolation: #isolation) }

        package mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            await withShutdownHandler {
                await base.next(isolation: actor)
            } onShutdown: { [finish] in
                finish()
            }
        }
    }
}
