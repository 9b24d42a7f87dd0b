// SPDX-License-Identifier: Apache-2.0

internal import Basics
internal import CLibrary

/// A colour as amounts of light, each 0–1, by the transfer curve, primaries and D65 white of sRGB, IEC 61966-2-1:1999.
struct LinearLight {
    let red: Double
    let green: Double
    let blue: Double

    init(red: Double, green: Double, blue: Double) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    init(_ color: RGBColor) {
        red = Self.decoded[Int(color.red)]
        green = Self.decoded[Int(color.green)]
        blue = Self.decoded[Int(color.blue)]
    }

    // Each row of the standard's matrix is divided by its sum, the white point, and written around green.
    // So a grey has x == y == z to the last bit, and a hue that is mere rounding noise never appears.

    /// CIE X relative to the white point, 0–1.
    var x: Double {
        green + 0.4124 / 0.9505 * (red - green) + 0.1805 / 0.9505 * (blue - green)
    }

    /// CIE Y relative to the white point, 0–1: the relative luminance.
    var y: Double {
        green + 0.2126 * (red - green) + 0.0722 * (blue - green)
    }

    /// CIE Z relative to the white point, 0–1.
    var z: Double {
        green + 0.0193 / 1.0890 * (red - green) + 0.9505 / 1.0890 * (blue - green)
    }

    /// The light of each of the 256 channel values.
    private static let decoded: [Double] = (0...255).map { value in
        let encoded = Double(value) / 255
        return encoded <= 0.04045 ? encoded / 12.92 : pow((encoded + 0.055) / 1.055, 2.4)
    }
    /// The nearest colour of eight bits a channel; amounts outside 0–1 are clamped.
    var color: RGBColor {
        func encoded(_ amount: Double) -> UInt8 {
            let light = amount > 0 ? min(amount, 1) : 0
            let value = light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
            return UInt8((value * 255).rounded())
        }
        return RGBColor(red: encoded(red), green: encoded(green), blue: encoded(blue))
    }
}
