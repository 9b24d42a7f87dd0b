// SPDX-License-Identifier: Apache-2.0

/// An opaque colour in sRGB with eight bits a channel.
///
/// Three spellings are read, in ASCII hexadecimal digits of either case: `#RRGGBB`, `RRGGBB` and `#RGB`,
/// the last of which doubles each digit. Anything else is refused: alpha, names, near misses.
public struct RGBColor: Hashable, Sendable {
    /// The red channel, 0–255.
    public var red: UInt8
    /// The green channel, 0–255.
    public var green: UInt8
    /// The blue channel, 0–255.
    public var blue: UInt8

    /// Creates a colour from its channels, each 0–255.
    public init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// Creates a colour from the low 24 bits of a number, `0xRRGGBB`.
    public init(rgb24 value: UInt32) {
        self.init(
            red: UInt8(truncatingIfNeeded: value >> 16),
            green: UInt8(truncatingIfNeeded: value >> 8),
            blue: UInt8(truncatingIfNeeded: value)
        )
    }

    /// The colour as the number `0xRRGGBB`.
    public var rgb24: UInt32 {
        UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
    }
}

extension RGBColor: LosslessStringConvertible {
    /// Reads `#RRGGBB`, `RRGGBB` or `#RGB`; `nil` for anything else.
    public init?(_ description: String) {
        var digits = description.utf8[...]
        let isPrefixed = digits.first == UInt8(ascii: "#")
        if isPrefixed { digits.removeFirst() }

        var value: UInt32 = 0
        for byte in digits.prefix(7) {
            guard let digit = hexDigitValue(byte) else { return nil }
            value = value << 4 | digit
        }
        switch digits.count {
        case 6:
            self.init(rgb24: value)
        case 3 where isPrefixed:
            let (red, green, blue) = (value >> 8, value >> 4 & 0xF, value & 0xF)
            self.init(rgb24: (red << 16 | green << 8 | blue) * 0x11)
        default:
            return nil
        }
    }

    /// The colour as `#RRGGBB`, in capitals.
    public var description: String {
        let digits = String(rgb24, radix: 16, uppercase: true)
        return "#" + String(repeating: "0", count: 6 - digits.count) + digits
    }
}

/// The value of one ASCII hexadecimal digit, or `nil` if the byte is none.
package func hexDigitValue(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
}

extension RGBColor: Codable {
    /// Reads a string such as `"#FFB6C1"`.
    public init(from decoder: any Decoder) throws { self = try decoder.parsedText() }

    /// Writes a string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension Decoder {
    /// Reads a text by the type's own form.
    func parsedText<Value: EntryValueConvertible & LosslessStringConvertible>() throws -> Value {
        let container = try singleValueContainer()
        let text = try container.decode(String.self)
        if let value = Value(text) { return value }
        let message = "\"\(text.excerpt(ofScalars: 40))\" is not \(Value.configTypeName.withArticle)"
        throw DecodingError.dataCorruptedError(in: container, debugDescription: message)
    }
}
