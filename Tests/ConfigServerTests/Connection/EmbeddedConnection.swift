import Dispatch
import Logging
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import ConfigServer

/// Does asynchronous work while this thread waits for it.
func waiting(for work: @escaping @Sendable () async throws -> Void) {
    let done = DispatchSemaphore(value: 0)
    Task {
        do { try await work() } catch { Issue.record(error) }
        done.signal()
    }
    done.wait()
}

/// What connections need to answer, without sockets: an event loop that goes on when a test lets it. It belongs to the thread
/// that makes it.
struct EmbeddedServer {
    private let policy: AccessPolicy
    let eventLoop = EmbeddedEventLoop()
    private let loop: ConnectionLoop

    init(_ hub: ConfigHub, tokens: [AccessToken]) {
        policy = AccessPolicy(tokens: TokenTable(tokens: tokens), failedAttemptsPerMinute: 1_000_000)
        let services = ServerServices(
            hub: hub,
            policy: policy,
            settings: ServerSettings(),
            registry: PrometheusRegistry(),
            logger: .quiet
        )
        let rules = ConnectionRules(limits: services.limits, origins: services.origins)
        loop = ConnectionLoop(services, rules, RefusalLog(logger: .quiet), on: eventLoop)
    }

    func connection() throws -> EmbeddedConnection { try EmbeddedConnection(on: loop, eventLoop) }

    func replaceTokens(with token: AccessToken) {
        waiting { [policy] in _ = try await policy.replace(with: TokenTable(tokens: [token])) }
    }

    func stop() { loop.stop() }
}

/// A connection without a socket, which reads exactly the pieces that a test gives it. In place of the routes is one that
/// answers with what it was asked, when the test lets it.
struct EmbeddedConnection {
    let connection: ConnectionHandler
    private let channel: EmbeddedChannel
    private let routes = HeldRoutes()

    init(on loop: ConnectionLoop, _ eventLoop: EmbeddedEventLoop) throws {
        connection = ConnectionHandler(loop: loop, peer: ConnectionPeer(nil), isEncrypted: false)
        channel = EmbeddedChannel(loop: eventLoop)
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(ByteTap(connection: connection))
        try pipeline.configureHTTPServerPipeline(
            withPipeliningAssistance: false,
            withErrorHandling: false,
            withOutboundHeaderValidation: false
        )
        try pipeline.addHandlers(connection, routes)
        channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1), promise: nil)
    }

    /// Reads bytes in one piece.
    func read(_ bytes: some Collection<UInt8>) throws {
        if connection.machine.isClosing { return }
        try channel.writeInbound(ByteBuffer(bytes: bytes))
    }

    /// Lets the routes answer what they have been asked.
    func answerRoutes() { routes.answer() }

    /// What has been written since this was last asked for, without the fields for the time.
    func written() throws -> String {
        var text = ""
        while let data = try channel.readOutbound(as: IOData.self) {
            if case .byteBuffer(let bytes) = data { text += String(buffer: bytes) }
        }
        return text.replacing(#/date: [^\r]*\r\n/#, with: "")
    }

    func close() { _ = try? channel.finish(acceptAlreadyClosed: true) }
}

private final class HeldRoutes: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private var request = ""
    private var answers: [String] = []
    private var context: ChannelHandlerContext?

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }
    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): request = "\(head.method) \(head.uri) "
        case .body(let bytes): request += String(buffer: bytes)
        case .end: answers.append(request)
        }
    }

    func answer() {
        while !answers.isEmpty, let context {
            let answer = answers.removeFirst()
            let fields: HTTPHeaders = ["content-length": "\(answer.utf8.count)"]
            context.write(wrapOutboundOut(.head(.init(version: .http1_1, status: .ok, headers: fields))), promise: nil)
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: answer)))), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
    }
}
