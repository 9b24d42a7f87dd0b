internal import NIOCore
internal import NIOHTTP1

/// What has come from a client and waits for its turn, in order. The channel is not read meanwhile.
struct Inbox {
    enum Element {
        case part(HTTPServerRequestPart)
        /// What follows is no request.
        indirect case failure(Problem)
        /// The client sends nothing more.
        case end
    }

    private var elements: [Element] = []
    private var first = 0
    private var isReadHeld = false

    var isEmpty: Bool { elements.isEmpty }

    mutating func append(_ element: Element) { elements.append(element) }

    /// Removes the first element; `nil` if there is none.
    mutating func next() -> Element? {
        guard first < elements.count else { return nil }
        let next = elements[first]
        first += 1
        if first == elements.count { removeAll() }
        return next
    }

    mutating func removeAll() {
        elements.removeAll(keepingCapacity: true)
        first = 0
    }

    /// Whether the channel may be read now. If not, ``releaseRead()`` says when.
    mutating func mayRead() -> Bool {
        isReadHeld = !isEmpty
        return isEmpty
    }

    /// Whether a read that was held back is to be made now.
    mutating func releaseRead() -> Bool {
        guard isReadHeld, isEmpty else { return false }
        isReadHeld = false
        return true
    }
}

/// Bytes that wait for their turn on the wire, in order.
///
/// The buffers share their storage, so what waits here for many slow clients exists once. It leaves in slices, because the
/// channel may copy what it is given, as TLS does.
struct Outbox {
    private var buffers: [ByteBuffer] = []
    /// How many bytes wait.
    private(set) var bytes = 0

    /// Whether nothing waits.
    var isEmpty: Bool { buffers.isEmpty }

    /// Adds bytes at the end.
    mutating func append(_ buffer: ByteBuffer) {
        guard buffer.readableBytes > 0 else { return }
        bytes += buffer.readableBytes
        buffers.append(buffer)
    }

    /// Removes the next bytes; `nil` if nothing waits.
    ///
    /// - Parameter limit: the most bytes to remove.
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
