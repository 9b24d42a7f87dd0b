// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigWire
internal import NIOCore
internal import NIOHTTP1

/// The error of a request: thrown by routes, and answered by RFC 9457.
struct Problem: Error, Sendable {
    let status: HTTPResponseStatus
    /// The kind, the last part of the problem's type.
    let code: String
    private var details: ProblemDetails
    private let headers: HTTPHeaders

    /// - Parameters:
    ///   - detail: the cause and the next step, as a sentence without a full stop.
    ///   - key: the configuration key with the error.
    ///   - field: the part of the request with the error: a header, a parameter, a member.
    ///   - age: the milliseconds since it was found out, if that was before the request.
    init(
        _ status: HTTPResponseStatus,
        _ code: String,
        _ detail: String,
        key: String? = nil,
        field: String? = nil,
        location: TextLocation? = nil,
        revision: UInt64? = nil,
        age: Int? = nil,
        violations: [ViolationMessage] = [],
        headers: HTTPHeaders = [:]
    ) {
        (self.status, self.code, self.headers) = (status, code, headers)
        let title = code.replacing("-", with: " ")
        details = ProblemDetails(
            type: ProblemDetails.type(code),
            title: title.prefix(1).uppercased() + title.dropFirst(),
            status: Int(status.code),
            detail: detail,
            key: key,
            field: field,
            location: location?.description,
            revision: revision,
            age: age,
            violations: violations
        )
    }

    var detail: String { details.detail }

    /// The problem with the operations of a draft whose entries have changed.
    func listing(_ conflicts: [DraftMessage.Operation]) -> Problem {
        var problem = self
        problem.details.conflicts = conflicts
        return problem
    }

    var reply: Reply {
        var headers = headers
        headers.add(name: "content-type", value: "application/problem+json")
        headers.add(name: "cache-control", value: "no-store")
        return Reply(status, headers: headers, body: .init(bytes: details.json))
    }
}

extension Problem {
    init(_ error: ConfigError) {
        let isTooLarge = error.code == .tooLarge
        self.init(
            isTooLarge ? .payloadTooLarge : .badRequest,
            error.code.rawValue.replacing("_", with: "-"),
            error.message,
            key: error.key,
            location: error.location
        )
    }

    static let unknownTarget = Problem(
        .notFound,
        "unknown-target",
        "path not found; see GET /openapi.json for all paths"
    )

    /// The server shut down before the request was complete.
    static let shuttingDown = retryLater(
        "shutting-down",
        "the server is shutting down and dropped the incomplete request; send it again in a moment"
    )

    /// The client has seen a newer revision, from another server on the same store, than this one knows.
    static let behind = retryLater(
        "server-behind",
        "the server has not reached your revision yet; try again in a moment, or use another server"
    )

    /// The store has not been loaded yet.
    static let notReady = retryLater(
        "not-ready",
        "the server is starting and loading its store; try again in a moment"
    )

    static func retryLater(_ code: String, _ detail: String) -> Problem {
        Problem(.serviceUnavailable, code, detail, headers: ["retry-after": "1"])
    }
}

// MARK: Rejections before routing

extension Problem {
    static func malformed(_ detail: String, field: String? = nil) -> Problem {
        Problem(.badRequest, "malformed-request", detail, field: field)
    }

    static func tooLarge(_ limits: ServerLimits) -> Problem {
        let detail = "the body is larger than \(limits.bodyBytes) bytes; split the request"
        return Problem(.payloadTooLarge, "too-large", detail)
    }

    static let tooSlow = Problem(.requestTimeout, "too-slow", "timeout while receiving the request; send it again")

    static let headerOverflow = Problem(
        .requestHeaderFieldsTooLarge,
        "header-too-large",
        "the request headers are too large; send fewer or shorter fields"
    )

    /// The problem of an error of the decoder, which has one error for an unknown version and for a line without one.
    init(_ error: HTTPParserError) {
        self = error == .headerOverflow ? .headerOverflow : .malformed("malformed HTTP/1.1 request")
    }
}
