// SPDX-License-Identifier: Apache-2.0

package import Basics
internal import CLibrary

/// A colour in Oklab, where steps of equal length look about equal and a change of lightness keeps the hue.
///
/// Formulas and matrices: Björn Ottosson, "A perceptual color space for image processing", 2020, with the matrices of
/// 25 January 2021 for sRGB under D65.
///
/// ```swift
/// let panel = OklabColor(background).movingLightness(by: 0.1).rgb
/// let halfway = OklabColor(old).mixed(with: OklabColor(new), share: 0.5).rgb
/// ```
package struct OklabColor: Hashable, Sendable {
    /// L, from 0 (black) to 1 (white).
    package var lightness: Double
    /// a, from green (negative) to red (positive); −0.24…0.28 within sRGB.
    package var a: Double
    /// b, from blue (negative) to yellow (positive); −0.32…0.20 within sRGB.
    package var b: Double
}

extension OklabColor {
    /// Creates a colour from its channels; greys come out with `a` and `b` of exactly 0.
    package init(_ color: RGBColor) {
        let light = LinearLight(color)
        // Written around green, and below around M, so that rounding gives no grey a hue.
        let (red, blue) = (light.red - light.green, light.blue - light.green)
        let middle = cbrt(light.green + 0.2119034982 * red + 0.1073969566 * blue)
        let long = cbrt(light.green + 0.4122214708 * red + 0.0514459929 * blue) - middle
        let short = cbrt(light.green + 0.0883024619 * red + 0.6299787005 * blue) - middle
        lightness = middle + 0.2104542553 * long - 0.0040720468 * short
        a = 1.9779984951 * long + 0.4505937099 * short
        b = 0.0259040371 * long - 0.8086757660 * short
    }

    /// The distance from the grey of this lightness: 0 for greys, 0.32 at most within sRGB.
    package var chroma: Double { (a * a + b * b).squareRoot() }

    /// The colour between this one and another.
    ///
    /// - Parameter share: The share of `other`, from 0 (none) to 1 (only it). Values outside, and NaN, are clamped.
    package func mixed(with other: OklabColor, share: Double) -> OklabColor {
        let weight = share > 0 ? min(share, 1) : 0
        func mix(_ start: Double, _ end: Double) -> Double { start + (end - start) * weight }
        return OklabColor(
            lightness: mix(lightness, other.lightness),
            a: mix(a, other.a),
            b: mix(b, other.b)
        )
    }

    /// The colour with another lightness, of the same hue.
    ///
    /// - Parameter share: The change, as a share of the way from black to white; negative is darker. The result stays between
    ///   black and white, and ``rgb`` limits its chroma to sRGB.
    package func movingLightness(by share: Double) -> OklabColor {
        OklabColor(lightness: min(max(lightness + share, 0), 1), a: a, b: b)
    }

    /// The colour in sRGB. One that sRGB does not have keeps lightness and hue, and loses chroma until it fits.
    package var rgb: RGBColor {
        let light = linearLight(chromaShare: 1)
        if light.isDisplayable { return light.color }
        var (fitting, excessive) = (0.0, 1.0)
        // 2^-12 of the largest chroma is less than a step of a channel.
        for _ in 0..<12 {
            let share = (fitting + excessive) / 2
            if linearLight(chromaShare: share).isDisplayable { fitting = share } else { excessive = share }
        }
        return linearLight(chromaShare: fitting).color
    }

    private func linearLight(chromaShare: Double) -> LinearLight {
        let (a, b) = (a * chromaShare, b * chromaShare)
        func cubed(_ root: Double) -> Double { root * root * root }
        let long = cubed(lightness + 0.3963377774 * a + 0.2158037573 * b)
        let middle = cubed(lightness - 0.1055613458 * a - 0.0638541728 * b)
        let short = cubed(lightness - 0.0894841775 * a - 1.2914855480 * b)
        return LinearLight(
            red: 4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
            green: -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
            blue: -0.0041960863 * long - 0.7034186147 * middle + 1.7076147010 * short
        )
    }
}

extension LinearLight {
    /// Whether the colour is in sRGB, but for rounding errors.
    fileprivate var isDisplayable: Bool {
        [red, green, blue].allSatisfy { (-1e-5...1 + 1e-5).contains($0) }
    }
}
