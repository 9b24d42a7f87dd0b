package import Foundation

/// What is asked of a server.
package struct HTTPRequest: Sendable {
    /// Where to; `http` or `https`.
    package var url: URL
    /// The method, in capitals.
    package var method: String
    /// The header fields beside those that the transport sets: user agent, encoding, length and authorization.
    package var headers: HTTPHeaders
    /// The content to send along.
    package var body: [UInt8]?
    /// Shown to the origin of the URL and to no other.
    package var token: BearerToken?
    /// How long to wait.
    package var timeouts: HTTPTimeouts
    /// Whether the answer may be as large as the server announces by `livery-max-size`, up to 1 GiB.
    package var takesAnnouncedSize = false

    /// Creates a request.
    package init(
        url: URL,
        method: String = "GET",
        headers: HTTPHeaders = [:],
        body: [UInt8]? = nil,
        token: BearerToken? = nil,
        timeouts: HTTPTimeouts = .document
    ) {
        self.url = url
        self.method = method
        self.headers = headers
        self.body = body
        self.token = token
        self.timeouts = timeouts
    }
}

/// How long to wait for a server.
package struct HTTPTimeouts: Hashable, Sendable {
    /// From the start until the server answers with a status, connecting included.
    package var answer: Duration
    /// From one piece of the body to the next.
    package var idle: Duration
    /// From the start to the end of a small answer; a large one has a second more for each 16 KiB that have come.
    /// `nil` for what has no end.
    package var total: Duration?

    /// Creates timeouts.
    package init(answer: Duration, idle: Duration, total: Duration?) {
        self.answer = answer
        self.idle = idle
        self.total = total
    }

    /// For an answer that is taken whole: 10 s to the first sign, 15 s without a byte, 60 s in all, and more for
    /// what is large and on its way.
    package static let document = HTTPTimeouts(answer: .seconds(10), idle: .seconds(15), total: .seconds(60))
    /// For a request that has something written: a server may take a second longer for each 128 KiB.
    package func writing(_ bytes: Int) -> HTTPTimeouts {
        let more = Duration.seconds(bytes / (128 * 1024))
        return HTTPTimeouts(answer: answer + more, idle: idle, total: total.map { $0 + more })
    }

    /// For a stream of events: a server that is silent for 25 s is dead, since it sends a heartbeat every 10 s.
    package static let stream = HTTPTimeouts(answer: .seconds(10), idle: .seconds(25), total: nil)
}
