// SPDX-License-Identifier: Apache-2.0

/// An opaque colour in sRGB with eight bits a channel.
///
/// Three spellings are read, in ASCII hexadecimal digits of either case: `#RRGGBB`, `RRGGBB` and `#RGB`,
/// the last of which doubles each digit. Anything else is refused: alpha, names, near misses.
@frozen
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
    public init(_ value: UInt32) {
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

extension RGBColor: ExpressibleByStringLiteral {
    /// Creates a colour from a literal such as `"#FFB6C1"`. A literal that is not a colour traps.
    public init(stringLiteral text: String) {
        guard let color = RGBColor(text) else { preconditionFailure("\(text) is not a colour such as #FFB6C1") }
        self = color
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
            self.init(value)
        case 3 where isPrefixed:
            let (red, green, blue) = (value >> 8, value >> 4 & 0xF, value & 0xF)
            self.init((red << 16 | green << 8 | blue) * 0x11)
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
