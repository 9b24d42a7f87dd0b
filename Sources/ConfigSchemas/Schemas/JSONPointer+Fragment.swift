// SPDX-License-Identifier: Apache-2.0

import ConfigModel

extension JSONPointer {
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
