internal import Logging
internal import NIOCore

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Stands in the pipeline of the socket that listens, and lets it rest for a second when no connection can be taken for
/// want of descriptors or memory. Clients wait in the kernel's queue meanwhile.
final class AcceptPause: ChannelInboundHandler {
    typealias InboundIn = any Channel

    private static let pause = TimeAmount.seconds(1)
    private static let causes: Set<CInt> = [EMFILE, ENFILE, ENOBUFS, ENOMEM]

    private let logger: Logger
    private var budget = LogBudget(lines: 1, period: .seconds(60))
    private var isResting = false

    init(logger: Logger) {
        self.logger = logger
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? IOError, Self.causes.contains(error.errnoCode) else {
            return context.fireErrorCaught(error)
        }
        guard !isResting else { return }
        isResting = true
        if budget.admit(at: .now()) != nil {
            logger.error(
                "no more connections can be taken and new ones wait; raise the limit of open files or lower --max-connections",
                metadata: ["error": "\(String(cString: strerror(error.errnoCode)))"]
            )
        }
        try? context.channel.syncOptions?.setOption(.autoRead, value: false)
        let channel = NIOLoopBound(context.channel, eventLoop: context.eventLoop)
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: Self.pause) {
            handler.value.isResting = false
            try? channel.value.syncOptions?.setOption(.autoRead, value: true)
        }
    }
}
