// SPDX-License-Identifier: Apache-2.0

import ConfigStore

// Bytes in, bytes out, connection state. The writes are on a key that exists, so each answer is 200.

extension RawExchange {
    /// Pipelined requests: accepted ones are answered, in order, whatever follows.
    static let pipelined: [RawExchange] = [
        .init("a write, then no HTTP", put(1) + "garbage\r\n\r\n", 200, 400, commits: 1),
        .init("a write, then TLS", put(1) + "\u{16}\u{3}\u{1}\u{2}", 200, 400, commits: 1),
        .init("three writes, then no HTTP", put(1) + put(2) + put(3) + "\u{0}", 200, 200, 200, 400, commits: 3),
        .init("a read, then no HTTP", config + "garbage\r\n\r\n", 200, 400),
        .init("HEAD, then no HTTP", request("HEAD", "/v1/default/config") + "x\r\n\r\n", .head(200), 400),
        .init("a write, then one without a Host", put(1) + head(["Content-Length: 0"], host: ""), 200, 400, commits: 1),
        .init("a write, then a bad chunk", put(1) + chunked("x\r\n"), 200, 400, commits: 1),
        .init("nothing is read behind what is no HTTP", put(1) + "garbage\r\n\r\n" + put(2), 200, 400, commits: 1),
        .init("writes and reads", put(1) + config + put(2) + config, 200, 200, 200, 200, then: .goesOn, commits: 2),
        .init("'close' in the middle", put(1) + put(2, "Connection: close") + put(3), 200, 200, commits: 2),
        .init("three writes, half-closed", put(1) + put(2) + put(3), 200, 200, 200, commits: 3).halfClosed,
        .init("a write, a read, a write, half-closed", put(1) + config + put(2), 200, 200, 200, commits: 2).halfClosed,
        .init("a read, half-closed", config, 200).halfClosed,
        .init("a stream, half-closed", events, 200, then: .endedStream).halfClosed,
        .init("a write and half of one, half-closed", put(1) + String(put(2).dropLast(3)), 200, 400, commits: 1)
            .halfClosed,
        .init("half a body, half-closed", String(put(1).dropLast(3)), 400).halfClosed,
        .init("half a head, half-closed", "GET / HT", 400).halfClosed,
        .init("nothing, half-closed", "").halfClosed,
    ]

    /// Upgrades, which are not supported: a connection answers the following request, or ends.
    static let upgrades: [RawExchange] = [
        .init("h2c, as curl asks", request("GET", "/v1/default/config", h2c, "HTTP2-Settings: AAMAAABk"), 200),
        .init("a read behind h2c", request("GET", "/v1/default/config", h2c) + config, 200),
        .init("a web socket for a route", request("GET", "/health", webSocket), 200),
        .init("a write that asks for an upgrade", put(1, webSocket), 200, commits: 1),
        .init(
            "a stream that asks for an upgrade",
            request("GET", "/v1/default/events", webSocket),
            200,
            then: .endedStream
        )
        .halfClosed,
        .init("'Upgrade' alone", request("GET", "/v1/default/config", "Upgrade: websocket"), 200),
        .init("'Connection: upgrade' alone", request("GET", "/health", "Connection: upgrade"), 200, then: .goesOn),
        .init("CONNECT", "CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n" + config, 404),
        .init("HTTP/2 at once", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400),
    ]
    private static let h2c = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c"
    private static let webSocket = "Connection: Upgrade\r\nUpgrade: websocket"

    /// `Expect: 100-continue` (RFC 9110, 10.1.1).
    static let expectations: [RawExchange] = [
        RawExchange("for a write", head([expect, "Content-Length: 11"]), 100, then: .goesOn, commits: 1)
            .thenSends("{\"value\":1}", 200),
        RawExchange("for a write in chunks", chunked("", coding: "\(expect)\r\nTransfer-Encoding: chunked"), 100)
            .thenSends(chunks, 200).state(.goesOn, commits: 1),
        RawExchange("for a read with a body", request("GET", "/v1/default/config", expect, "Content-Length: 2"), 100)
            .thenSends("{}", 200).state(.goesOn),
        .init("for a read without one", request("GET", "/v1/default/config", expect), 200, then: .goesOn),
        .init("of HTTP/1.0, which has no 100", put(1, expect, version: "1.0"), 200, commits: 1),
        .init("for too much", head([expect, "Content-Length: 99999999"]), 413),
        .init("of something else", put(1, "Expect: tea"), 417),
        .init("for nothing", request("PUT", "/nothing", expect, "Content-Length: 11"), 404),
        .init("for a text", request("PUT", "/v1/default/entries/raw", expect, text, "Content-Length: 11"), 415),
    ]

