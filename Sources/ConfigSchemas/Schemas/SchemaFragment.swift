// SPDX-License-Identifier: Apache-2.0

import ConfigModel

/// The place in a schema resource that the fragment of a reference names.
enum SchemaFragment {
    /// The tokens of a JSON Pointer, still with `~0` and `~1`.
    case pointer([String])
    case anchor(ExactString)

    /// - Parameter fragment: percent-encoded.
    /// - Returns: `nil` if it has a `%` that no two hexadecimal digits follow.
    init?(_ fragment: ArraySlice<UInt8>) {
        guard let text = Self.percentDecoded(fragment) else { return nil }
        let tokens = text.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        if let first = tokens.first, !first.isEmpty {
            self = .anchor(ExactString(String(decoding: text, as: UTF8.self)))
        } else {
            self = .pointer(Array(tokens.dropFirst()))
        }
    }

    private static func percentDecoded(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var (decoded, rest): ([UInt8], ArraySlice<UInt8>) = ([], text)
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
