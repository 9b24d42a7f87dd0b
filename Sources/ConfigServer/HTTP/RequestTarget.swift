internal import ConfigModel
internal import NIOHTTP1

/// A request's target: the segments of its path and the parameters of its query, still encoded.
///
/// It is parsed byte by byte, so that a combining mark behind a separator does not hide it.
struct RequestTarget {
    let path: Substring
    let query: Substring?

    /// - Parameter text: the target in origin form (`/v1/default/config?after=1`) or in absolute form.
    init(_ text: String) {
        var rest = text.utf8[...]
        if rest.first != UInt8(ascii: "/"), let start = Self.endOfScheme(text) {
            rest = rest[start...].drop { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        }
        let mark = rest.firstIndex(of: UInt8(ascii: "?"))
        path = text[rest.startIndex..<(mark ?? rest.endIndex)]
        query = mark.map { text[rest.index(after: $0)...] }
    }

    /// Where the host begins in a target in absolute form, such as `http://example.com/v1`.
    static func endOfScheme(_ target: String) -> String.Index? {
        guard let colon = target.utf8.firstIndex(of: UInt8(ascii: ":")),
            target.utf8[colon...].starts(with: "://".utf8)
        else { return nil }
        return target.utf8.index(colon, offsetBy: 3)
    }

    /// The segments of the path.
    var segments: [Substring] { Self.segments(of: path) }

    /// The segments of a path.
    static func segments(of path: some StringProtocol) -> [Substring] {
        Substring(path).utf8.split(separator: UInt8(ascii: "/")).map { Substring($0) }
    }

    /// The value of a parameter, decoded; `nil` without it.
    ///
    /// - Throws: ``Problem`` if the parameter is there twice or is not UTF-8.
    func parameter(_ name: String) throws(Problem) -> String? {
        guard let query else { return nil }
        return try FormPairs(query.utf8).value(of: name)
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
    /// The text with its `%` sequences decoded; `nil` if they are malformed or not UTF-8.
    func percentDecoded() -> String? {
        guard utf8.contains(UInt8(ascii: "%")) else { return String(self) }
        var bytes: [UInt8] = []
        var rest = Array(utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let decoded = PercentEncoding.byte(rest.prefix(2)) else { return nil }
            bytes.append(decoded)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