    /// Requests that are refused before their body has come: what is there of it is skipped, or the connection ends.
    static let refusals: [RawExchange] = [
        .init(
            "a text",
            request("PUT", "/v1/default/entries/raw", text, "Content-Length: 2") + "{}",
            415,
            then: .goesOn
        ),
        .init("half a text", request("PUT", "/v1/default/entries/raw", text, "Content-Length: 2") + "{", 415),
        .init("nothing", request("PUT", "/nothing", "Content-Length: 2") + "{}", 404, then: .goesOn),
        .init("half of nothing", request("PUT", "/nothing", "Content-Length: 2") + "{", 404),
        .init("a long target", request("GET", "/" + String(repeating: "a", count: 10_000)), 414),
        .init("a long field", request("GET", "/", "X: " + String(repeating: "a", count: 20_000)), 431),
        .init("a longer field", request("GET", "/", "X: " + String(repeating: "a", count: 100_000)), 431),
        .init("many fields", request("GET", "/", String(repeating: "X: y\r\n", count: 200) + "X: y"), 431),
        .init("a long body", head(["Content-Length: 99999999"]), 413),
    ]

    private static let text = "Content-Type: text/plain"
    private static let expect = "Expect: 100-continue"

    private func state(_ state: State, commits: Int = 0) -> RawExchange {
        var other = self
        (other.state, other.commits) = (state, commits)
        return other
    }

    /// The end of a request (RFC 9112, 6 and 7).
    static let framing: [RawExchange] = [
        .init("chunks", chunked(chunks), 200, then: .goesOn, commits: 1),
        .init(
            "chunks in capitals",
            chunked(chunks, coding: "TRANSFER-ENCODING: Chunked"),
            200,
            then: .goesOn,
            commits: 1
        ),
        .init("an extension", chunked("b;a=\"b;c\"\r\n{\"value\":1}\r\n0\r\n\r\n"), 200, then: .goesOn, commits: 1),
        .init("trailers", chunked("b\r\n{\"value\":1}\r\n0\r\nX: y\r\n\r\n"), 200, then: .goesOn, commits: 1),
        .init(
            "a size in capitals, with zeros",
            chunked("00B\r\n{\"value\":1}\r\n0\r\n\r\n"),
            200,
            then: .goesOn,
            commits: 1
        ),
        .init("a size beyond all numbers", chunked("FFFFFFFFFFFFFFFFF\r\n"), 400),
        .init("a chunk that is longer than its size", chunked("5\r\n{\"value\":1}\r\n0\r\n\r\n"), 400),
        .init("a size with 0x", chunked("0xb\r\n{\"value\":1}\r\n0\r\n\r\n"), 400),
        .init("HTTP/1.0 in chunks", chunked(chunks, version: "1.0"), 400),
        .init("gzip, chunked", chunked(chunks, coding: "Transfer-Encoding: gzip, chunked"), 501),
        .init(
            "the same in two lines",
            chunked(chunks, coding: "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked"),
            501
        ),
        .init("gzip alone", chunked(chunks, coding: "Transfer-Encoding: gzip"), 400),
        .init("identity", chunked(chunks, coding: "Transfer-Encoding: identity"), 400),
        .init("chunked, identity", chunked(chunks, coding: "Transfer-Encoding: chunked, identity"), 400),
        .init("xchunked", chunked(chunks, coding: "Transfer-Encoding: xchunked"), 400),
        .init("a length and chunks", chunked(chunks, coding: "Content-Length: 11\r\nTransfer-Encoding: chunked"), 400),
        .init("chunks and a length", chunked(chunks, coding: "Transfer-Encoding: chunked\r\nContent-Length: 11"), 400),
        .init("two lengths", head(["Content-Length: 11", "Content-Length: 12"]) + "{\"value\":1}", 400),
        .init("a signed length", head(["Content-Length: +11"]) + "{\"value\":1}", 400),
        .init(
            "a read with a body",
            request("GET", "/v1/default/config", "Content-Length: 2") + "{}",
            200,
            then: .goesOn
        ),
        .init("a read with chunks", chunkedRead + "2\r\n{}\r\n0\r\n\r\n", 200, then: .goesOn),
    ]
    private static let chunkedRead = request("GET", "/v1/default/config", "Transfer-Encoding: chunked")

