// SPDX-License-Identifier: Apache-2.0

extension UInt8 {
    /// Two hexadecimal digits.
    var hexadecimal: String {
        let digits = String(self, radix: 16, uppercase: true)
        return digits.count == 1 ? "0" + digits : digits
    }
}

extension Collection<UInt8> {
    /// The bytes as text, with what cannot be printed in hexadecimal.
    var readable: String {
        map { (0x20..<0x7F).contains($0) ? String(Unicode.Scalar($0)) : "\\x" + $0.hexadecimal }.joined()
    }
}
