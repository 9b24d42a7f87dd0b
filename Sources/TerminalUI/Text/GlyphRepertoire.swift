// SPDX-License-Identifier: Apache-2.0

internal import CLibrary
internal import CNCurses

/// The characters that the terminal can show, which determines how a cluster is degraded before it is drawn.
///
/// The result takes exactly the columns of the cluster by the project's own rules, padded with spaces if its replacement is
/// narrower.
public enum GlyphRepertoire: Hashable, Sendable {
    /// Everything that ncurses and terminals agree on, if the locale's character set is UTF-8.
    case unicode
    /// Printable ASCII, in any other locale.
    case ascii

    /// Whether the locale's character set is UTF-8.
    public var isUTF8: Bool { self == .unicode }

    /// The cluster as it can be drawn, for a platform whose width tables are as new as this project's.
    public func degraded(_ cluster: Character) -> String {
        degraded(cluster, scalarWidth: \.columnWidth)
    }

    /// The cluster as it can be drawn.
    ///
    /// A sequence that the terminal shows as one is not degraded, but written whole.
    ///
    /// In UTF-8 the result consists of cells that ncurses can store, each with one spacing character and at most four marks,
    /// without anything whose width depends on the terminal: sequences become their simplest relative.
    ///
    /// | cluster | drawn as |
    /// |---|---|
    /// | a sequence of U+200D, a skin tone, a subdivision's flag | its first emoji |
    /// | an emoji or keycap by U+FE0F | its base without U+FE0F |
    /// | a flag | the two letters of its region |
    /// | a soft hyphen, a Hangul filler | a hyphen, blanks |
    /// | a single skin tone, a character that the platform does not know or measures differently | U+FFFD |
    /// | a fifth mark on a letter, U+200D in Indic text, a single mark or control character | nothing |
    ///
    /// In any other locale box drawing, arrows and punctuation become their ASCII look-alikes, flags their letters
    /// and everything else a `?` for each column.
    ///
    /// - Parameters:
    ///   - cluster: The cluster to draw.
    ///   - scalarWidth: The columns of a scalar by the platform's `wcwidth`, which ncurses assumes; -1 if it is unknown there.
    /// - Returns: Text of exactly the columns of the cluster; empty if these are zero.
    public func degraded(_ cluster: Character, scalarWidth: (Unicode.Scalar) -> Int) -> String {
        if let ascii = cluster.asciiValue { return 0x20..<0x7F ~= ascii ? String(cluster) : "" }
        let columns = cluster.columnWidth
        if columns == 0 { return "" }
        if let letters = cluster.flagLetters { return letters.padded(toColumns: columns) }
        if isUTF8 { return cellText(of: cluster, columns: columns, scalarWidth: scalarWidth) }
        return cluster.asciiLookAlike ?? String(repeating: "?", count: columns)
    }
}

extension GlyphRepertoire {
    /// The repertoire of the environment's locale; sets the C library's locale to it.
    ///
    /// If no variable sets the locale, characters are UTF-8, as in PEP 538; `LC_ALL=C` means ASCII.
    public static func locale() -> GlyphRepertoire {
        let isUnset = ["LC_ALL", "LC_CTYPE", "LANG"].allSatisfy { (name: String) in
            getenv(name).map { $0.pointee == 0 } ?? true
        }
        if setlocale(LC_CTYPE, isUnset ? "C.UTF-8" : "") == nil { setlocale(LC_CTYPE, "C.UTF-8") }
        return lvy_locale_is_utf8() != 0 ? .unicode : .ascii
    }
}

extension GlyphRepertoire {
    /// The cluster as cells of ncurses, each of which every terminal moves by the same columns.
    private func cellText(of cluster: Character, columns: Int, scalarWidth: (Unicode.Scalar) -> Int) -> String {
        var text = CellText(columns: columns)
        for scalar in cluster.isEmojiSequence ? cluster.simplestRelative : cluster.unjoinedScalars {
            text.append(scalar, platformWidth: scalarWidth(scalar))
        }
        return text.padded
    }
}

extension Character {
    /// The base of an emoji sequence, and the frame of a keycap.
    fileprivate var simplestRelative: [Unicode.Scalar] {
        unicodeScalars.prefix(1) + unicodeScalars.filter { $0 == "\u{20E3}" }
    }
}

