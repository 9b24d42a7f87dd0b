package import ConfigModel
package import Foundation

/// How an answer begins.
package struct HTTPResponseHead: Hashable, Sendable {
    /// The status, such as 200.
    package var status: Int
    /// The header fields.
    package var headers: HTTPHeaders
    /// Where the answer came from, after redirects.
    package var url: URL

    /// Creates a head.
    package init(status: Int, headers: HTTPHeaders, url: URL) {
        self.status = status
        self.headers = headers
        self.url = url
    }
}

/// An answer with its whole body.
package struct HTTPResponse: Hashable, Sendable {
    /// How the answer begins.
    package var head: HTTPResponseHead
    /// The content, decompressed.
    package var body: [UInt8]

    /// Creates an answer.
    package init(head: HTTPResponseHead, body: [UInt8]) {
        self.head = head
        self.body = body
    }

    /// The status, such as 200.
    package var status: Int { head.status }
    /// The header fields.
    package var headers: HTTPHeaders { head.headers }
    /// Where the answer came from, after redirects.
    package var url: URL { head.url }
}

/// An answer whose body arrives bit by bit. It is for one reader, and ends when nobody holds it any more.
package struct HTTPStream: AsyncSequence, Sendable {
    /// Bytes as they arrive, never none.
    package typealias Element = [UInt8]
    /// What ends a stream early.
    package typealias Failure = ConfigError

    /// How the answer begins.
    package let head: HTTPResponseHead
    private let nextChunk: @Sendable () async throws(ConfigError) -> [UInt8]?

    /// Creates a stream.
    ///
    /// - Parameters:
    ///   - head: how the answer begins.
    ///   - next: gives the next bytes, `nil` at the end; it throws ``ConfigError`` with `cancelled` soon after its task
    ///     has been cancelled.
    package init(head: HTTPResponseHead, next: @escaping @Sendable () async throws(ConfigError) -> [UInt8]?) {
        self.head = head
        nextChunk = next
    }

    /// The status, such as 200.
    package var status: Int { head.status }
    /// The header fields.
    package var headers: HTTPHeaders { head.headers }
    /// Where the answer came from, after redirects.
    package var url: URL { head.url }

    /// The next bytes; `nil` at the end.
    package func next() async throws(ConfigError) -> [UInt8]? { try await nextChunk() }

    /// An iterator over what has not been read yet.
    package func makeAsyncIterator() -> Iterator { Iterator(stream: self) }

    /// Reads a stream.
    package struct Iterator: AsyncIteratorProtocol {
        fileprivate let stream: HTTPStream

        /// The next bytes; `nil` at the end.
        package mutating func next() async throws(ConfigError) -> [UInt8]? { try await stream.next() }

        /// The next bytes; `nil` at the end.
        package mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(ConfigError) -> [UInt8]? { try await stream.next() }
    }
}
