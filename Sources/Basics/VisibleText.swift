// SPDX-License-Identifier: Apache-2.0

extension String {
    /// The start of a text for a message of one line: what would break or reorder the line, or control a terminal, becomes a JSON
    /// escape. Counted in scalars, since a character can have any number of them.
    package func excerpt(ofScalars count: Int) -> String {
        unicodeScalars.prefix(count).map(\.visible).joined()
    }

    /// A noun after its article: `an array`, `a colour`.
    package var withArticle: String { ("aeiouI".contains(first ?? " ") ? "an " : "a ") + self }
}

extension Int {
    /// The number with a comma between its thousands.
    package var grouped: String {
        let digits = String(magnitude)
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text += "," }
            text.append(digit)
        }
        return (self < 0 ? "-" : "") + text
    }

    /// The number with a noun: `1 key`, `1,000 keys`.
    package func grouped(of noun: String) -> String { self == 1 ? "1 \(noun)" : "\(grouped) \(noun)s" }
}

extension Unicode.Scalar {
    fileprivate var visible: String {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: jsonEscape
        default: properties.isBidiControl ? jsonEscape : String(self)
        }
    }

    /// The scalar as one or two JSON escapes, `\uXXXX`.
    package var jsonEscape: String {
        String(self).utf16.map { unit in
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
    }
}

/// The value of one ASCII hexadecimal digit, or `nil` for any other byte.
package func hexDigitValue(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
}
