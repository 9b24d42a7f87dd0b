package import ConfigModel
internal import ConfigStore
internal import NIOCore
package import NIOHTTP1

/// Why a request failed: an error that routes throw, and an answer by RFC 9457.
package struct Problem: Error, Sendable {
    /// The status.
    package var status: HTTPResponseStatus
    /// The kind, the last part of the problem's type.
    package var code: String
    /// What is wrong and what to do, as a sentence without a full stop.
    package var detail: String
    /// The configuration key at fault.
    package var key: String?
    /// The part of the request at fault: a header, a parameter, a member.
    package var field: String?
    /// The place in the body.
    package var location: TextLocation?
    /// The namespace's revision.
    package var revision: UInt64?
    /// Fields of the answer.
    package var headers: HTTPHeaders

    package init(
        _ status: HTTPResponseStatus,
        _ code: String,
        _ detail: String,
        key: String? = nil,
        field: String? = nil,
        location: TextLocation? = nil,
        revision: UInt64? = nil,
        headers: HTTPHeaders = [:]
    ) {
        self.status = status
        self.code = code
        self.detail = detail
        self.key = key
        self.field = field
        self.location = location
        self.revision = revision
        self.headers = headers
    }

    /// The answer.
    package var reply: Reply {
        let details = ProblemDetails(
            type: "urn:livery:problem:\(code)",
            title: title,
            status: Int(status.code),
            detail: detail,
            key: key,
            field: field,
            location: location?.description,
            revision: revision
        )
        var headers = headers
        headers.add(name: "content-type", value: "application/problem+json")
        headers.add(name: "cache-control", value: "no-store")
        return Reply(status, headers: headers, body: .init(bytes: details.json))
    }

    private var title: String {
        let words = code.split(separator: "-").joined(separator: " ")
        return words.prefix(1).uppercased() + words.dropFirst()
    }
}

extension Problem {
    /// The problem with a request's body.
    package init(_ error: ConfigError) {
        let isTooLarge = error.code == .tooLarge
        self.init(
            isTooLarge ? .payloadTooLarge : .badRequest,
            error.code.rawValue.split(separator: "_").joined(separator: "-"),
            error.message,
            key: error.key,
            location: error.location
        )
    }

    /// No route has this path.
    package static let unknownTarget = Problem(
        .notFound,
        "unknown-target",
        "no such path; GET /openapi.json lists all paths"
    )

    /// The server shut down before the request was complete.
    package static let shuttingDown = Problem(
        .serviceUnavailable,
        "shutting-down",
        "the server is shutting down and could not wait for the rest of the request; send it again in a moment",
        headers: ["retry-after": "1"]
    )

    /// The client has seen a newer revision, from another server on the same store, than this one knows.
    package static let behind = Problem(
        .serviceUnavailable,
        "server-behind",
        "this server does not know the revision yet that you have seen; try again in a moment, or another server",
        headers: ["retry-after": "1"]
    )

    /// The store has not been loaded yet.
    package static let notReady = Problem(
        .serviceUnavailable,
        "not-ready",
        "the server is starting and has not read its store yet; try again in a moment",
        headers: ["retry-after": "1"]
    )
}
