// SPDX-License-Identifier: Apache-2.0

internal import Files
internal import Foundation
internal import Logging
internal import NIOCore
internal import NIOSSL

extension ConnectionHandler {
    /// The maximum number of bytes written to the channel at a time: more than it buffers before it becomes unwritable.
    static let sliceBytes = 256 * 1024

    var isReadyToAnswer: Bool { outbox.isEmpty && context?.channel.isWritable ?? false }

    /// Whether bytes may be handed to the channel at once and in their turn.
    func fitsChannel(_ bytes: ByteBuffer) -> Bool { outbox.isEmpty && bytes.readableBytes <= Self.sliceBytes }

    /// Writes bytes to the wire, as soon as there is room on it.
    ///
    /// - Parameter lease: held until the last of them has left.
    func send(_ bytes: ByteBuffer, holding lease: AnswerLease? = nil) {
        machine.wrote(bytes.readableBytes)
        // Most answers go at once, and are flushed together once a read is complete.
        if fitsChannel(bytes) { return hand(bytes, holding: lease) }
        outbox.append(bytes, holding: lease)
        pump()
    }

    private func hand(_ bytes: ByteBuffer, holding lease: AnswerLease?) {
        guard let context else { return }
        let written = lease.map { lease in
            let promise = context.eventLoop.makePromise(of: Void.self)
            promise.futureResult.whenComplete { _ in withExtendedLifetime(lease) {} }
            return promise
        }
        context.write(wrapOutboundOut(.byteBuffer(bytes)), promise: written)
    }

    private func pump() {
        guard !outbox.isWriting else { return }
        while let channel = context?.channel, channel.isWritable, let next = outbox.next(atMost: Self.sliceBytes) {
            hand(next.bytes, holding: next.lease)
            flushWire()
        }
    }

    func flushWire() {
        let wasWriting = outbox.isWriting
        outbox.isWriting = true
        context?.flush()
        outbox.isWriting = wasWriting
    }

    func becameWritable() {
        pump()
        guard outbox.isEmpty else { return }
        if let stream {
            stream.group.flush(self)
        } else if machine.isClosing {
            endOutput()
        } else {
            resume()
        }
    }
}

// MARK: The end

extension ConnectionHandler {
    /// Closes the connection so that the last answer arrives: what still comes is read and dropped for a moment.
    func closeGently() {
        forget()
        machine.close(at: .now())
        endOutput()
    }

    private func endOutput() {
        guard outbox.isEmpty, let context, let end = machine.endOutput() else { return }
        flushWire()
        switch end {
        case .half: context.close(mode: .output, promise: nil)
        case .whole: context.close(promise: nil)
        case .afterLastByte:
            let written = context.eventLoop.makePromise(of: Void.self)
            context.writeAndFlush(wrapOutboundOut(.byteBuffer(ByteBuffer())), promise: written)
            let box = NIOLoopBound(context, eventLoop: context.eventLoop)
            written.futureResult.whenComplete { _ in box.value.close(promise: nil) }
        }
    }

    /// Closes both ends. Before a handshake, TLS would wait for it.
    func disconnect() {
        let tls =
            machine.isUntouched && peer.isEncrypted
            ? try? context?.pipeline.syncOperations.context(handlerType: NIOSSLServerHandler.self) : nil
        (tls ?? context)?.close(promise: nil)
    }

    /// Closes the connection of a client that acknowledges nothing, and discards the kernel's pending output.
    func drop() {
        if stream != nil { services.metrics.droppedStream() }
        services.refusals.record(
            "dropped a client that received no data for \(services.limits.stalledSeconds) s",
            ["from": "\(peer.client)"]
        )
        forget()
        // TLS needs a moment to find out that its last record is not acknowledged either.
        machine.drop(at: loop.now)
        outbox.removeAll()
        context?.resetOnClose()
        context?.close(promise: nil)
    }

    /// The number of unacknowledged bytes; 0 if the kernel has them all, which sends them by itself.
    func outstandingBytes(isClosing: Bool) -> Int {
        guard let context else { return 0 }
        // A channel that is closed has nothing buffered.
        let buffered = outbox.bytes + ((try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0)
        // The kernel's bytes matter to a connection that is about to be closed: they may be lost by that.
        if isClosing { return buffered + context.unacknowledgedBytes }
        return buffered == 0 ? 0 : buffered + context.unacknowledgedBytes
    }
}

// MARK: The kernel

extension ChannelHandlerContext {
    /// The bytes that the kernel has accepted and the other side has not acknowledged.
    fileprivate var unacknowledgedBytes: Int {
        withSocket { Sockets.unacknowledgedBytes(of: $0) } ?? 0
    }

    /// Makes the end of the connection a reset, so that the kernel keeps nothing for a client that acknowledges nothing.
    fileprivate func resetOnClose() {
        _ = withSocket { socket in
            var now = linger(l_onoff: 1, l_linger: 0)
            return setsockopt(socket, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
        }
    }

    func withSocket<Value>(_ body: (NIOBSDSocket.Handle) -> Value) -> Value? {
        // A channel without a socket, as in tests, or a closed one, has no answer.
        try? pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self, body)
    }
}

// MARK: Bytes that wait

/// Bytes that wait for their turn on the wire, in order.
///
/// The buffers share their storage, so output that waits for many slow clients exists once. It is written in slices, because
/// the channel may copy its input, as TLS does.
struct Outbox {
    private var buffers: [(bytes: ByteBuffer, lease: AnswerLease?)] = []
    private(set) var bytes = 0
    /// Whether bytes are being written: changes of writability are seen afterwards.
    var isWriting = false

    var isEmpty: Bool { buffers.isEmpty }

    mutating func append(_ buffer: ByteBuffer, holding lease: AnswerLease? = nil) {
        guard buffer.readableBytes > 0 else { return }
        bytes += buffer.readableBytes
        buffers.append((buffer, lease))
    }

    /// The next slice. Each of a buffer's slices keeps all of it in memory, and so has its lease.
    mutating func next(atMost limit: Int) -> (bytes: ByteBuffer, lease: AnswerLease?)? {
        guard !buffers.isEmpty else { return nil }
        let count = min(limit, buffers[0].bytes.readableBytes)
        guard let slice = buffers[0].bytes.readSlice(length: count) else { return nil }
        let lease = buffers[0].lease
        if buffers[0].bytes.readableBytes == 0 { buffers.removeFirst() }
        bytes -= count
        return (slice, lease)
    }

    mutating func removeAll() {
        buffers = []
        bytes = 0
    }
}
