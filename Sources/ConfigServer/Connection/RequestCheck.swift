internal import NIOHTTP1

/// What is wrong with a request before anything is done about it.
enum RequestCheck {
    static func problem(in head: HTTPRequestHead, _ limits: ServerLimits) -> Problem? {
        if head.uri.utf8.count > limits.targetBytes {
            let detail = "the target is longer than \(limits.targetBytes) bytes"
            return Problem(.uriTooLong, "target-too-long", detail)
        }
        if head.version.major != 1 {
            return Problem(.httpVersionNotSupported, "unsupported-version", "this server speaks HTTP/1.1")
        }
        if head.headers.contains(where: { $0.name.utf8.count + $0.value.utf8.count > limits.headerFieldBytes }) {
            return headerOverflow
        }
        if head.version.minor > 0, head.headers["host"].count != 1 {
            return Problem(.badRequest, "malformed-request", "a request has one 'Host' field", field: "Host")
        }
        if let expect = head.headers.first(name: "expect"), expect.lowercased() != "100-continue" {
            return Problem(
                .expectationFailed,
                "unknown-expectation",
                "only 100-continue can be expected",
                field: "Expect"
            )
        }
        if let text = head.headers.first(name: "content-length"), Int(text).map({ $0 > limits.bodyBytes }) ?? true {
            return tooLarge(limits)
        }
        return nil
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

    static func malformed(_ error: HTTPParserError) -> Problem {
        Problem(.badRequest, "malformed-request", "this is no HTTP/1.1 request")
    }
}
