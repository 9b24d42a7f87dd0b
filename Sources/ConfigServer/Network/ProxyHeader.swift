// SPDX-License-Identifier: Apache-2.0

internal import NIOCore

/// The header of the PROXY protocol at the beginning of a proxy's connection, in text (version 1) or binary (version 2), by
/// HAProxy's specification.
enum ProxyHeader: Hashable {
    case incomplete
    case absent
    case malformed
    /// A header with its length and the client's address; `nil` if the proxy connects on its own behalf or does not know it.
    case present(count: Int, IPAddress?)

    /// The maximum size of a header, in bytes: the addresses and a few hundred bytes about TLS.
    private static let maximumCount = 4096

    private static let textMark = Array("PROXY ".utf8)
    /// The maximum size of a text header with its line end, in bytes.
    private static let maximumTextCount = 107
    private static let binaryMark = Array("\r\n\r\n\0\r\nQUIT\n".utf8)

    init(_ bytes: ByteBufferView) {
        if bytes.starts(with: Self.binaryMark) {
            self = Self.binary(Array(bytes.prefix(Self.maximumCount)))
        } else if bytes.starts(with: Self.textMark) {
            self = Self.text(Array(bytes.prefix(Self.maximumTextCount)))
        } else if Self.textMark.starts(with: bytes) || Self.binaryMark.starts(with: bytes) {
            self = .incomplete
        } else {
            self = .absent
        }
    }

    private static func text(_ bytes: [UInt8]) -> ProxyHeader {
        guard let end = bytes.firstIndex(of: 0x0A) else {
            return bytes.count < maximumTextCount ? .incomplete : .malformed
        }
        guard bytes[end - 1] == 0x0D else { return .malformed }
        let words = bytes[..<(end - 1)].split(separator: 0x20, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        if words[1] == "UNKNOWN" { return .present(count: end + 1, nil) }
        guard words.count == 6, words[1] == "TCP4" || words[1] == "TCP6", let source = IPAddress(words[2]),
            IPAddress(words[3]) != nil, UInt16(words[4]) != nil, UInt16(words[5]) != nil,
            words[2].contains(":") == (words[1] == "TCP6")
        else { return .malformed }
        return .present(count: end + 1, source)
    }

    private static func binary(_ bytes: [UInt8]) -> ProxyHeader {
        guard bytes.count >= 16 else { return .incomplete }
        let (command, family, length) = (bytes[12], bytes[13], Int(bytes[14]) << 8 | Int(bytes[15]))
        guard command == 0x20 || command == 0x21, 16 + length <= maximumCount else { return .malformed }
        guard bytes.count >= 16 + length else { return .incomplete }
        // The proxy's own connection, such as a health check.
        if command == 0x20 { return .present(count: 16 + length, nil) }
        let addressCount = family >> 4 == 1 ? 4 : family >> 4 == 2 ? 16 : 0
        guard length >= addressCount * 2 + (addressCount > 0 ? 4 : 0) else { return .malformed }
        return .present(count: 16 + length, IPAddress(bytes: bytes[16..<(16 + addressCount)]))
    }
}

/// Removes the header of the PROXY protocol from a trusted proxy's connection, if there is one.
///
/// It comes before TLS, which does not cover the header.
final class ProxyHeaderHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let peer: ConnectionPeer
    private var waiting = ByteBuffer()
    private var isDone = false
    private var hasPassed = false

    init(peer: ConnectionPeer) {
        self.peer = peer
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        if isDone { return pass(bytes, context) }
        waiting.writeBuffer(&bytes)
        switch ProxyHeader(waiting.readableBytesView) {
        case .incomplete: return
        case .malformed: context.close(promise: nil)
        case .absent: pass(waiting, context)
        case .present(let count, let address):
            if let address { peer.address = address }
            waiting.moveReaderIndex(forwardBy: count)
            pass(waiting, context)
        }
        waiting = ByteBuffer()
    }

    private func pass(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        isDone = true
        guard bytes.readableBytes > 0 else { return }
        hasPassed = true
        context.fireChannelRead(wrapInboundOut(bytes))
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // The handlers behind have not seen the header, so that none of them reads on.
        if hasPassed { context.fireChannelReadComplete() } else { context.read() }
    }
}
