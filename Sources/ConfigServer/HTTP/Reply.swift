internal import ConfigModel
internal import HTTPTypes
package import Hummingbird
package import NIOCore
package import NIOHTTP1

/// An answer that is whole: what reads from memory give, on whichever way they were asked.
package struct Reply: Sendable {
    /// The status.
    package var status: HTTPResponseStatus
    /// The fields, but those that every answer has (``StandardFields``) and those about its framing.
    package var headers: HTTPHeaders
    /// The body.
    package var body: ByteBuffer

    package init(_ status: HTTPResponseStatus = .ok, headers: HTTPHeaders = [:], body: ByteBuffer = ByteBuffer()) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// A JSON body that is told anew each time.
    package static func json(_ json: [UInt8], status: HTTPResponseStatus = .ok, headers: HTTPHeaders = [:]) -> Reply {
        .json(ByteBuffer(bytes: json), status: status, headers: headers)
    }

    /// A JSON body that is told anew each time.
    package static func json(
        _ json: ByteBuffer,
        status: HTTPResponseStatus = .ok,
        headers: HTTPHeaders = [:]
    ) -> Reply {
        var headers = headers
        headers.add(name: "content-type", value: "application/json")
        if !headers.contains(name: "cache-control") { headers.add(name: "cache-control", value: "no-store") }
        return Reply(status, headers: headers, body: json)
    }

    /// A JSON body that has an entity tag, given without quotes.
    static func json(_ json: ByteBuffer, tag: String) -> Reply {
        .json(json, headers: ["etag": "\"\(tag)\"", "cache-control": "no-cache"])
    }

    /// Whether an answer of this status has a body by RFC 9110.
    var mayHaveBody: Bool { status != .noContent && status != .notModified }
}

extension Reply: ResponseGenerator {
    /// The answer for a route.
    package func response(from request: Request, context: some RequestContext) -> Response {
        var fields = HTTPFields()
        for (name, value) in headers {
            if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
        }
        var response = Response(
            status: .init(code: Int(status.code), reasonPhrase: status.reasonPhrase),
            headers: fields,
            body: ResponseBody(byteBuffer: body)
        )
        if !mayHaveBody { response.headers[.contentLength] = nil }
        return response
    }
}

extension Reply {
    /// The answer as it stands on the wire.
    ///
    /// - Parameters:
    ///   - extra: lines that every answer has, each with its end.
    ///   - keepsAlive: whether the connection goes on.
    ///   - omitsBody: for a `HEAD` request.
    func encoded(extra: String, keepsAlive: Bool, omitsBody: Bool = false) -> ByteBuffer {
        var text = "HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n"
        for (name, value) in headers { text += "\(name): \(value)\r\n" }
        if mayHaveBody { text += "content-length: \(body.readableBytes)\r\n" }
        if !keepsAlive { text += "connection: close\r\n" }
        text += extra
        text += "\r\n"
        let sendsBody = mayHaveBody && !omitsBody
        var buffer = ByteBufferAllocator().buffer(
            capacity: text.utf8.count + (sendsBody ? body.readableBytes : 0)
        )
        buffer.writeString(text)
        if sendsBody { buffer.writeImmutableBuffer(body) }
        return buffer
    }
}

extension Reply {
    /// The head of an answer whose body follows and has no known length.
    func encodedHead(extra: String) -> ByteBuffer {
        var text = "HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n"
        for (name, value) in headers { text += "\(name): \(value)\r\n" }
        return ByteBuffer(string: text + extra + "\r\n")
    }
}

/// The fields that every answer has: this is data, not a page, and nothing is to guess at it or to frame it.
enum StandardFields {
    /// Names and values.
    static let all: [(name: String, value: String)] = [
        ("x-content-type-options", "nosniff"),
        ("content-security-policy", "default-src 'none'; frame-ancestors 'none'"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-resource-policy", "same-site"),
    ]

    /// The same as lines.
    static let lines = all.map { "\($0.name): \($0.value)\r\n" }.joined()
}
