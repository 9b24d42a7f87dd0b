internal import CNCurses

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// What the terminal can hold, which decides how a cluster is degraded before it is drawn.
///
/// Degrading never changes the layout: what is drawn takes exactly the columns that the cluster takes by the
/// project's own rules, padded with spaces where its replacement is narrower.
public struct GlyphRepertoire: Hashable, Sendable {
    /// Whether the locale's character set is UTF-8; if not, nothing but ASCII is drawn.
    public var isUTF8: Bool

    /// Creates a repertoire for a locale that is or is not UTF-8.
    public init(isUTF8: Bool) {
        self.isUTF8 = isUTF8
    }

    /// Everything that ncurses and terminals agree on.
    public static let unicode = GlyphRepertoire(isUTF8: true)

    /// Printable ASCII.
    public static let ascii = GlyphRepertoire(isUTF8: false)

    /// The cluster as it can be drawn, for a platform whose width tables are as new as this project's.
    ///
    /// See ``degraded(_:scalarWidth:)``.
    public func degraded(_ cluster: Character) -> String {
        degraded(cluster, scalarWidth: \.columnWidth)
    }

    /// The cluster as it can be drawn.
    ///
    /// In UTF-8 the result is made of cells that ncurses can hold, each one spacing character and at most four
    /// marks, and holds nothing whose width depends on the terminal: sequences become their simplest relative.
    ///
    /// | cluster | drawn as |
    /// |---|---|
    /// | a sequence of U+200D, a skin tone, a subdivision's flag | its first emoji |
    /// | an emoji or keycap by U+FE0F | its base without U+FE0F |
    /// | a flag | the two letters of its region |
    /// | a soft hyphen, a Hangul filler | a hyphen, blanks |
    /// | a skin tone by itself, a character that the platform does not know or measures differently | U+FFFD |
    /// | a fifth mark on a letter, U+200D in Indic text, a mark or control character by itself | nothing |
    ///
    /// In any other locale box drawing, arrows and punctuation become their ASCII look-alikes, flags their letters
    /// and everything else a `?` for each column.
    ///
    /// - Parameters:
    ///   - cluster: What is to be drawn.
    ///   - scalarWidth: The columns that the platform's `wcwidth` gives a scalar, -1 if it is unknown there; it
    ///     is what ncurses assumes.
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
    /// What the locale of the environment can encode; sets the locale of the C library to it.
    ///
    /// If no variable sets the locale, characters are UTF-8, as in PEP 538; `LC_ALL=C` means ASCII.
    public static func locale() -> GlyphRepertoire {
        let isUnset = ["LC_ALL", "LC_CTYPE", "LANG"].allSatisfy { (name: String) in
            getenv(name).map { $0.pointee == 0 } ?? true
        }
        if setlocale(LC_CTYPE, isUnset ? "C.UTF-8" : "") == nil { setlocale(LC_CTYPE, "C.UTF-8") }
        return GlyphRepertoire(isUTF8: lvy_locale_is_utf8() != 0)
    }
}
