// SPDX-License-Identifier: Apache-2.0

internal import NIOHTTP1

final class ConnectionRules: Sendable {
    let limits: ServerLimits
    let origins: SameOriginPolicy

    init(limits: ServerLimits, origins: SameOriginPolicy) {
        (self.limits, self.origins) = (limits, origins)
    }

    /// The checked parts of a connection's earlier requests, since most requests repeat them.
    struct CheckedParts {
        fileprivate var origin: RequestOrigin?
        fileprivate var host: String?
    }

    /// The error in a request's head; `nil` if it is valid.
    func problem(
        in head: HTTPRequestHead,
        _ fields: RequestFields,
        _ known: inout CheckedParts,
        hasTokens: @autoclosure () -> Bool
    ) -> Problem? {
        let isModern = head.version.minor > 0
        if let problem = problem(with: head, fields, isModern: isModern, knownHost: known.host)
            ?? problem(withBodyOf: fields, isModern: isModern)
        {
            return problem
        }
        let origin = RequestOrigin(target: head.uri, fields)
        let changes =
            switch head.method {
            case .GET, .HEAD, .OPTIONS: false
            default: true
            }
        if changes || origin != known.origin {
            if let problem = origins.problem(with: origin, changes: changes, hasTokens: hasTokens()) { return problem }
            known.origin = origin
        }
        known.host = fields.host
        return nil
    }

    private func problem(
        with head: HTTPRequestHead,
        _ fields: RequestFields,
        isModern: Bool,
        knownHost: String?
    ) -> Problem? {
        if head.uri.utf8.count > limits.targetBytes {
            let detail = "the request target is longer than \(limits.targetBytes) bytes"
            return Problem(.uriTooLong, "target-too-long", detail)
        }
        if head.uri.utf8.contains(UInt8(ascii: "#")) {
            return .malformed("the request target must not contain '#'; encode it as %23")
        }
        if fields.largestField > limits.headerFieldBytes { return .headerOverflow }
        if fields.hasSeveralHosts || isModern && fields.host == nil {
            return .malformed("the request must have exactly one 'Host' field", field: "Host")
        }
        guard let host = fields.host, host != knownHost, HostField(host) == nil else { return nil }
        return .malformed("invalid 'Host' field; expected a host name or address with an optional port", field: "Host")
    }

    private func problem(withBodyOf fields: RequestFields, isModern: Bool) -> Problem? {
        if let last = fields.transferCodings.last {
            guard isModern else {
                return .malformed("HTTP/1.0 does not support 'Transfer-Encoding'", field: "Transfer-Encoding")
            }
            guard last == "chunked" else {
                return .malformed("the last transfer coding of a request must be 'chunked'", field: "Transfer-Encoding")
            }
            guard fields.transferCodings.count == 1 else {
                let detail = "unsupported transfer coding; use 'chunked'"
                return Problem(.notImplemented, "unknown-transfer-coding", detail, field: "Transfer-Encoding")
            }
        }
        if isModern, let expectation = fields.expectation, expectation != "100-continue" {
            let detail = "unsupported 'Expect' field; use 100-continue"
            return Problem(.expectationFailed, "unknown-expectation", detail, field: "Expect")
        }
        guard let length = fields.contentLength else { return nil }
        return Int(length).map { $0 <= limits.bodyBytes } ?? false ? nil : .tooLarge(limits)
    }
}
