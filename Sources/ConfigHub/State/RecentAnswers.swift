// SPDX-License-Identifier: Apache-2.0

package import NIOCore
internal import Synchronization

/// Answers that depend on a state and on a request alone, by the bytes of the request: equal requests share one.
package final class RecentAnswers: Sendable {
    /// The body of an answer, and its entity tag without quotes.
    package typealias Answer = (body: ByteBuffer, tag: String)

    private struct Content {
        var answers: [[UInt8]: Answer] = [:]
        var bytes = 0
    }

    private static let maximumBytes = 1024 * 1024
    /// The limit for all states together.
    private static let maximumTotal = 32 * 1024 * 1024
    private static let total = Atomic(0)

    private let content = Mutex(Content())

    deinit { Self.total.wrappingSubtract(content.withLock(\.bytes), ordering: .relaxed) }

    package subscript(request: [UInt8]) -> Answer? { content.withLock { $0.answers[request] } }

    /// Keeps an answer, unless those of all states take 32 MiB. Where this state has no room for it, it takes that of all others.
    package func keep(_ answer: Answer, to request: [UInt8]) {
        // With the memory of an entry of the dictionary.
        let bytes = answer.body.readableBytes + request.count + 256
        guard bytes <= Self.maximumBytes / 4 else { return }
        content.withLock { content in
            if content.bytes + bytes > Self.maximumBytes {
                Self.total.wrappingSubtract(content.bytes, ordering: .relaxed)
                content = Content()
            }
            guard content.answers[request] == nil, Self.total.load(ordering: .relaxed) < Self.maximumTotal else {
                return
            }
            content.answers[request] = answer
            content.bytes += bytes
            Self.total.wrappingAdd(bytes, ordering: .relaxed)
        }
    }
}
