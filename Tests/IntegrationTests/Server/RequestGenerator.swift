// SPDX-License-Identifier: Apache-2.0

import TestSupport

/// Makes up requests: each is framed as HTTP/1.1 requires, so that others may follow on the connection, and whatever is
/// inside may be right, almost right, hostile or nonsense.
struct RequestGenerator {
    struct Request {
        var bytes: [UInt8]
        /// An answer to `HEAD` has no body.
        var isHead: Bool
    }

    private var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    mutating func next() -> Request {
        let method = one(of: Self.methods)
        var head = "\(method) \(target()) HTTP/1.1\r\nHost: localhost\r\n"
        for _ in 0..<Int.random(in: 0...2, using: &random) { head += one(of: Self.fields) + "\r\n" }
        let hasBody = ["PUT", "POST", "PATCH"].contains(method) || chance(20)
        guard hasBody else { return Request(bytes: Array((head + "\r\n").utf8), isHead: method == "HEAD") }
        let body = body()
        head += chance(10) ? one(of: Self.contentTypes) + "\r\n" : "Content-Type: application/json\r\n"
        if chance(8) {
            let size = String(body.count, radix: 16)
            let chunks = body.isEmpty ? [] : Array("\(size)\r\n".utf8) + body + Array("\r\n".utf8)
            return Request(
                bytes: Array((head + "Transfer-Encoding: chunked\r\n\r\n").utf8) + chunks + Array("0\r\n\r\n".utf8),
                isHead: method == "HEAD"
            )
        }
        return Request(
            bytes: Array((head + "Content-Length: \(body.count)\r\n\r\n").utf8) + body,
            isHead: method == "HEAD"
        )
    }

    /// True once in so many calls, on average.
    private mutating func chance(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

    private mutating func one<Element>(of list: [Element]) -> Element {
        list[Int.random(in: list.indices, using: &random)]
    }
}

// MARK: Targets

extension RequestGenerator {
    private mutating func target() -> String {
        switch Int.random(in: 0..<10, using: &random) {
        case 0: "/" + (0..<Int.random(in: 0...6, using: &random)).map { _ in segment() }.joined(separator: "/")
        case 1: one(of: Self.plainTargets)
        case 2: "/config/" + one(of: Self.moments)
        case 3, 4: "/v1/\(namespace())/entries/\(key())"
        case 5: "/v1/\(namespace())/config" + query(["epoch", "after"])
        case 6: "/v1/\(namespace())/history" + query(["key", "before", "limit"])
        case 7: "/v1/\(namespace())/rollback"
        case 8: "/v1/\(namespace())/entries" + (chance(4) ? query(["key"]) : "")
        default: "/\(namespace()).json"
        }
    }

    private mutating func segment() -> String {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: one(of: Self.attacks)
        case 1: one(of: ["v1", "config", "entries", "history", "rollback", "health", "metrics"])
        case 2: namespace()
        default: key()
        }
    }

    private mutating func namespace() -> String {
        chance(6) ? one(of: Self.attacks) : one(of: ["default", "shop", "a", "a-b-c", "0"])
    }

    private mutating func key() -> String {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: one(of: Self.attacks)
        case 1: String(repeating: "k", count: one(of: [127, 128, 129, 300, 4000]))
        default: "key.\(Int.random(in: 0..<50, using: &random))"
        }
    }

    private mutating func query(_ names: [String]) -> String {
        let pairs = (0..<Int.random(in: 0...3, using: &random)).map { _ in
            let name = chance(8) ? segment() : one(of: names)
            return chance(10) ? name : "\(name)=\(one(of: Self.parameters))"
        }
        return pairs.isEmpty ? "" : "?" + pairs.joined(separator: one(of: ["&", "&", "&", "&&", ";"]))
    }

    private static let methods = [
        "GET", "GET", "GET", "HEAD", "PUT", "PUT", "POST", "PATCH", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND",
    ]

    private static let plainTargets = [
        "/", "/config", "/health", "/ready", "/metrics", "/v1", "/v1/", "/openapi.json", "//", "/v1//config", "/%",
        "/favicon.ico", "http://localhost/config", "/config?x=1", "/CONFIG", "/v2/default/config", "/v1/default",
    ]

    private static let moments = [
        "2020-10-17T18:43:19.000Z", "2038-01-01T00:00:00.000Z", "now", "0", "-1", "2020-13-45T99:99:99.999Z",
        "1'%20OR%20'1'='1", "2020-10-17T18:43:19.000+02:00", "9999-12-31T23:59:59.999Z", "%00", "T", "Z",
    ]

    private static let attacks = [
        "..", "%2e%2e", "..%2f..%2fetc%2fpasswd", "....//", "%00", "a%00b", "%c0%af", "%ff%fe", "%ED%A0%80",
        "%F4%90%80%80",
        "';DROP%20TABLE%20entries;--", "1'%20OR%20'1'='1", "%22%3B--", "*", "$(reboot)", "`id`", "%0d%0aX:%20y",
        "%1b[2J",
        "%E2%80%AE", "%F0%9F%98%B8", "a..b", ".a", "a.", "%", "%zz", "%2", "+", "~", "{ns}", "null", "-", "_",
    ]

    private static let parameters = [
        "0", "1", "2", "100", "1000", "1001", "-1", "18446744073709551615", "18446744073709551616", "1e3", "0x10", "",
        "0123456789abcdef", "ffffffffffffffff", "0123456789ABCDEF", "key.1", "a..b", "%00", "%ff", "'--", "1;2", "=",
        "%3D",
        "9007199254740991", "9007199254740992",
    ]
}

