// SPDX-License-Identifier: Apache-2.0

import ConfigHub
import ConfigModel
import ConfigStore
import ConfigWire
import Dispatch
import HubTestSupport
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

/// The dependencies of connections without sockets: an event loop that a test advances. It belongs to the thread that makes it.
struct EmbeddedServer {
    private let policy: AccessPolicy
    let eventLoop = EmbeddedEventLoop()
    private let loop: ConnectionLoop
    private let routes: HeldRoutes

    init(
        _ hub: NamespaceHub,
        tokens: [AccessToken],
        now: @escaping @Sendable () -> Timestamp = Timestamp.ofClock
    ) {
        policy = AccessPolicy(tokens: TokenTable(checked: tokens), failedAttemptsPerMinute: 1_000_000, now: now)
        let services = ServerServices(
            hub: hub,
            policy: policy,
            settings: ServerSettings(),
            registry: PrometheusRegistry(),
            logger: .quiet
        )
        routes = HeldRoutes(services)
        loop = ConnectionLoop(services, routes, on: eventLoop)
    }

    var bodies: MemoryBudget { loop.services.bodies }

    func connection() throws -> EmbeddedConnection { try EmbeddedConnection(on: loop, routes, eventLoop) }

    func replaceTokens(with token: AccessToken) {
        waiting { [policy] in _ = try await policy.replace(with: TokenTable(checked: [token])) }
    }

    func stop() { loop.stop() }
}

/// A connection without a socket, which reads exactly the pieces that a test gives it. Its routes answer with the received
/// request, when the test lets them.
struct EmbeddedConnection {
    let connection: ConnectionHandler
    private let channel: EmbeddedChannel
    private let routes: HeldRoutes
    private let counter = ReadCounter()

    fileprivate init(on loop: ConnectionLoop, _ routes: HeldRoutes, _ eventLoop: EmbeddedEventLoop) throws {
        self.routes = routes
        connection = ConnectionHandler(loop: loop, peer: ConnectionPeer(nil))
        channel = EmbeddedChannel(loop: eventLoop)
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(counter)
        try pipeline.addHandler(ByteTap(connection: connection))
        try pipeline.addHandler(ByteToMessageHandler(HTTPRequestDecoder()))
        try pipeline.addHandler(connection)
        channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1), promise: nil)
    }

    /// Reads bytes in one piece.
    func read(_ bytes: some Collection<UInt8>) throws {
        if connection.machine.isClosing { return }
        try channel.writeInbound(ByteBuffer(bytes: bytes))
        channel.embeddedEventLoop.run()
    }

    /// Requests a read, as the channel does after each.
    ///
    /// - Returns: whether the connection reads at once.
    func requestRead() -> Bool {
        let before = readCount
        channel.read()
        return readCount > before
    }

    /// How often the connection has read.
    var readCount: Int { counter.count }

    /// Lets the routes answer their requests by repeating them.
    func answerRoutes() { routes.answer(connection) }

    /// The output since the last call, without the fields for the time.
    func written() throws -> String {
        var text = ""
        while let data = try channel.readOutbound(as: IOData.self) {
            if case .byteBuffer(let bytes) = data { text += String(buffer: bytes) }
        }
        return text.replacing(#/date: [^\r]*\r\n/#, with: "")
    }

    func close() { _ = try? channel.finish(acceptAlreadyClosed: true) }
}

private final class ReadCounter: ChannelOutboundHandler {
    typealias OutboundIn = Never
    var count = 0

    func read(context: ChannelHandlerContext) {
        count += 1
        context.read()
    }
}

/// Routes that answer with the received request, when the test lets them, and evaluations at once.
private final class HeldRoutes: RouteResponder {
    private let services: ServerServices
    private var held: [ObjectIdentifier: (call: RouteCall, connection: ConnectionHandler)] = [:]

    init(_ services: ServerServices) { self.services = services }

    func check(_ call: inout RouteCall, _ fields: RequestFields) {
        if Self.isEvaluation(call) { call.check(fields, services) }
    }

    func quickReply(to call: RouteCall) -> Reply? { Self.isEvaluation(call) ? call.quickReply(services) : nil }

    private static func isEvaluation(_ call: RouteCall) -> Bool { call.request.head.uri.hasPrefix("/ofrep/") }

    func answer(_ call: RouteCall, for connection: ConnectionHandler) -> Task<Void, Never>? {
        if let reply = quickReply(to: call) {
            connection.loop.eventLoop.assumeIsolated().execute { connection.endRoute(reply) }
            return nil
        }
        held[ObjectIdentifier(connection)] = (call, connection)
        // Until it is cancelled.
        return Task { for await _ in AsyncStream<Void>(unfolding: { try? await Task.sleep(for: .seconds(3600)) }) {} }
    }

    func answer(_ connection: ConnectionHandler) {
        // An answer may be followed by the next request.
        while let (call, connection) = held.removeValue(forKey: ObjectIdentifier(connection)) {
            let (head, body) = (call.request.head, String(decoding: call.request.body?.take() ?? [], as: UTF8.self))
            connection.endRoute(Reply(body: ByteBuffer(string: "\(head.method) \(head.uri) \(body)")))
        }
    }
}
