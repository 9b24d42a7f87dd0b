import Foundation

@testable import TerminalUI

/// ΔE00 once more, step by step as in Sharma, Wu and Dalal (2005) and sharing nothing with the module.
func referenceDifference(_ one: LabColor, _ two: LabColor) -> Double {
    func sine(_ degrees: Double) -> Double { sin(degrees * .pi / 180) }
    func cosine(_ degrees: Double) -> Double { cos(degrees * .pi / 180) }
    func hue(_ b: Double, _ a: Double) -> Double {
        if a == 0, b == 0 { return 0 }
        let angle = atan2(b, a) * 180 / .pi
        return angle >= 0 ? angle : angle + 360
    }

    // Step 1
    let meanC = (hypot(one.a, one.b) + hypot(two.a, two.b)) / 2
    let g = 0.5 * (1 - sqrt(pow(meanC, 7) / (pow(meanC, 7) + pow(25, 7))))
    let (a1, a2) = ((1 + g) * one.a, (1 + g) * two.a)
    let (c1, c2) = (hypot(a1, one.b), hypot(a2, two.b))
    let (h1, h2) = (hue(one.b, a1), hue(two.b, a2))

    // Step 2
    var deltaHue = h2 - h1
    if deltaHue > 180 { deltaHue -= 360 }
    if deltaHue < -180 { deltaHue += 360 }
    if c1 * c2 == 0 { deltaHue = 0 }
    let (deltaL, deltaC) = (two.lightness - one.lightness, c2 - c1)
    let deltaH = 2 * sqrt(c1 * c2) * sine(deltaHue / 2)

    // Step 3
    let (l, c) = ((one.lightness + two.lightness) / 2, (c1 + c2) / 2)
    var h = (h1 + h2) / 2
    if c1 * c2 == 0 { h = h1 + h2 } else if abs(h1 - h2) > 180 { h += h1 + h2 < 360 ? 180 : -180 }
    let t = 1 - 0.17 * cosine(h - 30) + 0.24 * cosine(2 * h) + 0.32 * cosine(3 * h + 6) - 0.2 * cosine(4 * h - 63)
    let rotation = -sine(60 * exp(-pow((h - 275) / 25, 2))) * 2 * sqrt(pow(c, 7) / (pow(c, 7) + pow(25, 7)))
    let scaledL = deltaL / (1 + 0.015 * pow(l - 50, 2) / sqrt(20 + pow(l - 50, 2)))
    let (scaledC, scaledH) = (deltaC / (1 + 0.045 * c), deltaH / (1 + 0.015 * c * t))
    return sqrt(pow(scaledL, 2) + pow(scaledC, 2) + pow(scaledH, 2) + rotation * scaledC * scaledH)
}
