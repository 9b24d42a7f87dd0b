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

/// Puts heads together from the lines that libcurl hands over one by one.
///
/// An answer may have several heads: interim ones (1xx) come before the one that counts. What follows that one are
/// trailers, which mean nothing here.
struct HTTPHeadReader {
    private let url: URL
    private var status: Int?
    private var fields: [(name: String, value: String)] = []

    init(url: URL) {
        self.url = url
    }

    /// Takes a line with its end.
    ///
    /// - Returns: the head that ends with this line.
    mutating func read(_ line: some Collection<UInt8>) -> HTTPResponseHead? {
        let text = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .newlines)
        if text.hasPrefix("HTTP/") {
            status = text.split(separator: " ").dropFirst().first.flatMap { Int($0) }
            fields = []
        } else if text.isEmpty {
            defer { status = nil }
            return status.map { HTTPResponseHead(status: $0, headers: HTTPHeaders(fields), url: url) }
        } else if status != nil {
            readField(text)
        }
        return nil
    }

    private mutating func readField(_ text: String) {
        let isContinued = text.first == " " || text.first == "\t"
        if isContinued, let last = fields.popLast() {
            fields.append((last.name, last.value + " " + text.trimmingCharacters(in: .whitespaces)))
        } else if let colon = text.firstIndex(of: ":") {
            let value = text[text.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            fields.append((String(text[..<colon]), value))
        }
    }
}
