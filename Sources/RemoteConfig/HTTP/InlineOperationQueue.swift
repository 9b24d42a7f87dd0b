internal import Foundation

/// A queue that does what it is given at once, on the thread that gives it.
///
/// The URLSession of swift-corelibs-foundation does not wait for its delegate: it reads, decompresses and queues as
/// fast as the network allows, so that what a hostile server compressed to a few megabytes would stand in memory as
/// gigabytes before the delegate had seen the first of them. Called on URLSession's own thread, the delegate counts
/// every byte before the next one is read. In exchange it must never block or call back into URLSession from there.
final class InlineOperationQueue: OperationQueue, @unchecked Sendable {
    override func addOperation(_ block: @escaping @Sendable () -> Void) { block() }

    override func addOperation(_ operation: Operation) { operation.start() }
}
