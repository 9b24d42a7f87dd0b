// SPDX-License-Identifier: Apache-2.0

public import Basics
internal import CLibrary

extension RGBColor {
    /// The light of the colour relative to white, 0–1, as WCAG 2.2 defines relative luminance.
    public var relativeLuminance: Double { LinearLight(self).y }

    /// The contrast ratio of WCAG 2.2, from 1 (the same luminance) to 21 (black and white), the same in both
    /// directions.
    ///
    /// (L1 + 0.05) / (L2 + 0.05), with L1 the lighter. Text is held to be readable from 4.5 on (criterion 1.4.3). For
    /// every colour the better of black and white reaches 4.58.
    public func contrast(with other: RGBColor) -> Double {
        let (mine, theirs) = (relativeLuminance, other.relativeLuminance)
        return (max(mine, theirs) + 0.05) / (min(mine, theirs) + 0.05)
    }

    /// The difference to another colour as the eye sees it, ΔE00 (CIEDE2000, all weights 1).
    ///
    /// 0 is the same colour, 1 about the smallest visible difference side by side, 100 black against white.
    public func difference(to other: RGBColor) -> Double { LabColor(self).difference(to: LabColor(other)) }

    /// The colour between this one and another, mixed in sRGB as browsers and terminals do, not in linear light.
    ///
    /// - Parameter share: The share of `other`, from 0 (none) to 1 (only it). Values outside, and NaN, are clamped.
    public func blended(with other: RGBColor, share: Double) -> RGBColor {
        let weight = share > 0 ? min(share, 1) : 0
        func mix(_ start: UInt8, _ end: UInt8) -> UInt8 {
            UInt8((Double(start) + (Double(end) - Double(start)) * weight).rounded())
        }
        return RGBColor(red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue))
    }
}

/// A colour in CIE L\*a\*b\* under D65, in which distance is close to perceived difference.
struct LabColor: Hashable {
    /// L\*, from 0 (black) to 100 (white).
    var lightness: Double
    /// a\*, from green (negative) to red (positive); −87…99 within sRGB.
    var a: Double
    /// b\*, from blue (negative) to yellow (positive); −108…95 within sRGB.
    var b: Double
}

extension LabColor {
    /// Greys come out with `a` and `b` of exactly 0, white with a lightness of exactly 100.
    /// Formulas: IEC 61966-2-1:1999 for sRGB to XYZ, CIE 15:2004 for XYZ to L\*a\*b\*.
    init(_ color: RGBColor) {
        let light = LinearLight(color)
        let (fx, fy, fz) = (Self.response(light.x), Self.response(light.y), Self.response(light.z))
        self.init(lightness: 116 * fy - 16, a: 500 * (fx - fy), b: 200 * (fy - fz))
    }

    /// The CIE's cube root, which is linear near black. `ratio` is relative to white, 0–1.
    private static func response(_ ratio: Double) -> Double {
        let knee = 6.0 / 29
        return ratio > knee * knee * knee ? cbrt(ratio) : ratio / (3 * knee * knee) + 4.0 / 29
    }

    /// ΔE00 by G. Sharma, W. Wu, E. N. Dalal, "The CIEDE2000 Color-Difference Formula: Implementation Notes,
    /// Supplementary Test Data, and Mathematical Observations", Color Research and Application 30 (1), 2005.
    func difference(to other: LabColor) -> Double {
        let lightness = lightnessDifference(to: other)
        let plane = ChromaticDifference(self, other)
        return (lightness * lightness + plane.squared).squareRoot()
    }

    /// The share of ΔE00 that lightness alone accounts for, ΔL′/S_L with its sign.
    ///
    /// Its magnitude never exceeds ΔE00: the term added to its square under the root is a quadratic form with |R_T| < 2, thus
    /// never negative. It grows with ΔL′ up to 100, since S_L grows by at most 0.0082 with each unit of the other's lightness.
    func lightnessDifference(to other: LabColor) -> Double {
        let fromMiddle = (lightness + other.lightness) / 2 - 50
        let square = fromMiddle * fromMiddle
        return (other.lightness - lightness) / (1 + 0.015 * square / (20 + square).squareRoot())
    }
}

/// The difference of two colours in chroma and hue, weighted by CIEDE2000, with the paper's equation numbers, in degrees.
struct ChromaticDifference {
    private let first: Polar
    private let second: Polar
    private let meanChroma: Double

    init(_ first: LabColor, _ second: LabColor) {
        let stretch = Self.stretch(first, second)
        self.first = Polar(a: first.a * stretch, b: first.b)
        self.second = Polar(a: second.a * stretch, b: second.b)
        meanChroma = (self.first.chroma + self.second.chroma) / 2
    }

