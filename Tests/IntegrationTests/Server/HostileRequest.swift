// SPDX-License-Identifier: Apache-2.0

/// A request that the server has to refuse, byte by byte.
struct HostileRequest: CustomStringConvertible {
    let description: String
    let bytes: [UInt8]

    init(_ description: String, bytes: [UInt8]) {
        self.description = description
        self.bytes = bytes
    }

    /// - Parameter text: the whole request.
    init(_ description: String, _ text: String) {
        self.init(description, bytes: Array(text.utf8))
    }

    /// A request that is well-formed but for its target or its body.
    init(
        _ method: String,
        _ target: String,
        _ fields: [String] = [],
        body: [UInt8]? = nil,
        type: String? = "application/json",
        named name: String? = nil
    ) {
        var lines = ["\(method) \(target) HTTP/1.1", "Host: localhost"] + fields
        if let body {
            if let type { lines.append("Content-Type: \(type)") }
            lines.append("Content-Length: \(body.count)")
        }
        self.init(
            "\(method) \(target.prefix(120)) \(name ?? "")",
            bytes: Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + (body ?? [])
        )
    }

    init(_ method: String, _ target: String, text: String, type: String? = "application/json", named: String? = nil) {
        self.init(method, target, body: Array(text.utf8), type: type, named: named ?? String(text.prefix(60)))
    }
}

extension HostileRequest {
    /// What is put in the place of names, keys, times and numbers: nothing of it is one.
    static let injections: [String] = {
        let texts = [
            "' OR '1'='1", "'; DROP TABLE entries; --", "x') UNION SELECT 1,2,3 --", "1; DELETE FROM entries", "\"--",
            "..", "../../../../etc/passwd", "..\\..\\etc\\passwd", "/etc/passwd", "%2e%2e%2f", "livery.sqlite\0.txt",
            "\0", "a\0b", "a\r\nX-Injected: 1", "\u{1B}[31m", "\u{7F}", "\u{202E}txt", "${jndi:ldap://x}", "{{7*7}}",
            "$(id)", "`id`", "é", "👩‍👩‍👧", String(repeating: "k", count: 300), "<script>",
        ]
        let overlong: [[UInt8]] = [
            [0xC0, 0xAE, 0xC0, 0xAE, 0xC0, 0xAF], [0xE0, 0x80, 0xAF], [0xF0, 0x80, 0x80, 0xAE], [0xED, 0xA0, 0x80],
            [0xF4, 0x90, 0x80, 0x80], [0xFF, 0xFE], [0x80],
        ]
        let encoded: [String] = texts.map { percentEncoded(Array($0.utf8)) } + overlong.map(percentEncoded)
        let twice: [String] = encoded.map { $0.replacing("%", with: "%25") }
        let plain = ["'--", "..;", "%", "%2", "%zz", "a%00", "%C0%AE%C0%AE%C0%AF", "%u002e", "*", "~", "a..b", ".a"]
        return encoded + twice + plain
    }()

