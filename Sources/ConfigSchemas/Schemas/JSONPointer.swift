/// A place in a value or a schema by RFC 6901.
///
/// It shares its beginning with the places around it, so that it costs nothing to keep; the text is made when asked for.
indirect enum JSONPointer: Hashable, Sendable {
    case root
    case member(String, of: JSONPointer)
    case element(Int, of: JSONPointer)

    func appending(_ name: String) -> JSONPointer { .member(name, of: self) }
    func appending(_ index: Int) -> JSONPointer { .element(index, of: self) }

    /// A name with `~` and `/` escaped.
    static func token(_ name: String) -> String {
        var token = String.UnicodeScalarView()
        for scalar in name.unicodeScalars {
            switch scalar {
            case "~": token.append(contentsOf: "~0".unicodeScalars)
            case "/": token.append(contentsOf: "~1".unicodeScalars)
            default: token.append(scalar)
            }
        }
        return String(token)
    }

    /// The tokens of a reference into its own document, such as `#/$defs/a`, still with `~0` and `~1`.
    ///
    /// - Returns: `nil` for any other reference.
    static func tokens(ofFragment reference: String) -> [String]? {
        guard reference.utf8.first == UInt8(ascii: "#"), let pointer = percentDecoded(reference.utf8.dropFirst())
        else { return nil }
        let tokens = pointer.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard let first = tokens.first, first.isEmpty else { return pointer.isEmpty ? [] : nil }
        return tokens.dropFirst().map { String(decoding: $0, as: UTF8.self) }
    }

    private static func percentDecoded(_ text: Substring.UTF8View) -> [UInt8]? {
        var (decoded, rest): ([UInt8], ArraySlice<UInt8>) = ([], Array(text)[...])
        while let byte = rest.popFirst() {
            if byte != UInt8(ascii: "%") {
                decoded.append(byte)
                continue
            }
            let digits = rest.prefix(2)
            guard digits.count == 2, digits.allSatisfy(\.isHexDigit),
                let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            else { return nil }
            decoded.append(value)
            rest = rest.dropFirst(2)
        }
        return decoded
    }
}

extension JSONPointer: CustomStringConvertible {
    var description: String {
        var (tokens, place): ([String], JSONPointer) = ([], self)
        while true {
            switch place {
            case .root: return tokens.reversed().map { "/" + $0 }.joined()
            case .member(let name, let parent): (tokens, place) = (tokens + [Self.token(name)], parent)
            case .element(let index, let parent): (tokens, place) = (tokens + [String(index)], parent)
            }
        }
    }
}
