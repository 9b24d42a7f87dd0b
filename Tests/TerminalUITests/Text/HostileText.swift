import TestSupport

/// Texts of scalars that command, hide, widen or join: what an attacker or a broken editor would send.
struct HostileText {
    private var generator: SeededGenerator

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    /// A text of 0 to 24 scalars.
    mutating func next() -> String {
        var scalars = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...24, using: &generator) {
            let range = Self.ranges.randomElement(using: &generator) ?? 0...0
            scalars.append(Unicode.Scalar(UInt32.random(in: range, using: &generator)) ?? "\u{FFFD}")
        }
        return String(scalars)
    }

    /// Texts for a property to hold of, the same for the same seed.
    static func texts(count: Int, seed: UInt64) -> [String] {
        var source = HostileText(seed: seed)
        return (0..<count).map { _ in source.next() }
    }

    /// Listed more than once: likelier.
    private static let ranges: [ClosedRange<UInt32>] = [
        0x0...0x20, 0x20...0x20, 0x20...0x7E, 0x61...0x7A, 0x30...0x39, 0x7F...0xA0, 0xA0...0x2FF, 0x300...0x30F,
        0x5D0...0x61C, 0x915...0x94D, 0x94D...0x94D, 0xDB3...0xDDF, 0xE01...0xE3A, 0x1100...0x1112, 0x1160...0x1175,
        0x11A8...0x11C2, 0x200B...0x200F, 0x200D...0x200D, 0x200D...0x200D, 0x2028...0x202E, 0x2060...0x206F,
        0x20E3...0x20E3, 0x2500...0x25FF, 0x2600...0x2764, 0x3000...0x30FF, 0x4E00...0x4E20, 0xAC00...0xAC40,
        0xFE00...0xFE0F, 0xFE0F...0xFE0F, 0xFE0F...0xFE0F, 0xFEFF...0xFEFF, 0xFF61...0xFFA0, 0xFFF9...0xFFFF,
        0x1F1E6...0x1F1FF, 0x1F1E6...0x1F1FF, 0x1F3F0...0x1F3F4, 0x1F3F4...0x1F3F4, 0x1F3FB...0x1F3FF,
        0x1F440...0x1F4FF, 0x1F466...0x1F469, 0x1FA70...0x1FAFF, 0xE0000...0xE007F, 0xE0061...0xE007A,
        0xE007F...0xE007F, 0xE0100...0xE0110, 0x10_FFF0...0x10_FFFF, 0x0...0x10_FFFF,
    ]
}

extension StringProtocol {
    /// The text with everything outside printable ASCII as escapes, for messages.
    var escaped: String {
        unicodeScalars.map { $0.escaped(asASCII: true) }.joined()
    }
}