    private static func percentEncoded(_ bytes: [UInt8]) -> String {
        bytes.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Where names, keys, times and numbers stand, as `*`.
    private static let places: [(method: String, target: String, body: String?)] = [
        ("GET", "/v1/*/config", nil), ("GET", "/v1/*/events", nil), ("GET", "/v1/*/entries", nil),
        ("GET", "/v1/*/history", nil), ("GET", "/*%00.json", nil), ("GET", "/v1/*", nil), ("GET", "/config/*", nil),
        ("GET", "/*", nil), ("PATCH", "/v1/*/entries", #"{"set":{"a":1}}"#), ("POST", "/v1/*/rollback", #"{"to":0}"#),
        ("GET", "/v1/*/entries/kept", nil), ("PUT", "/v1/*/entries/kept", #"{"value":1}"#),
        ("DELETE", "/v1/*/entries/kept", nil), ("GET", "/v1/default/entries/*", nil),
        ("PUT", "/v1/default/entries/*", #"{"value":1}"#), ("DELETE", "/v1/default/entries/*", nil),
        ("GET", "/v1/default/config?after=*&epoch=0000000000000000", nil),
        ("GET", "/v1/default/config?after=0&epoch=*", nil), ("GET", "/v1/default/history?key=*", nil),
        ("GET", "/v1/default/history?before=*", nil), ("GET", "/v1/default/history?limit=*", nil),
    ]

    /// Injections in each segment of each path, and in each parameter.
    static let injected: [HostileRequest] = injections.flatMap { injection in
        places.map { place in
            let target = place.target.replacing("*", with: injection)
            return HostileRequest(place.method, target, body: place.body.map { Array($0.utf8) })
        }
    }
}

extension HostileRequest {
    private static let large = [UInt8](repeating: UInt8(ascii: " "), count: 10_000_000)
    private static let longKey = String(repeating: "k", count: 300)

    private static func nested(_ opening: String, _ closing: String = "") -> String {
        String(repeating: opening, count: 100_000) + closing
    }

    private static func unread(_ name: String, _ fields: String, _ body: [UInt8]) -> HostileRequest {
        let type = "Content-Type: application/json"
        let head = "PUT /v1/default/entries/big HTTP/1.1\r\nHost: localhost\r\n\(type)\r\n\(fields)\r\n\r\n"
        return HostileRequest(name, bytes: Array(head.utf8) + body)
    }

    /// Bodies that are too much, too deep, or not what they are said to be.
    static var bodies: [HostileRequest] {
        var all = lengths
        all += values.map { HostileRequest("PUT", "/v1/default/entries/a", text: $0) }
        all += sets.map { HostileRequest("PATCH", "/v1/default/entries", text: $0) }
        all += rows.map { HostileRequest("POST", "/config", text: $0) }
        all += forms.map { HostileRequest("POST", "/config", text: $0, type: "application/x-www-form-urlencoded") }
        all += goals.map { HostileRequest("POST", "/v1/default/rollback", text: "{\"to\":\($0)}") }
        all.append(HostileRequest("PUT", "/v1/default/entries/a", body: [0xFF, 0xFE, 0x7B], named: "no UTF-8"))
        return all
    }

    private static var lengths: [HostileRequest] {
        let chunk: [UInt8] = Array("F4240\r\n".utf8) + large.prefix(1_000_000) + Array("\r\n".utf8)
        var chunked: [UInt8] = []
        for _ in 0..<10 { chunked += chunk }
        return [
            unread("10 MB with a length", "Content-Length: 10000000", large),
            unread("10 MB in chunks", "Transfer-Encoding: chunked", chunked),
            unread("10 MB with neither", "Accept: */*", large),
            unread("a length beyond all numbers", "Content-Length: 99999999999999999999999", []),
        ]
    }

    private static var values: [String] {
        let deep: [String] = [
            nested("["), nested("[", nested("]")), nested(#"{"a":"#), nested(#"{"a":"#, "1" + nested("}")),
            nested("\""),
        ]
        let malformed: [String] = [
            "", "{", "null", "[]", "1", "{\"value\":}", "{\"value\":1,}", "{\"value\":1}{}", "{\"value\":01}",
            "{\"value\":NaN}", "{\"value\":\"\u{0}\"}", "{\"value\":\"a\nb\"}", "{\"value\":\"\u{1B}\"}",
            #"{"value":"\ud800"}"#, #"{"value":"\x"}"#, #"{"other":1}"#, #"{"value":1,"value":2}"#,
        ]
        let long = "{\"value\":\"" + String(repeating: "x", count: 70_000) + "\"}"
        return deep + deep.map { "{\"value\":\($0)}" } + malformed + [long]
    }

    private static var sets: [String] {
        [
            #"{"set":{"\#(longKey)":1}}"#, #"{"unset":["\#(longKey)"]}"#, #"{"set":{"\u0000":1}}"#,
            "{\"set\":{\"a\nb\":1}}",
            #"{"set":{"":1}}"#, #"{"set":{"a":1,"' OR 1=1 --":1}}"#, #"{"set":{"a":1},"unset":["../a"]}"#,
            "{\"set\":{\"a\":" + nested("["), "{\"set\":" + nested("{\"a\":"), #"{"set":[]}"#, #"{"expect":"'--"}"#,
        ]
    }

    private static var rows: [String] {
        [
            #"{"key":"\#(longKey)","value":"1"}"#, #"{"key":"\u0000","value":"1"}"#, #"{"key":"a"}"#, #"{"value":"1"}"#,
            #"{"key":null,"value":null}"#, #"{"key":"'; DROP TABLE entries; --","value":"1"}"#, "{\"key\":\"a\u{0}\"}",
            "{\"key\":" + nested("["),
        ]
    }

    private static var forms: [String] {
        [
            "key=\(longKey)&value=1", "key=%00&value=1", "key=a%0Db&value=1", "key=a&key=b&value=1", "key=%ff&value=1",
            "",
            "value=1", "key=a&value=%c0%ae", "key=%27%20OR%201%3D1&value=1",
        ]
    }

    /// Where no rollback leads.
    private static var goals: [String] { ["'--", "-1", "1e3", "\"1\"", "18446744073709551616", nested("[")] }

    /// Bodies that would do, under types that do not.
    static let types: [HostileRequest] = [
        "text/plain", "text/html", "application/xml", "multipart/form-data; boundary=x", "application/octet-stream",
        "application/json; charset=utf-16", "application/jsonp", "application", "'; --", ";;;,,,", "",
    ].flatMap { type in
        [
            HostileRequest("PUT", "/v1/default/entries/a", text: #"{"value":1}"#, type: type),
            HostileRequest("PATCH", "/v1/default/entries", text: #"{"set":{"a":1}}"#, type: type),
            HostileRequest("POST", "/v1/default/rollback", text: #"{"to":0}"#, type: type),
            HostileRequest("POST", "/config", text: #"{"key":"a","value":"1"}"#, type: type),
        ]
    }
}

extension HostileRequest {
    /// A write that would succeed, were it not for what stands in its head.
    private static func head(_ name: String, _ fields: String, line: String = "PUT /v1/default/entries/a HTTP/1.1")
        -> HostileRequest
    {
        HostileRequest(name, "\(line)\r\n\(fields)\r\nContent-Type: application/json\r\n\r\n{\"value\":1}")
    }

    private static func line(_ line: String) -> HostileRequest {
        head(String(line.prefix(60)), "Host: localhost\r\nContent-Length: 11", line: line)
    }

    /// What is no HTTP, or two things at once. Each ends the connection.
    static let malformed: [HostileRequest] = {
        let length = "Host: localhost\r\nContent-Length: 11"
        let chunked = "Host: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked"
        let lines: [String] = [
            "PUT", "PUT /v1/default/entries/a", "PUT  HTTP/1.1", "/v1/default/entries/a HTTP/1.1", "GARBAGE", "\u{0}",
            "put /v1/default/entries/a HTTP/1.1", "P\u{0}T /v1/default/entries/a HTTP/1.1", "\u{16}\u{3}\u{1}",
            "PUT /v1/default/entries/a b HTTP/1.1", "PUT /v1/default/entries/a HTTP/9.9",
            "PUT /v1/default/entries/a HTTP/1.1.1", "PUT /v1/default/entries/a HTTP/x",
            "PUT /v1/default/entries/a HTP/1.1",
            "PUT /v1/default/entries/a\u{0} HTTP/1.1", "PUT /v1/default/entries/a\u{1B} HTTP/1.1",
            "PUT /\(String(repeating: "a", count: 9000)) HTTP/1.1", "PRI * HTTP/2.0",
            "PUT /\(String(repeating: "a", count: 1_000_000)) HTTP/1.1", String(repeating: "A", count: 1_000_000),
        ]
        let chunks: [String] = ["x", "-1", "0x5", "FFFFFFFFFFFFFFFFFF", "", " 5", "5\u{0}", "5;a=\u{0}", "5 5"]
        let heads: [HostileRequest] = [
            head("no Host", "Content-Length: 11"), head("two Hosts", "Host: a\r\n\(length)"),
            head("a length and chunks", "\(length)\r\nTransfer-Encoding: chunked"),
            head("chunks and a length", "\(chunked)\r\nContent-Length: 11"),
            head("two lengths", "\(length)\r\nContent-Length: 12"),
            head("two lengths in one", "Host: localhost\r\nContent-Length: 11, 12"),
            head("a negative length", "Host: localhost\r\nContent-Length: -11"),
            head("a signed length", "Host: localhost\r\nContent-Length: +11"),
            head("a hexadecimal length", "Host: localhost\r\nContent-Length: 0xb"),
            head("an empty length", "Host: localhost\r\nContent-Length:"),
            head("chunks in disguise", "Host: localhost\r\nTransfer-Encoding: xchunked"),
            head("chunks, then more", "Host: localhost\r\nTransfer-Encoding: chunked, identity"),
            head("a space in a name", "\(length)\r\nX Y: 1"), head("a space after a name", "\(length)\r\nX : 1"),
            head("a NUL in a name", "\(length)\r\nX\u{0}: 1"), head("no name", "\(length)\r\n: 1"),
            head("no colon", "\(length)\r\nnonsense"), head("a NUL in a value", "\(length)\r\nX: a\u{0}b"),
            head("an escape in a value", "\(length)\r\nX: \u{1B}[31m"), head("a lone CR", "\(length)\r\nX: a\rb"),
            head("a lone CR that ends a field", "\(length)\rX: b"), head("a folded field", "\(length)\r\nX: a\r\n b"),
            head("a space before the first field", " Host: localhost\r\n\(length)"),
            head("200 fields", length + String(repeating: "\r\nX: y", count: 200)),
            head("100,000 fields", length + String(repeating: "\r\nX: y", count: 100_000)),
            head("a field of 20 kB", "\(length)\r\nX: " + String(repeating: "a", count: 20_000)),
            head("a field of 10 MB", "\(length)\r\nX: " + String(repeating: "a", count: 10_000_000)),
            head("a name of 1 MB", "\(length)\r\n" + String(repeating: "a", count: 1_000_000) + ": 1"),
            head(
                "80 kB of fields",
                length + String(repeating: "\r\nX: " + String(repeating: "a", count: 1000), count: 80)
            ),
            head("an expectation", "\(length)\r\nExpect: tea"),
        ]
        let sizes = chunks.map { size in
            HostileRequest(
                "a chunk of the size '\(size)'",
                "PUT /v1/default/entries/a HTTP/1.1\r\n\(chunked)\r\n\r\n\(size)\r\n{\"value\":1}\r\n0\r\n\r\n"
            )
        }
        return lines.map(line) + heads + sizes
    }()
}