    /// `Host` (RFC 9112, 3.2).
    static let hosts: [RawExchange] = [
        .init("an invalid Host", "GET /health HTTP/1.1\r\nHost: a b\r\n\r\n", 400),
        .init("a list", "GET /health HTTP/1.1\r\nHost: a, b\r\n\r\n", 400),
        .init("no Host", "GET /health HTTP/1.1\r\n\r\n", 400),
        .init("two Hosts", "GET /health HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n", 400),
        .init("two Hosts by HTTP/1.0", "GET /health HTTP/1.0\r\nHost: localhost\r\nHost: localhost\r\n\r\n", 400),
        RawExchange("another Host later", config, 200).thenSends(config, 200)
            .thenSends("GET /v1/default/config HTTP/1.1\r\nHost: evil.example\r\n\r\n", 421),
        .init("an address and a port", "GET /health HTTP/1.1\r\nHost: [::1]:3000\r\n\r\n", 200, then: .goesOn),
    ]

    /// The rest of RFC 9112: lines, targets and persistence.
    static let lines: [RawExchange] = [
        .init("empty lines first", "\r\n\r\n" + config, 200, then: .goesOn),
        .init("an empty line behind a body", put(1) + "\r\n" + config, 200, 200, then: .goesOn, commits: 1),
        .init("lines that end with LF", "GET /health HTTP/1.1\nHost: localhost\n\n", 400),
        .init("a space before a colon", request("GET", "/health", "X : y"), 400),
        .init("a folded field", request("GET", "/health", "X: a\r\n b"), 400),
        .init("a space before the first field", "GET /health HTTP/1.1\r\n Host: localhost\r\n\r\n", 400),
        .init("a lone CR", request("GET", "/health", "X: a\rb"), 400),
        .init("a NUL", request("GET", "/health", "X: a\u{0}b"), 400),
        .init("a method that nobody knows", request("BREW", "/health"), 400),
        .init("a version that nobody knows", request("GET", "/health", version: "1.2"), 400),
        .init("a fragment", request("GET", "/v1/default/config#x"), 400),
        .init("an empty fragment", request("GET", "/v1?a=1#"), 400),
        .init("a PROXY header that is not trusted", "PROXY TCP4 203.0.113.7 127.0.0.1 4711 80\r\n" + config, 400),
        .init("absolute form", request("GET", "http://localhost/v1/default/config"), 200, then: .goesOn),
        .init("asterisk form", request("OPTIONS", "*"), 404, then: .goesOn),
        .init("what is not there", request("GET", "/nothing/here"), 404, then: .goesOn),
        .init("'close'", request("GET", "/v1/default/config", "Connection: close"), 200),
        .init("'keep-alive, Close' for a route", request("GET", "/health", "Connection: keep-alive, Close"), 200),
        .init("HTTP/1.0", request("GET", "/v1/default/config", version: "1.0"), 200),
        .init("HTTP/1.0 that would go on", request("GET", "/health", "Connection: keep-alive", version: "1.0"), 200),
        .init(
            "HEAD",
            request("HEAD", "/v1/default/config") + request("HEAD", "/health"),
            .head(200),
            .head(200),
            then: .goesOn
        ),
        .init(
            "HEAD of a stream",
            request("HEAD", "/v1/default/events") + request("HEAD", "/ns/default/ofrep/v1/events") + config,
            .head(200),
            .head(200),
            200,
            then: .goesOn
        ),
        .init("HEAD of a stream with HTTP/1.0", request("HEAD", "/v1/default/events", version: "1.0"), .head(200)),
    ]

    /// Request lines, fields and sizes of chunks that no client means.
    static let malformed: [RawExchange] =
        [
            "PUT", "PUT /v1/default/entries/raw", "PUT  HTTP/1.1", "/v1/default/entries/raw HTTP/1.1", "GARBAGE",
            "\u{0}", "put /v1/default/entries/raw HTTP/1.1", "P\u{0}T /v1/default/entries/raw HTTP/1.1",
            "\u{16}\u{3}\u{1}",
            "PUT /v1/default/entries/raw b HTTP/1.1", "PUT /v1/default/entries/raw HTTP/1.1.1", "PUT /raw HTTP/x",
            "PUT /raw HTP/1.1", "PUT /raw\u{0} HTTP/1.1", "PUT /raw\u{1B} HTTP/1.1",
        ].map { line in
            .init("line '\(line)'", "\(line)\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n", 400)
        }
        + [
            "Content-Length: 11, 12", "Content-Length: -11", "Content-Length: 0xb", "Content-Length:", "X\u{0}: 1",
            ": 1", "nonsense", "X: \u{1B}[31m", "X: a\rY: b",
        ].map { field in .init("field '\(field)'", head([field]) + "{\"value\":1}", 400) }
        + ["-1", "", " 5", "5\u{0}", "5;a=\u{0}", "5 5"].map { size in
            .init("size '\(size)'", chunked("\(size)\r\n{\"value\":1}\r\n0\r\n\r\n"), 400)
        }
}
