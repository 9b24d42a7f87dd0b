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
    /// The value of the field `Authorization`, shown to the origin of the URL and to no other. A closure, since reflection
    /// and dumps look into stored values.
    package var authorization: (@Sendable () -> String)?
    /// How long to wait.
    package var timeouts: HTTPTimeouts
    /// How large the body may be in bytes, by the header fields of the answer; `nil` for the transport's own limit.
    package var allowedSize: (@Sendable (HTTPHeaders) -> Int?)?

    /// Creates a request.
    package init(
        url: URL,
        method: String = "GET",
        headers: HTTPHeaders = [:],
        body: [UInt8]? = nil,
        authorization: (@Sendable () -> String)? = nil,
        timeouts: HTTPTimeouts = .document
    ) {
        self.url = url
        self.method = method
        self.headers = headers
        self.body = body
        self.authorization = authorization
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

/// Header fields, whose names differ in case only by accident.
package struct HTTPHeaders: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    /// The values by lower-cased name. Fields that came more than once are joined by a comma.
    private var values: [String: String] = [:]

    /// Creates headers from names and values; a name that comes twice has both values, joined by a comma.
    package init(_ fields: some Sequence<(name: String, value: String)> = []) {
        for (name, value) in fields {
            values.merge([name.lowercased(): value]) { $0 + ", " + $1 }
        }
    }

    /// Creates headers from a literal.
    package init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements.lazy.map { (name: $0.0, value: $0.1) })
    }

    /// The value of a field, whatever the case of its name.
    package subscript(name: String) -> String? {
        get { values[name.lowercased()] }
        set { values[name.lowercased()] = newValue }
    }

    /// The fields by name, in lower case and sorted.
    package var fields: [(name: String, value: String)] {
        values.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
    }
}
