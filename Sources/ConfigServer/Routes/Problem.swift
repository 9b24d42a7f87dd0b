package import ConfigModel
package import ConfigStore
internal import Hummingbird
package import NIOHTTP1

/// Why a request is not answered as it was meant to be: an answer by RFC 9457, and an error that routes throw.
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
    /// Where the namespace is.
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
    /// What is wrong with a body.
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

    /// What hinders the store. Its message is for the operator and stands in the log.
    package init(_ error: StoreError) {
        switch error.code {
        case .full:
            self.init(
                .insufficientStorage,
                "storage-full",
                "the server's disk is full; nothing was written, try again once its operator has made room",
                headers: ["retry-after": "30"]
            )
        case .tooLarge:
            self.init(.payloadTooLarge, "too-large", error.message)
        case .overQuota:
            self.init(.insufficientStorage, "quota-exceeded", error.message)
        case .readOnly:
            self.init(
                .serviceUnavailable,
                "read-only",
                "the server can read its store but not write to it; nothing was written",
                headers: ["retry-after": "30"]
            )
        case .uncertain:
            self.init(
                .serviceUnavailable,
                "write-uncertain",
                "the server cannot tell whether this was written; read what is there before writing it again"
            )
        default:
            self.init(
                .serviceUnavailable,
                "store-unavailable",
                "the server's store does not answer at present; try again in a moment",
                headers: ["retry-after": "1"]
            )
        }
    }

    /// There is nothing at a target.
    package static let unknownTarget = Problem(
        .notFound,
        "unknown-target",
        "there is nothing here; GET /openapi.json lists what there is"
    )

    /// The server goes down before it could answer.
    package static let shuttingDown = Problem(
        .serviceUnavailable,
        "shutting-down",
        "the server is shutting down and could not wait for the rest of the request; send it again in a moment",
        headers: ["retry-after": "1"]
    )

    /// Another server on the same store has told the client more than is known here yet.
    package static let behind = Problem(
        .serviceUnavailable,
        "server-behind",
        "this server has not heard yet of what you have seen; try again in a moment, or another server",
        headers: ["retry-after": "1"]
    )

    /// The store is not open.
    package static let notReady = Problem(
        .serviceUnavailable,
        "not-ready",
        "the server is starting and has not read its store yet; try again in a moment",
        headers: ["retry-after": "1"]
    )
}
