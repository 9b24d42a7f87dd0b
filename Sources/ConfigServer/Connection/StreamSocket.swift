// SPDX-License-Identifier: Apache-2.0

internal import Files
internal import Foundation
internal import NIOCore

/// Writes a stream's events straight to its socket: the way through the channel takes several times as long.
///
/// It is open only while the channel has no pending output. Bytes that the kernel does not accept go through the channel, and
/// so does everything after them until the kernel has accepted those: order, waiting and errors remain with the channel.
struct StreamSocket {
    private let channel: any Channel
    private let descriptor: NIOBSDSocket.Handle
    private var isOpen = false

    /// - Returns: `nil` if the channel has no socket.
    init?(_ context: ChannelHandlerContext) {
        guard let descriptor = context.withSocket({ $0 }) else { return nil }
        (channel, self.descriptor) = (context.channel, descriptor)
    }

    /// Whether bytes may be written here.
    ///
    /// - Parameter isReady: whether the connection itself has no pending output; not evaluated while the socket is open.
    mutating func isOpen(if isReady: @autoclosure () -> Bool) -> Bool {
        // A channel that is closed is not open for bytes.
        if !isOpen, isReady() { isOpen = (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) == 0 }
        return isOpen
    }

    /// Bytes have been written to the channel.
    mutating func close() { isOpen = false }

    /// Writes bytes without waiting, and returns how many of them the kernel has accepted; the others are for the channel.
    ///
    /// To be called on the event loop: there, a channel is active exactly as long as its descriptor is its own.
    mutating func write(_ bytes: ByteBuffer) -> Int {
        guard isOpen, channel.isActive else {
            isOpen = false
            return 0
        }
        let count = bytes.withUnsafeReadableBytes { send(descriptor, $0.baseAddress, $0.count, Sockets.sendFlags) }
        isOpen = count == bytes.readableBytes
        // The channel detects an error as well, and closes.
        return max(0, count)
    }
}
