// SPDX-License-Identifier: Apache-2.0

internal import Basics
internal import NIOHTTP1

/// The fields of a request's head that the server reads, in one pass: a search for a missing field takes as long as one for all.
final class RequestFields {
    /// The value of `Host`; the first if there are several.
    private(set) var host: String?
    private(set) var hasSeveralHosts = false
    private(set) var contentLength: String?
    /// The transfer codings in their order, in lower case.
    private(set) var transferCodings: [String] = []
    /// The value of `Origin`; if there are several, a text that is not an origin.
    private(set) var origin: String?
    private(set) var fetchSite: String?
    private(set) var expectation: String?
    private(set) var contentType: String?
    private(set) var contentEncoding: String?
    private(set) var hasContentRange = false
    private(set) var authorization: String?
    private var apiKey: String?
    /// The field `Authorization`, or the token that OpenFeature's clients may send as `X-API-Key` in its place.
    var authorizationOrKey: String? { authorization ?? apiKey.map { "Bearer \($0)" } }
    /// The value of `X-Livery-Namespace`, for OpenFeature's clients, whose paths contain no namespace.
    private(set) var namespace: String?
    /// The value of `Livery-Emergency`: the reason for a change that needs a review, without one.
    private(set) var emergency: String?
    private(set) var conditions = ReadConditions()
    private(set) var largestField = 0
    /// Whether the decoder reads nothing behind this request, because it expects another protocol there. The server never
    /// upgrades, so the connection has to end with the answer.
    private(set) var endsDecoding = false

    init(_ head: HTTPRequestHead) {
        if case .CONNECT = head.method { endsDecoding = true }
        for (name, value) in head.headers {
            largestField = max(largestField, name.utf8.count + value.utf8.count)
            switch name.utf8.count {
            case 4 where name.isField("host"): (host, hasSeveralHosts) = (host ?? value, host != nil)
            case 6 where name.isField("expect"): expectation = value.lowercased()
            case 6 where name.isField("origin"): origin.join(value)
            case 7 where name.isField("upgrade"): endsDecoding = true
            case 14 where name.isField("content-length"): contentLength = value
            case 14 where name.isField("sec-fetch-site"): fetchSite = value
            case 17 where name.isField("transfer-encoding"):
                let codings = value.lowercased().split(separator: ",", omittingEmptySubsequences: false)
                transferCodings += codings.map(\.trimmed)
            case 9 where name.isField("x-api-key"): apiKey.join(value)
            case 12 where name.isField("content-type"): contentType.join(value)
            case 13 where name.isField("authorization"): authorization.join(value)
            case 13 where name.isField("content-range"): hasContentRange = true
            case 16 where name.isField("content-encoding"): contentEncoding.join(value)
            case 16 where name.isField("livery-emergency"): emergency.join(value)
            case 18 where name.isField("x-livery-namespace"): namespace.join(value)
            default: conditions.read(name, value)
            }
        }
    }

    /// Whether the head announces no body.
    var hasNoBody: Bool { transferCodings.isEmpty && (contentLength ?? "0") == "0" }

    func awaitsContinue(_ version: HTTPVersion) -> Bool {
        guard version.minor > 0, expectation == "100-continue" else { return false }
        return !transferCodings.isEmpty || contentLength.map { $0 != "0" } ?? false
    }
}

extension String? {
    /// Adds the value of another line of a field: the lines are one list.
    mutating func join(_ value: String) { self = self.map { "\($0), \(value)" } ?? value }
}

extension String {
    /// Whether this is the name of a field, which is given in lower case and is as long.
    func isField(_ name: StaticString) -> Bool {
        let bytes = utf8Span.span
        for index in bytes.indices {
            // Setting this bit makes letters lowercase, and makes nothing else a letter or a hyphen of a field's name.
            if bytes[index] | 0x20 != name.utf8Start[index] { return false }
        }
        return true
    }
}

/// The value of a `Host` field: `uri-host [ ":" port ]` by RFC 9110, 7.2.
struct HostField: Equatable {
    /// A name, an IPv4 address, or an IPv6 address in brackets, as it was sent; may be empty.
    let host: Substring

    /// The host in lower case, without brackets and without the dot that may end a fully qualified name.
    var name: String {
        let name = host.lowercased()
        if name.hasPrefix("[") { return String(name.dropFirst().dropLast()) }
        return name.hasSuffix(".") ? String(name.dropLast()) : name
    }

    init?(_ text: String) {
        // Byte by byte for speed: it is done for each connection.
        let bytes = text.utf8
        let end: String.Index
        if bytes.first == UInt8(ascii: "[") {
            guard let bracket = bytes.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            end = bytes.index(after: bracket)
            let address = bytes[..<bracket].dropFirst()
            // No percent sign: zones do not belong on the wire (RFC 6874).
            guard address.count > 1, address.allSatisfy({ $0.isUnreserved || $0 == UInt8(ascii: ":") }) else {
                return nil
            }
        } else {
            end = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
            guard Self.isName(bytes[..<end]) else { return nil }
        }
        host = text[..<end]
        let digits = bytes[end...].dropFirst()
        guard end == bytes.endIndex || bytes[end] == UInt8(ascii: ":"), digits.allSatisfy(\.isDigit) else { return nil }
        if UInt16(Substring(digits)) == nil, !digits.isEmpty { return nil }
    }

    /// `reg-name` of RFC 3986: unreserved characters, sub-delims, and bytes in percent-encoding.
    private static func isName(_ bytes: Substring.UTF8View) -> Bool {
        var rest = bytes
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                guard rest.popFirst()?.hexDigit != nil, rest.popFirst()?.hexDigit != nil else { return false }
            } else if !byte.isUnreserved, !"!$&'()*+,;=".utf8.contains(byte) {
                return false
            }
        }
        return true
    }
}

extension UInt8 {
    fileprivate var isUnreserved: Bool { isLetter || isDigit || "-._~".utf8.contains(self) }
}