// MARK: Fields and bodies

extension RequestGenerator {
    private mutating func body() -> [UInt8] {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: Array(#"{"value":\#(value())}"#.utf8)
        case 1: Array(#"{"value":\#(value()),"message":\#(one(of: Self.values))}"#.utf8)
        case 2: Array(#"{"set":{"\#(key())":\#(value()),"key.7":\#(value())},"unset":["\#(key())"]}"#.utf8)
        case 3: Array(#"{"set":{"key.8":\#(value())},"expect":\#(one(of: Self.parameters))}"#.utf8)
        case 4: Array(#"{"to":\#(Int.random(in: -2...5000, using: &random))}"#.utf8)
        case 5: Array(#"{"key":"\#(key())","value":\#(value())}"#.utf8)
        case 6: Array("key=\(key())&value=\(one(of: Self.attacks))".utf8)
        default: damaged()
        }
    }

    /// A body of which something is missing, double or other than it was.
    private mutating func damaged() -> [UInt8] {
        var bytes = Array(one(of: Self.documents).utf8)
        for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
            let index = Int.random(in: bytes.indices, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes.remove(at: index)
            case 1: bytes[index] = UInt8.random(in: .min ... .max, using: &random)
            case 2: bytes.insert(bytes[index], at: index)
            default: bytes.removeSubrange(index...)
            }
        }
        return bytes
    }

    private mutating func value() -> String {
        chance(3) ? one(of: Self.values) : #""text \#(Int.random(in: 0..<1000, using: &random))""#
    }

    private static let documents = [
        #"{"value":"text"}"#, #"{"set":{"a":1,"b":[true]},"unset":["c"],"expect":3,"message":"why"}"#, #"{"to":1}"#,
        #"{"key":"a","value":"b"}"#, String(repeating: "[", count: 2000), #"{"a":{"b":{"c":{"d":[[[]]]}}}}"#,
    ]

    private static let values = [
        "1", "-0", "1.5", "1e400", "1e-400", "9007199254740992", "123456789012345678901234567890", "true", "null",
        "\"\"",
        "[]", "[1,\"a\"]", "[[1]]", "{}", "[null]", "\"\\ud800\"", "\"\\u0000\"", "\"\\u001b[2J\"", "\"\u{202E}😸\"",
        "nan",
        "01", "\"\(String(repeating: "x", count: 70_000))\"", "\"unterminated", "[1,2,3]", "[true,false]", "'a'", "1 2",
    ]

    private static let contentTypes = [
        "Content-Type: text/plain", "Content-Type: application/x-www-form-urlencoded",
        "Content-Type: application/json; charset=utf-16",
        "Content-Type:", "Content-Type: multipart/form-data; boundary=x", "Content-Type: application/JSON",
    ]

    private static let fields = [
        "Accept: */*", "Accept-Encoding: gzip", "Accept-Encoding: *;q=0, gzip;q=nan", "If-Match: *",
        "If-Match: \"a:1\"",
        "If-None-Match: *", "If-None-Match: W/\"x\", \"y\"", "If-None-Match: \"", "If-Match: ,,,",
        "Origin: http://evil.example",
        "Authorization: Bearer nothing", "Authorization: Basic Og==", "Last-Event-ID: x", "Cookie: a=b",
        "Range: bytes=0-1",
        "X-Forwarded-For: 1.2.3.4", "X-HTTP-Method-Override: DELETE", "Content-Encoding: gzip", "TE: trailers",
        "Via: 1.1 x",
        "User-Agent: \u{1B}[31m", "Accept-Language: de", "Date: yesterday", "Upgrade: h2c",
        "X-Long: \(String(repeating: "y", count: 2000))",
    ]
}
