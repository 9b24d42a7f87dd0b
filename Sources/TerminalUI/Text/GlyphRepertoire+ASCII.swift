extension Character {
    /// The ASCII character that looks most like this one, which takes one column; `nil` if none does.
    var asciiLookAlike: String? {
        if let lookAlike = asciiLookAlikes[self] { return String(lookAlike) }
        guard let scalar = unicodeScalars.first, unicodeScalars.count == 1 else { return nil }
        return switch scalar.value {
        case 0x2500...0x257F: "+"
        case 0x2580...0x259F: "#"
        case 0x2801...0x28FF: "*"
        default: nil
        }
    }

    /// The letters that a flag of regional indicators, or one of these by itself, spells; `nil` for anything else.
    var flagLetters: String? {
        let indicators = unicodeScalars.prefix { $0.isRegionalIndicator }
        let letters = indicators.compactMap { Unicode.Scalar($0.value - 0x1F1E6 + 0x41) }
        return letters.isEmpty ? nil : String(String.UnicodeScalarView(letters))
    }
}

/// Corners, junctions and other blocks are not listed: they have a range of their own.
private let asciiLookAlikes: [Character: Character] = {
    let groups: [(Character, String)] = [
        ("-", "─━┄┅┈┉╌╍╴╶╸╺╼╾\u{AD}‐‑‒–—―−"),
        ("=", "═▃▄▅"),
        ("|", "│┃┆┇┊┋╎╏║╵╷╹╻╽╿▏▎▍▌▐▕¦"),
        ("/", "╱"),
        ("\\", "╲"),
        ("X", "╳✕✖✗✘"),
        ("_", "▁▂"),
        (".", "…·∙⋅░"),
        (" ", "\u{A0}\u{2002}\u{2003}\u{2007}\u{2009}\u{202F}\u{2800}\u{FFA0}"),
        ("*", "●•◉◆★∗✱"),
        ("x", "×"),
        ("d", "Δ"),
        ("o", "○◦◯◇☆"),
        ("#", "■▪◼"),
        ("v", "✓✔↓▼▾⌄"),
        ("^", "↑▲▴⌃"),
        ("<", "←◀◂‹«"),
        (">", "→▶▸›»❯"),
        ("'", "‘’‚′"),
        ("\"", "“”„″"),
        ("~", "≈∼"),
    ]
    let pairs = groups.flatMap { lookAlike, characters in characters.map { ($0, lookAlike) } }
    return Dictionary(pairs) { first, _ in first }
}()
