// SPDX-License-Identifier: Apache-2.0

internal import NIOCore
internal import Synchronization

/// The received part of a request's body. Its bytes count towards the server's budget until they have been decoded.
final class RequestBody: Sendable {
    private struct Content {
        /// Joined by the thread that parses them, as that takes time.
        var parts: [ByteBuffer] = []
        var count = 0

        /// Adds bytes; only a few are copied, so that they do not keep the buffer of a whole read in memory.
        mutating func append(_ bytes: ByteBuffer) {
            count += bytes.readableBytes
            if parts.isEmpty || bytes.readableBytes >= RequestBody.partBytes {
                parts.append(bytes)
            } else if parts[parts.count - 1].readableBytes < RequestBody.partBytes {
                parts[parts.count - 1].writeImmutableBuffer(bytes)
            } else {
                parts.append(ByteBuffer(bytes: bytes.readableBytesView))
            }
        }
    }

    /// Half of the maximum that one read receives.
    private static let partBytes = 32 * 1024

    private let content = Mutex(Content())
    private let budget: MemoryBudget

    init(_ budget: MemoryBudget) { self.budget = budget }

    deinit { release() }

    /// The number of received bytes.
    var count: Int { content.withLock(\.count) }

    /// - Returns: whether the budget has room for them; otherwise they are dropped.
    func append(_ bytes: ByteBuffer) -> Bool {
        guard budget.take(bytes.readableBytes) else { return false }
        content.withLock { $0.append(bytes) }
        return true
    }

    /// Counts the bytes at their parsed size until ``release()``.
    ///
    /// - Returns: whether the budget has room for it.
    func expand() -> Bool {
        content.withLock { content in
            let added = content.count * (Self.parsedBytesPerByte - 1)
            guard budget.take(added, besides: content.count) else { return false }
            content.count += added
            return true
        }
    }

    /// The approximate factor of a JSON array of short numbers to its parsed size.
    private static let parsedBytesPerByte = 10

    /// Removes the bytes, which count until ``release()``.
    func take() -> [UInt8] {
        let parts = content.withLock { content in
            defer { content.parts = [] }
            return content.parts
        }
        return Self.joined(parts)
    }

    /// The bytes of a short body, which stay here.
    var bytes: [UInt8] { Self.joined(content.withLock(\.parts)) }

    private static func joined(_ parts: [ByteBuffer]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(parts.reduce(0) { $0 + $1.readableBytes })
        for part in parts { bytes.append(contentsOf: part.readableBytesView) }
        return bytes
    }

    /// Drops the bytes, which count no longer.
    func release() {
        let count = content.withLock { content in
            defer { content = Content() }
            return content.count
        }
        budget.give(back: count)
    }
}

extension Problem {
    static let tooManyBodies = retryLater(
        "too-many-bodies",
        "memory limit for request bodies reached; try again in a moment"
    )
}
