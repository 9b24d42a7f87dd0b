// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Logging
internal import NIOCore

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
    private var isPausing = false

    /// - Parameter limit: how many connections are served. A few more are accepted, to be answered 503.
    init(limit: Int, logger: Logger) {
        most = limit + min(64, max(1, limit / 8))
        log = RefusalLog(logger: logger, level: .warning, linesPerMinute: 1)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        open += 1
        let (gate, listener) = (NIOLoopBound(self, eventLoop: context.eventLoop), context.channel)
        unwrapInboundIn(data).closeFuture.hop(to: context.eventLoop).whenComplete { _ in
            gate.value.open -= 1
            if gate.value.open == gate.value.most - 1 { gate.value.update(listener) }
        }
        if open == most {
            warn("connection limit reached", [:])
            update(listener)
        }
        context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? IOError, Self.causes.contains(error.errnoCode) else {
            return context.fireErrorCaught(error)
        }
        guard !isPausing else { return }
        isPausing = true
        warn("cannot accept a connection", ["error": "\(String(cString: strerror(error.errnoCode)))"])
        let (gate, listener) = (NIOLoopBound(self, eventLoop: context.eventLoop), context.channel)
        update(listener)
        context.eventLoop.scheduleTask(in: .seconds(1)) {
            gate.value.isPausing = false
            gate.value.update(listener)
        }
    }

    private func update(_ listener: any Channel) {
        // It fails only for a listener that is closed.
        try? listener.syncOptions?.setOption(.autoRead, value: open < most && !isPausing)
    }

    private func warn(_ cause: String, _ metadata: Logger.Metadata) {
        log.record("\(cause); new connections wait; raise the open file limit and the connection limit", metadata)
    }
}
