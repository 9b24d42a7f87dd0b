// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigWire

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

    /// The start of the host in a target in absolute form, such as `http://example.com/v1`.
    static func endOfScheme(_ target: String) -> String.Index? {
        guard let colon = target.utf8.firstIndex(of: UInt8(ascii: ":")),
            target.utf8[colon...].starts(with: "://".utf8)
        else { return nil }
        return target.utf8.index(colon, offsetBy: 3)
    }

    var segments: [Substring] { Self.segments(of: path) }

    static func segments(of path: some StringProtocol) -> [Substring] {
        Substring(path).utf8.split(separator: UInt8(ascii: "/")).map { Substring($0) }
    }

    /// - Throws: ``Problem`` if the parameter is there twice or is not UTF-8.
    func parameter(_ parameter: WireParameter) throws(Problem) -> String? {
        guard let query else { return nil }
        return try FormPairs(query.utf8).value(of: parameter.name)
    }

    func revision(_ parameter: WireParameter) throws(Problem) -> UInt64? {
        guard let text = try self.parameter(parameter) else { return nil }
        guard let revision = UInt64(decimal: text), revision < 1 << 53 else {
            throw .invalidParameter(parameter.name, "a revision must be an integer from 0 to 2^53 − 1")
        }
        return revision
    }
}

/// The pairs of a query or a form, parsed by the WHATWG's URL standard for `application/x-www-form-urlencoded`: as bytes, of
/// which only `&`, `=`, `+` and `%` are special.
///
/// It differs in one point: invalid UTF-8 is reported, where the standard substitutes U+FFFD.
struct FormPairs {
    /// The pairs, decoded, in order; `nil` for a name or a value that is not UTF-8.
    let pairs: [(name: String?, value: String?)]

    /// - Parameter most: the maximum number of pairs that are read; others are ignored.
    init(_ bytes: some Collection<UInt8>, atMost most: Int = .max) {
        // The last part is the whole rest, which is dropped.
        let parts = bytes.split(separator: UInt8(ascii: "&"), maxSplits: most).prefix(most)
        pairs = parts.map { pair in
            guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { return (pair.formDecoded(), "") }
            return (pair[..<equals].formDecoded(), pair[equals...].dropFirst().formDecoded())
        }
    }

    /// - Throws: ``Problem`` if the field is there twice or is not UTF-8.
    func value(of name: String) throws(Problem) -> String? {
        var found: String?
        for pair in pairs where pair.name == name {
            if found != nil { throw .invalidParameter(name, "duplicate parameter; send it once") }
            guard let value = pair.value else { throw .invalidParameter(name, "the parameter is not valid UTF-8") }
            found = value
        }
        return found
    }
}

extension StringProtocol {
    /// The text with its `%` sequences decoded; `nil` if they are malformed or not UTF-8.
    func percentDecoded() -> String? { utf8.percentDecoded(isForm: false) }
}

extension Collection<UInt8> {
    fileprivate func formDecoded() -> String? { percentDecoded(isForm: true) }

    /// - Parameter isForm: whether `+` is a space, and a malformed sequence is text.
    fileprivate func percentDecoded(isForm: Bool) -> String? {
        guard contains(where: { $0 == UInt8(ascii: "%") || isForm && $0 == UInt8(ascii: "+") }) else {
            return String(validating: self, as: UTF8.self)
        }
        var decoded: [UInt8] = []
        var rest = Array(self)[...]
        while let byte = rest.popFirst() {
            if byte != UInt8(ascii: "%") {
                decoded.append(isForm && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            } else if let high = rest.first?.hexDigit, let low = rest.dropFirst().first?.hexDigit {
                decoded.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else if isForm {
                decoded.append(byte)
            } else {
                return nil
            }
        }
        return String(validating: decoded, as: UTF8.self)
    }
}

extension UInt8 {
    /// The value of a hexadecimal digit in ASCII; `nil` for any other byte.
    var hexDigit: UInt8? { hexDigitValue(self).map { UInt8($0) } }
}
