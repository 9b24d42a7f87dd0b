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
        var all = values.map { HostileRequest("PUT", "/v1/default/entries/a", text: $0) }
        all += sets.map { HostileRequest("PATCH", "/v1/default/entries", text: $0) }
        all += rows.map { HostileRequest("POST", "/config", text: $0) }
        all += forms.map { HostileRequest("POST", "/config", text: $0, type: "application/x-www-form-urlencoded") }
        all += goals.map { HostileRequest("POST", "/v1/default/rollback", text: "{\"to\":\($0)}") }
        all.append(HostileRequest("PUT", "/v1/default/entries/a", body: [0xFF, 0xFE, 0x7B], named: "no UTF-8"))
        return all
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
}
