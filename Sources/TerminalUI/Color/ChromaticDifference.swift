#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// What two colours differ by in chroma and hue, as CIEDE2000 weighs it.
///
/// Equation numbers are those of Sharma, Wu and Dalal (2005). Angles are in degrees.
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

    /// ΔH′, the difference in hue as a distance (10–11).
    private var hueDifference: Double {
        var angle = second.hue - first.hue
        if wrapsAround { angle += angle > 0 ? -360 : 360 }
        return 2 * (first.chroma * second.chroma).squareRoot() * sin(radians(angle / 2))
    }

    /// h̄′, the hue halfway along the shorter arc (14).
    ///
    /// The paper's case of a neutral colour is left out: ΔH′ is 0 then, and what h̄′ serves is multiplied by it.
    private var meanHue: Double {
        let sum = first.hue + second.hue
        guard wrapsAround else { return sum / 2 }
        return (sum < 360 ? sum + 360 : sum - 360) / 2
    }

    /// Whether the shorter arc between the hues passes through 0°.
    ///
    /// Opposite hues are decided by the formula (they do not) and must not be by the last bit of an arctangent.
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
