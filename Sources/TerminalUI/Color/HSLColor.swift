// SPDX-License-Identifier: Apache-2.0

package import Basics

/// A colour of sRGB by hue, saturation and lightness, as CSS Color 4 defines them in section 7.
package struct HSLColor {
    /// The hue in degrees, 0–360; 0 for greys.
    package var hue: Double
    /// The saturation, 0–1.
    package var saturation: Double
    /// The lightness, 0–1.
    package var lightness: Double

    package init(hue: Double, saturation: Double, lightness: Double) {
        (self.hue, self.saturation, self.lightness) = (hue, saturation, lightness)
    }
}

extension HSLColor {
    package init(_ color: RGBColor) {
        let channels = [color.red, color.green, color.blue].map { Double($0) / 255 }
        let (red, green, blue) = (channels[0], channels[1], channels[2])
        let (most, least) = (max(red, green, blue), min(red, green, blue))
        let spread = most - least
        lightness = (most + least) / 2
        saturation = spread == 0 ? 0 : spread / (1 - abs(2 * lightness - 1))
        if spread == 0 {
            hue = 0
        } else if most == red {
            hue = 60 * ((green - blue) / spread + (green < blue ? 6 : 0))
        } else if most == green {
            hue = 60 * ((blue - red) / spread + 2)
        } else {
            hue = 60 * ((red - green) / spread + 4)
        }
    }

    /// The colour, each channel rounded to the nearest of 0–255.
    package var rgb: RGBColor {
        RGBColor(red: channel(0), green: channel(8), blue: channel(4))
    }

    private func channel(_ offset: Double) -> UInt8 {
        let position = (offset + hue / 30).truncatingRemainder(dividingBy: 12)
        let spread = saturation * min(lightness, 1 - lightness)
        let value = lightness - spread * max(-1, min(position - 3, 9 - position, 1))
        return UInt8((min(max(value, 0), 1) * 255).rounded())
    }
}