/// Text that is built from spacing scalars and marks and never grows wider than its columns.
private struct CellText {
    let columns: Int
    var text = ""
    var used = 0
    /// The width of the last cell, and how many marks it has.
    var cell = (width: 0, marks: 0)
    /// A `cchar_t` of ncurses 6 contains one spacing character and CCHARW_MAX - 1 = 4 more code points.
    static let maximumMarks = 4

    var padded: String {
        text + String(repeating: " ", count: columns - used)
    }

    mutating func append(_ scalar: Unicode.Scalar, platformWidth: Int) {
        let width = scalar.columnWidth
        if width == 0 {
            appendMark(scalar, platformWidth: platformWidth)
        } else if used + width <= columns {
            let isSafe = platformWidth == width && !scalar.isSkinTone
            let drawn = scalar.visibleForm ?? (isSafe ? String(scalar) : "\u{FFFD}")
            text += drawn.padded(toColumns: width)
            used += width
            cell = (width, isSafe ? 0 : Self.maximumMarks)
        }
    }

    private mutating func appendMark(_ mark: Unicode.Scalar, platformWidth: Int) {
        guard cell.width > 0, cell.marks < Self.maximumMarks, platformWidth == 0, !mark.isSequenceControl
        else { return }
        // Some terminals narrow a wide emoji for U+FE0E.
        if mark == .textPresentation, cell.width > 1 { return }
        text.unicodeScalars.append(mark)
        cell.marks += 1
    }
}

extension Unicode.Scalar {
    /// The replacement for a character that is visible only in some terminals, or never.
    fileprivate var visibleForm: String? {
        switch value {
        case 0xAD: "-"
        case 0x3164, 0xFFA0: ""
        default: nil
        }
    }

    /// Whether terminals differ in whether it joins its neighbours or widens them.
    fileprivate var isSequenceControl: Bool {
        self == .zeroWidthJoiner || self == .emojiPresentation || isTag
    }
}

extension String {
    /// The text padded with spaces to a width.
    package func padded(toColumns columns: Int) -> String {
        self + String(repeating: " ", count: Swift.max(0, columns - columnWidth))
    }

    /// The text in exactly so many columns, cut with an ellipsis or padded with spaces.
    package func fitted(toColumns columns: Int) -> String {
        truncated(toColumns: columns).padded(toColumns: columns)
    }
}

extension Character {
    /// The ASCII character that looks most like this one, which takes one column; `nil` if none does.
    fileprivate var asciiLookAlike: String? {
        if let lookAlike = asciiLookAlikes[self] { return String(lookAlike) }
        guard let scalar = unicodeScalars.first, unicodeScalars.count == 1 else { return nil }
        return switch scalar.value {
        case 0x2500...0x257F: "+"
        case 0x2580...0x259F: "#"
        case 0x2801...0x28FF: "*"
        default: nil
        }
    }

    /// The letters of a flag of regional indicators, or of a single one; `nil` for anything else.
    fileprivate var flagLetters: String? {
        let indicators = unicodeScalars.prefix { $0.isRegionalIndicator }
        let letters = indicators.compactMap { Unicode.Scalar($0.value - 0x1F1E6 + 0x41) }
        return letters.isEmpty ? nil : String(String.UnicodeScalarView(letters))
    }
}

/// Corners, junctions and other blocks are not listed: they are handled as a range.
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
        ("*", "●•◉◆★∗✱✎"),
        ("+", "±"),
        ("x", "×"),
        ("d", "Δ"),
        ("S", "§"),
        ("o", "○◦◯◇☆"),
        ("#", "■▪◼"),
        ("v", "✓✔↓▼▾⌄"),
        ("^", "↑▲▴⌃"),
        ("<", "←◀◂‹«↵"),
        (">", "→▶▸›»❯"),
        ("'", "‘’‚′"),
        ("\"", "“”„″"),
        ("~", "≈∼"),
    ]
    let pairs = groups.flatMap { lookAlike, characters in characters.map { ($0, lookAlike) } }
    return Dictionary(pairs) { first, _ in first }
}()
