internal import NIOHTTP1

/// Checks a request's head before anything else.
enum RequestCheck {
    /// - Parameter knownHost: a host that is known to be valid.
    static func problem(
        in head: HTTPRequestHead,
        _ framing: RequestFraming,
        _ limits: ServerLimits,
        knownHost: String? = nil
    ) -> Problem? {
        if head.uri.utf8.count > limits.targetBytes {
            let detail = "the target is longer than \(limits.targetBytes) bytes"
            return Problem(.uriTooLong, "target-too-long", detail)
        }
        if head.uri.utf8.contains(UInt8(ascii: "#")) {
            return Problem(.badRequest, "malformed-request", "a target has no '#'; send it as %23, or leave it out")
        }
        if framing.largestField > limits.headerFieldBytes { return headerOverflow }
        let isModern = head.version.minor > 0
        if framing.hasSeveralHosts || isModern && framing.host == nil {
            return Problem(.badRequest, "malformed-request", "a request has one 'Host' field", field: "Host")
        }
        if let host = framing.host, host != knownHost, HostField(host) == nil {
            let detail = "the 'Host' field is a host's name or address, and a port where it needs one"
            return Problem(.badRequest, "malformed-request", detail, field: "Host")
        }
        return problem(in: framing, isModern: isModern, limits)
    }

    /// The problem with the announcement of a body; `nil` if there is none.
    private static func problem(in framing: RequestFraming, isModern: Bool, _ limits: ServerLimits) -> Problem? {
        if let last = framing.transferCodings.last {
            guard isModern else { return malformed("HTTP/1.0 has no 'Transfer-Encoding'", "Transfer-Encoding") }
            guard last == "chunked" else {
                return malformed("the last transfer coding of a request is 'chunked'", "Transfer-Encoding")
            }
            guard framing.transferCodings.count == 1 else {
                let detail = "'chunked' is the only transfer coding that this server knows"
                return Problem(.notImplemented, "unknown-transfer-coding", detail, field: "Transfer-Encoding")
            }
        }
        if isModern, let expectation = framing.expectation, expectation != "100-continue" {
            return Problem(
                .expectationFailed,
                "unknown-expectation",
                "only 100-continue can be expected",
                field: "Expect"
            )
        }
        guard let length = framing.contentLength else { return nil }
        return Int(length).map { $0 <= limits.bodyBytes } ?? false ? nil : tooLarge(limits)
    }

    private static func malformed(_ detail: String, _ field: String) -> Problem {
        Problem(.badRequest, "malformed-request", detail, field: field)
    }

    static func tooLarge(_ limits: ServerLimits) -> Problem {
        let detail = "the body is larger than \(limits.bodyBytes) bytes; send it in parts"
        return Problem(.payloadTooLarge, "too-large", detail)
    }

    static let tooSlow = Problem(.requestTimeout, "too-slow", "the request took too long to arrive; send it again")

    static let headerOverflow = Problem(
        .requestHeaderFieldsTooLarge,
        "header-too-large",
        "the request's head is too large; send fewer or shorter fields"
    )

    /// The problem of an error of the decoder.
    static func problem(_ error: HTTPParserError) -> Problem {
        // The decoder has one error for an unknown version and for a line without one.
        error == .headerOverflow
            ? headerOverflow : Problem(.badRequest, "malformed-request", "this is not an HTTP/1.1 request")
    }
}
