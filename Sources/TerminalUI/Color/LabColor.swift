public import ConfigModel

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// A colour in CIE L\*a\*b\* under D65, where distance is close to what the eye sees.
///
/// ```swift
/// let pink = LabColor(RGBColor(red: 255, green: 182, blue: 193))
/// let grey = LabColor(lightness: 80, a: 0, b: 0)
/// pink.difference(to: grey)   // about 21: not to be confused
/// ```
public struct LabColor: Hashable, Sendable {
    /// L\*, from 0 (black) to 100 (white).
    public var lightness: Double
    /// a\*, from green (negative) to red (positive); −87…99 within sRGB.
    public var a: Double
    /// b\*, from blue (negative) to yellow (positive); −108…95 within sRGB.
    public var b: Double

    /// Creates a colour from its coordinates.
    ///
    /// - Parameters:
    ///   - lightness: L\*, 0–100.
    ///   - a: a\*, 0 where neutral.
    ///   - b: b\*, 0 where neutral.
    public init(lightness: Double, a: Double, b: Double) {
        self.lightness = lightness
        self.a = a
        self.b = b
    }

    /// Converts an sRGB colour.
    ///
    /// Greys come out with `a` and `b` of exactly 0, white with a lightness of exactly 100.
    /// Formulas: IEC 61966-2-1:1999 for sRGB to XYZ, CIE 15:2004 for XYZ to L\*a\*b\*.
    public init(_ color: RGBColor) {
        let light = LinearLight(color)
        let (fx, fy, fz) = (Self.response(light.x), Self.response(light.y), Self.response(light.z))
        self.init(lightness: 116 * fy - 16, a: 500 * (fx - fy), b: 200 * (fy - fz))
    }

    /// The CIE's cube root, which is linear near black. `ratio` is relative to white, 0–1.
    private static func response(_ ratio: Double) -> Double {
        let knee = 6.0 / 29
        return ratio > knee * knee * knee ? cbrt(ratio) : ratio / (3 * knee * knee) + 4.0 / 29
    }
}
