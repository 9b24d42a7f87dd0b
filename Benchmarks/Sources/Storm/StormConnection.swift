// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Foundation
import HTTPTransport
import NIOCore
import NIOPosix
import NIOSSL

/// A connection of a ``StormClient``, for one request after another (HTTP/1.1). It belongs to the event loop of the crowd.
final class StormConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The news of a request: a whole response, the next events of a stream, or the failure that ends it.
    enum News {
        case body(HTTPResponseHead, ByteBuffer)
        case events(StormEvents.Piece)
        case failure(ConfigError)
    }

    private let crowd: StormCrowd
    /// The number of the server.
    let server: Int
    private var channel: (any Channel)?
    /// The error that has closed the connection.
    private var closure: (any Error)?
    private var request: (path: String, fields: String, isStream: Bool)?
    private var receive: ((News) -> Void)?
    private var head: HTTPResponseHead?
    private var bytes = ByteBuffer()
    private var timeout: Scheduled<Void>?

    private static let url = URL(filePath: "/")

    /// Connects to a server.
    init(_ crowd: StormCrowd, to server: Int) {
        (self.crowd, self.server) = (crowd, server)
        let handler = NIOLoopBound(self, eventLoop: crowd.loop)
        let certificates = crowd.certificates
        let reads = AdaptiveRecvByteBufferAllocator(minimum: 512, initial: 1024, maximum: 65_536)
        ClientBootstrap(group: crowd.loop).bind(to: crowd.nextSource()).channelOption(.maxMessagesPerRead, value: 1)
            .channelOption(.recvAllocator, value: reads)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let certificates {
                        let tls = try NIOSSLClientHandler(context: certificates, serverHostname: nil)
                        try channel.pipeline.syncOperations.addHandler(tls)
                    }
                    try channel.pipeline.syncOperations.addHandler(handler.value)
                }
            }
            .connect(to: crowd.addresses[server]).assumeIsolated().whenFailure { self.fail($0) }
    }

    /// Sends a request; the connection must not have another one in progress.
    func send(_ path: String, fields: String, isStream: Bool, _ receive: @escaping (News) -> Void) {
        (request, self.receive, head) = ((path, fields, isStream), receive, nil)
        // As the transport does, connecting included.
        let limit = HTTPTimeouts.document.answer
        timeout = crowd.loop.assumeIsolated().scheduleTask(in: .nanoseconds(limit.nanoseconds)) {
            self.fail(ChannelError.connectTimeout(.seconds(10)))
        }
        if channel != nil { write() }
        // The system may have refused the connection at once.
        if let error = closure { crowd.loop.assumeIsolated().execute { self.end(error) } }
    }

    private func write() {
        guard let channel, let request else { return }
        let text = "GET \(request.path) HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: livery\r\n\(request.fields)\r\n"
        channel.writeAndFlush(ByteBuffer(string: text), promise: nil)
    }

    /// Closes the connection and reports nothing more.
    func close() {
        receive = nil
        fail(ChannelError.eof)
    }

    private func fail(_ error: any Error) {
        guard closure == nil else { return }
        closure = error
        channel?.close(promise: nil)
        end(error)
    }

    private func end(_ error: any Error) {
        timeout?.cancel()
        guard let receive else { return }
        self.receive = nil
        crowd.count(error)
        receive(.failure(ConfigError(.unreachable, "\(error)")))
    }

    /// Whether another request can be sent.
    var isIdle: Bool { closure == nil && channel != nil && receive == nil }

    func channelActive(context: ChannelHandlerContext) {
        if closure != nil { return context.close(promise: nil) }
        channel = context.channel
        crowd.countConnection()
        write()
    }

    func channelInactive(context: ChannelHandlerContext) { fail(ChannelError.eof) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { fail(error) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard closure == nil, let request else { return }
        var piece = unwrapInboundIn(data)
        if bytes.readableBytes == 0 { bytes = piece } else { bytes.writeBuffer(&piece) }
        if head == nil { head = readHead() }
        guard let head else { return }
        if request.isStream, head.status == 200 {
            timeout?.cancel()
            guard let piece = crowd.events.piece(bytes) else { return }
            bytes = ByteBuffer()
            receive?(.events(piece))
        } else {
            let length = head.headers["content-length"].flatMap(Int.init) ?? 0
            guard let body = bytes.readSlice(length: length) else { return }
            timeout?.cancel()
            let receive = receive
            (self.receive, bytes) = (nil, ByteBuffer())
            receive?(.body(head, body))
        }
    }

    /// The head of the response, once it is there as a whole.
    private func readHead() -> HTTPResponseHead? {
        let view = bytes.readableBytesView
        guard let end = view.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: view[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
        bytes.moveReaderIndex(to: end.upperBound)
        let fields = lines.dropFirst().map { line in
            let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
            return (name: String(line[..<colon]), value: String(line[colon...].dropFirst()).trimmed)
        }
        let status = lines.first.flatMap { Int($0.dropFirst("HTTP/1.1 ".count).prefix(3)) } ?? 0
        return HTTPResponseHead(status: status, headers: HTTPHeaders(fields), url: Self.url)
    }
}

extension Duration {
    var nanoseconds: Int64 { Int64(self / .nanoseconds(1)) }
}
