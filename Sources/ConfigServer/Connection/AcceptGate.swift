internal import Logging
internal import NIOCore

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Pauses the listening socket while there are too many connections: clients then wait in the kernel's queue.
///
/// Descriptors must not run out, since the rest of the process needs some at any time. If they do nevertheless, the socket
/// pauses for a second.
final class AcceptGate: ChannelInboundHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel

    private static let causes: Set<CInt> = [EMFILE, ENFILE, ENOBUFS, ENOMEM]

    private let most: Int
    private let log: RefusalLog
    private var open = 0
    private var isFull = false
    private var isPausing = false
    private var context: ChannelHandlerContext?

    /// - Parameter limit: how many connections are served. A few more are accepted, to be answered 503.
    init(limit: Int, logger: Logger) {
        most = limit + min(64, max(1, limit / 8))
        log = RefusalLog(logger: logger, level: .warning, linesPerMinute: 1)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        open += 1
        let gate = NIOLoopBound(self, eventLoop: context.eventLoop)
        unwrapInboundIn(data).closeFuture.hop(to: context.eventLoop).whenComplete { _ in gate.value.closed() }
        if open >= most, !isFull {
            isFull = true
            warn("there are as many connections as may be", [:])
            update()
        }
        context.fireChannelRead(data)
    }

    private func closed() {
        open -= 1
        guard isFull, open < most else { return }
        isFull = false
        update()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? IOError, Self.causes.contains(error.errnoCode) else {
            return context.fireErrorCaught(error)
        }
        guard !isPausing else { return }
        isPausing = true
        warn("the system has nothing left for a connection", ["error": "\(String(cString: strerror(error.errnoCode)))"])
        update()
        let gate = NIOLoopBound(self, eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: .seconds(1)) {
            gate.value.isPausing = false
            gate.value.update()
        }
    }

    private func update() {
        try? context?.channel.syncOptions?.setOption(.autoRead, value: !isFull && !isPausing)
    }

    private func warn(_ cause: String, _ metadata: Logger.Metadata) {
        log.record("\(cause), and new ones wait; raise the limit of open files and --max-connections", metadata)
    }
}
