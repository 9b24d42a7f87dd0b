// SPDX-License-Identifier: Apache-2.0

package import Essentials

/// A request to a server.
package struct HTTPRequest: Sendable {
    /// The URL of the request; `http` or `https`.
    package var url: URL
    package var method: String
    /// The header fields besides the fields that the transport sets: user agent, encoding, length and authorization.
    ///
    /// They follow redirects to other origins, so they must not contain a credential or anything about a user.
    package var headers: HTTPHeaders
    /// Sent to the origin of the URL and to no other.
    package var body: [UInt8]?
    /// The value of the field `Authorization`, shown to the origin of the URL and to no other; a closure, so that it is
    /// in no dump.
    package var authorization: (@Sendable () -> String)?
    package var timeouts: HTTPTimeouts
    /// The maximum size of the body in bytes, by the header fields of the response; `nil` for the transport's own limit.
    package var allowedSize: (@Sendable (HTTPHeaders) -> Int?)?

    package init(
        url: URL,
        method: String = "GET",
        headers: HTTPHeaders = [:],
        body: [UInt8]? = nil,
        timeouts: HTTPTimeouts = .document
    ) {
        (self.url, self.method, self.headers, self.body, self.timeouts) = (url, method, headers, body, timeouts)
    }
}

extension HTTPRequest {
    /// The header fields that are sent, without the fields that libraries add by themselves.
    ///
    /// - Parameter canDecompress: whether a compressed body is decompressed before it is counted.
    package func fields(by settings: TransportSettings, canDecompress: Bool) -> HTTPHeaders {
        var fields = headers
        fields["User-Agent"] = settings.userAgent
        for (name, value) in settings.headers.fields { fields[name] = value }
        fields["Authorization"] = authorization?()
        // Events would wait in a compressor; a compressed response is still decompressed.
        fields["Accept-Encoding"] = timeouts.total != nil && canDecompress ? "gzip" : "identity"
        return fields
    }
}

/// The timeouts of a request.
package struct HTTPTimeouts: Hashable, Sendable {
    /// From the start until the server answers with a status, connecting included.
    package var answer: Duration
    /// From one piece of the body to the next.
    package var idle: Duration
    /// From the start to the end of a small response; a large one has one more second for each 16 KiB received. `nil` for
    /// endless responses.
    package var total: Duration?

    package init(answer: Duration, idle: Duration, total: Duration?) {
        (self.answer, self.idle, self.total) = (answer, idle, total)
    }

    package static let document = HTTPTimeouts(answer: .seconds(10), idle: .seconds(15), total: .seconds(60))

    /// For a stream of events. Its reader determines how long it may be silent, up to an hour.
    package static let stream = HTTPTimeouts(answer: .seconds(10), idle: .seconds(3600), total: nil)

    /// For a request that has something written: a server may take a second longer for each 128 KiB.
    package func writing(_ bytes: Int) -> HTTPTimeouts {
        let more = Duration.seconds(bytes / (128 * 1024))
        return HTTPTimeouts(answer: answer + more, idle: idle, total: total.map { $0 + more })
    }
}

/// Header fields, whose names differ in case only by accident.
package struct HTTPHeaders: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    /// The values by lower-cased name. Of fields that came more than once, lists are joined by a comma, and of others the first
    /// counts.
    private var values: [String: String] = [:]

    /// The fields with a single value (RFC 9110, RFC 9111), besides those of a Livery server.
    private static let singletons: Set<String> = [
        "age", "content-length", "content-type", "date", "etag", "expires", "last-modified", "location", "retry-after",
    ]

    package init(_ fields: some Sequence<(name: String, value: String)> = []) {
        for (name, value) in fields {
            let name = name.lowercased()
            let isSingle = Self.singletons.contains(name) || name.hasPrefix("livery-")
            values.merge([name: value]) { isSingle ? $0 : $0 + ", " + $1 }
        }
    }

    package init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements.lazy.map { (name: $0.0, value: $0.1) })
    }

    package subscript(name: String) -> String? {
        get { values[name.lowercased()] }
        set { values[name.lowercased()] = newValue }
    }

    /// The fields by name, in lower case and sorted.
    package var fields: [(name: String, value: String)] {
        values.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
    }
}

package struct HTTPResponseHead: Hashable, Sendable {
    package var status: Int
    package var headers: HTTPHeaders
    /// The URL of the response, after redirects.
    package var url: URL

    package init(status: Int, headers: HTTPHeaders, url: URL) {
        (self.status, self.headers, self.url) = (status, headers, url)
    }
}

/// An answer with its whole body.
package struct HTTPResponse: Hashable, Sendable {
    package var head: HTTPResponseHead
    /// The content, decompressed.
    package var body: [UInt8]
    /// The number of bytes received, head and body, before decompression; those of redirects are not counted.
    package var receivedBytes = 0
}

extension StringProtocol {
    /// The text without white space at its ends.
    package var trimmed: String {
        // By scalars: to Swift, a space and a combining mark after it are one character.
        var scalars = Substring(self).unicodeScalars.drop { $0.properties.isWhitespace }
        while let last = scalars.last, last.properties.isWhitespace { scalars.removeLast() }
        return String(scalars)
    }
}
