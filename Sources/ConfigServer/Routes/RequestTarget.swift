internal import ConfigModel
internal import NIOHTTP1

/// What a request's target says: the segments of its path and the parameters of its query, still encoded.
struct RequestTarget {
    let path: Substring
    let query: Substring?

    /// - Parameter text: the target in origin form (`/v1/default/config?after=1`) or in absolute form.
    init(_ text: String) {
        var rest = text[...]
        if !rest.hasPrefix("/"), let scheme = rest.range(of: "://") {
            rest = rest[scheme.upperBound...].drop { $0 != "/" && $0 != "?" }
        }
        rest = rest.prefix { $0 != "#" }
        let mark = rest.firstIndex(of: "?")
        path = rest[..<(mark ?? rest.endIndex)]
        query = mark.map { rest[rest.index(after: $0)...] }
    }

    /// The names of the parameters, decoded as far as that is possible.
    var parameterNames: [String] {
        (query ?? "").split(separator: "&").map { pair in
            let name = pair.prefix { $0 != "=" }
            return name.percentDecoded(plusIsSpace: true) ?? String(name)
        }
    }

    /// The segments of the path.
    var segments: [Substring] { path.split(separator: "/") }

    /// The value of a parameter, decoded: `nil` if it is not there.
    ///
    /// - Throws: ``Problem`` if the parameter stands twice or is no UTF-8.
    func parameter(_ name: String) throws(Problem) -> String? {
        guard let query else { return nil }
        var found: String?
        for pair in query.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts[0].percentDecoded(plusIsSpace: true) == name else { continue }
            if found != nil {
                throw Problem(.badRequest, "invalid-parameter", "the parameter stands twice; give it once", field: name)
            }
            guard let value = (parts.count == 2 ? parts[1] : "").percentDecoded(plusIsSpace: true) else {
                throw Problem(
                    .badRequest,
                    "invalid-parameter",
                    "the parameter is no percent-encoded UTF-8",
                    field: name
                )
            }
            found = value
        }
        return found
    }

    /// A parameter that is a revision.
    func revision(_ name: String) throws(Problem) -> UInt64? {
        guard let text = try parameter(name) else { return nil }
        guard let revision = UInt64(decimal: text), revision < 1 << 53 else {
            let detail = "a revision is a whole number from 0 to 2^53 − 1"
            throw Problem(.badRequest, "invalid-parameter", detail, field: name)
        }
        return revision
    }
}

extension StringProtocol {
    /// The text with its `%` sequences read; `nil` if they are malformed or do not come out as UTF-8.
    func percentDecoded(plusIsSpace: Bool = false) -> String? {
        guard utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else { return String(self) }
        var bytes: [UInt8] = []
        var rest = Array(utf8)[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "%"):
                let digits = rest.prefix(2)
                guard digits.count == 2, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
                    let decoded = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
                else { return nil }
                bytes.append(decoded)
                rest = rest.dropFirst(2)
            case UInt8(ascii: "+") where plusIsSpace: bytes.append(0x20)
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    fileprivate func range(of text: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
            start = index(after: start)
        }
        return nil
    }
}