    /// The part of ΔE00² that is not lightness, 0 or more (22).
    var squared: Double {
        let meanHue = meanHue
        let chroma = (second.chroma - first.chroma) / (1 + 0.045 * meanChroma)
        let hue = hueDifference / (1 + 0.015 * meanChroma * Self.hueWeight(meanHue))
        let rotation = Self.rotation(meanHue) * Self.saturation(meanChroma)
        return chroma * chroma + hue * hue + rotation * chroma * hue
    }

    /// A lower bound of ``squared``, but for rounding, without an angle.
    ///
    /// ΔH′² is Δa′² + Δb² − ΔC′², and T is 1.93 at most. Of ΔC² + ΔH² + R_T ΔC ΔH there is left, however R_T tilts it, a share
    /// of 1 − R_T²/4 of each square, and one of 1 − |R_T|/2 of their sum. |R_T|/2 is at most sin 60° times the saturation. It
    /// is less than 10⁻⁶ if neither colour has a negative b\*: both hues, and so their mean, are between 0° and 180° then.
    static func leastSquared(between first: LabColor, _ second: LabColor) -> Double {
        let stretch = stretch(first, second)
        let (a, otherA) = (first.a * stretch, second.a * stretch)
        let chroma = (a * a + first.b * first.b).squareRoot()
        let otherChroma = (otherA * otherA + second.b * second.b).squareRoot()
        let meanChroma = (chroma + otherChroma) / 2
        let chromaShare = (otherChroma - chroma) / (1 + 0.045 * meanChroma)
        let hueWeight = 1 + 0.015 * meanChroma * 1.93
        let hueSquare = 2 * (chroma * otherChroma - a * otherA - first.b * second.b) / (hueWeight * hueWeight)
        let (chromaPart, huePart) = (chromaShare * chromaShare, max(hueSquare, 0))
        let tilt = first.b >= 0 && second.b >= 0 ? 1e-6 : 0.8661 * saturation(meanChroma)
        return max((1 - tilt * tilt) * max(chromaPart, huePart), (1 - tilt) * (chromaPart + huePart))
    }

    /// ΔH′, the difference in hue as a distance (10–11).
    private var hueDifference: Double {
        var angle = second.hue - first.hue
        if wrapsAround { angle += angle > 0 ? -360 : 360 }
        return 2 * (first.chroma * second.chroma).squareRoot() * sin(radians(angle / 2))
    }

    /// h̄′, the hue halfway along the shorter arc (14). The paper's case of a neutral colour is left out: ΔH′ is 0
    /// then, and what h̄′ serves is multiplied by it.
    private var meanHue: Double {
        let sum = first.hue + second.hue
        guard wrapsAround else { return sum / 2 }
        return (sum < 360 ? sum + 360 : sum - 360) / 2
    }

    /// Whether the shorter arc between the hues passes through 0°. Opposite hues are decided by the formula (they do
    /// not) and must not be by the last bit of an arctangent.
    private var wrapsAround: Bool {
        abs(second.hue - first.hue) > 180 + 1e-9
    }
}

extension ChromaticDifference {
    /// A colour of the a′b plane; a neutral one has hue 0 (6–7).
    private struct Polar {
        let chroma: Double
        let hue: Double

        init(a: Double, b: Double) {
            chroma = (a * a + b * b).squareRoot()
            let angle = chroma == 0 ? 0 : atan2(b, a) * 180 / .pi
            hue = angle < 0 ? angle + 360 : angle
        }
    }

    /// 1 + G, by which a\* is stretched so that near-neutral colours differ enough (2–5).
    private static func stretch(_ first: LabColor, _ second: LabColor) -> Double {
        let chroma = (first.a * first.a + first.b * first.b).squareRoot()
        let otherChroma = (second.a * second.a + second.b * second.b).squareRoot()
        return 1 + 0.5 * (1 - saturation((chroma + otherChroma) / 2))
    }

    /// √(C⁷ / (C⁷ + 25⁷)): from 0 for neutral colours towards 1 for vivid ones.
    private static func saturation(_ chroma: Double) -> Double {
        let square = chroma * chroma
        let seventh = square * square * square * chroma
        return (seventh / (seventh + 6_103_515_625)).squareRoot()
    }

    /// T, how much a difference in hue counts around the circle (15).
    private static func hueWeight(_ hue: Double) -> Double {
        1 - 0.17 * cos(radians(hue - 30)) + 0.24 * cos(radians(2 * hue))
            + 0.32 * cos(radians(3 * hue + 6)) - 0.20 * cos(radians(4 * hue - 63))
    }

    /// R_T without its factor R_C / 2: the tilt of the ellipses around blue (16, 21).
    private static func rotation(_ hue: Double) -> Double {
        let offset = (hue - 275) / 25
        return -2 * sin(radians(60 * exp(-offset * offset)))
    }
}

private func radians(_ degrees: Double) -> Double {
    degrees * .pi / 180
}

extension Double {
    /// The number with one decimal.
    package var oneDecimal: String {
        let tenths = Int((self * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
