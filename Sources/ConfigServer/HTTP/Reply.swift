// SPDX-License-Identifier: Apache-2.0

internal import NIOCore
internal import NIOHTTP1

struct Reply: Sendable {
    var status: HTTPResponseStatus
    /// The fields, without ``SecurityFields``, those of every answer and those of the framing.
    var headers: HTTPHeaders
    var body: ByteBuffer
    /// Keeps the body in the budget for answers until it has been sent.
    var lease: AnswerLease?

    init(_ status: HTTPResponseStatus = .ok, headers: HTTPHeaders = [:], body: ByteBuffer = ByteBuffer()) {
        (self.status, self.headers, self.body) = (status, headers, body)
    }

    static func json(_ json: [UInt8], status: HTTPResponseStatus = .ok, headers: HTTPHeaders = [:]) -> Reply {
        .json(ByteBuffer(bytes: json), status: status, headers: headers)
    }

    static func json(_ json: ByteBuffer, status: HTTPResponseStatus = .ok, headers: HTTPHeaders = [:]) -> Reply {
        var headers = headers
        headers.add(name: "content-type", value: "application/json")
        if !headers.contains(name: "cache-control") { headers.add(name: "cache-control", value: "no-store") }
        return Reply(status, headers: headers, body: json)
    }

    /// A JSON body with an entity tag, given without quotes.
    static func json(_ json: ByteBuffer, tag: String) -> Reply {
        .json(json, headers: ["etag": "\"\(tag)\"", "cache-control": "no-cache"])
    }

    /// Whether an answer of this status has a body by RFC 9110.
    var mayHaveBody: Bool { status != .noContent && status != .notModified }
}

extension Reply {
    /// - Parameters:
    ///   - extra: lines that every answer has, each with its end.
    ///   - isStream: whether the body has no length, and follows the head.
    func encoded(extra: String, keepsAlive: Bool, omitsBody: Bool = false, isStream: Bool = false) -> ByteBuffer {
        let hasLength = mayHaveBody && !isStream
        let sendsBody = hasLength && !omitsBody
        // The status, the fields of the framing, and the marks between names and values.
        let ownCount = 128 + extra.utf8.count + SecurityFields.lines.utf8.count + (sendsBody ? body.readableBytes : 0)
        let count = headers.reduce(ownCount) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
        var buffer = ByteBufferAllocator().buffer(capacity: count)
        buffer.writeStaticString("HTTP/1.1 ")
        buffer.writeString(String(status.code))
        buffer.writeStaticString(" ")
        buffer.writeString(status.reasonPhrase)
        buffer.writeStaticString("\r\n")
        for (name, value) in headers { buffer.writeField(name, value) }
        buffer.writeString(SecurityFields.lines)
        if hasLength { buffer.writeField("content-length", String(body.readableBytes)) }
        if !keepsAlive { buffer.writeField("connection", "close") }
        buffer.writeString(extra)
        buffer.writeStaticString("\r\n")
        if sendsBody { buffer.writeImmutableBuffer(body) }
        return buffer
    }
}

extension ByteBuffer {
    fileprivate mutating func writeField(_ name: String, _ value: String) {
        writeString(name)
        writeStaticString(": ")
        writeString(value)
        writeStaticString("\r\n")
    }
}

/// The fields of every answer that restrict what browsers may do with it: it is data and no page, so it loads and runs nothing,
/// and no page frames it.
enum SecurityFields {
    /// The lines of the fields, each with its end.
    static let lines = [
        "x-content-type-options: nosniff",
        "content-security-policy: default-src 'none'; frame-ancestors 'none'",
        "referrer-policy: no-referrer",
        "cross-origin-resource-policy: same-site",
    ].map { $0 + "\r\n" }.joined()
}
