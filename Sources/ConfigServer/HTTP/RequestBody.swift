// SPDX-License-Identifier: Apache-2.0

internal import NIOCore
internal import NIOHTTP1
internal import Synchronization

/// The body of a request, as far as it has come. Its bytes count in the server's budget until somebody has made something else
/// of them.
final class RequestBody: Sendable {
    private struct Content {
        var bytes = ByteBuffer()
        var count = 0
    }

    private let content = Mutex(Content())
    private let budget: BodyBudget

    init(_ budget: BodyBudget) { self.budget = budget }

    deinit { release() }

    /// How many bytes have come.
    var count: Int { content.withLock(\.count) }

    /// - Returns: whether the budget has room for them; otherwise they are dropped.
    func append(_ bytes: ByteBuffer) -> Bool {
        guard budget.take(bytes.readableBytes) else { return false }
        content.withLock { content in
            if content.count == 0 { content.bytes = bytes } else { content.bytes.writeImmutableBuffer(bytes) }
            content.count += bytes.readableBytes
        }
        return true
    }

    /// Removes the bytes, which count until ``release()``.
    func take() -> [UInt8] {
        content.withLock { content in
            defer { content.bytes = ByteBuffer() }
            return Array(content.bytes.readableBytesView)
        }
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

/// How many bytes of requests' bodies the server keeps in memory, all together: as many connections as there may be, each with a
/// body as large as it may be, would be more than any machine has.
final class BodyBudget: Sendable {
    private let limit: Int
    private let bytes = Atomic(0)

    /// - Parameter limits: any body that is not too large fits if it is alone.
    init(_ limits: ServerLimits) { limit = max(limits.allBodyBytes, limits.bodyBytes) }

    var used: Int { bytes.load(ordering: .relaxed) }

    /// - Returns: whether so many bytes fit; otherwise none are taken.
    func take(_ count: Int) -> Bool {
        if bytes.wrappingAdd(count, ordering: .relaxed).newValue <= limit { return true }
        give(back: count)
        return false
    }

    func give(back count: Int) {
        if count > 0 { bytes.wrappingSubtract(count, ordering: .relaxed) }
    }
}

extension Problem {
    static let tooManyBodies = Problem(
        .serviceUnavailable,
        "too-many-bodies",
        "the server has as much of other requests in memory as it takes; try again in a moment",
        headers: ["retry-after": "1"]
    )
}
