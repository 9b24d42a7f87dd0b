internal import NIOCore

/// Bytes that wait for their turn on the wire, in order.
///
/// The buffers share their storage with whoever made them, so what waits here for many slow clients is there once. It
/// leaves in slices, because what is handed to the channel may be copied there, as TLS does.
struct Outbox {
    private var buffers: [ByteBuffer] = []
    /// How many bytes wait.
    private(set) var bytes = 0

    /// Whether nothing waits.
    var isEmpty: Bool { buffers.isEmpty }

    /// Adds bytes behind all that wait.
    mutating func append(_ buffer: ByteBuffer) {
        guard buffer.readableBytes > 0 else { return }
        bytes += buffer.readableBytes
        buffers.append(buffer)
    }

    /// Takes the next bytes out: `nil` if nothing waits.
    ///
    /// - Parameter limit: the most bytes to take.
    mutating func next(atMost limit: Int) -> ByteBuffer? {
        guard !buffers.isEmpty else { return nil }
        let count = min(limit, buffers[0].readableBytes)
        let slice = buffers[0].readSlice(length: count)
        if buffers[0].readableBytes == 0 { buffers.removeFirst() }
        bytes -= count
        return slice
    }

    /// Drops everything.
    mutating func removeAll() {
        buffers = []
        bytes = 0
    }
}
