// SPDX-License-Identifier: Apache-2.0

import Basics

// Width is a matter of convention between a program and a terminal; these are this project's conventions, with
// the data of the Unicode version named in `WidthTable`:
//
// - A cluster that its scalars make one emoji takes two columns: U+FE0F after a narrow base and keycaps, skin
//   tones, U+200D sequences, flags of two regional indicators, and flags of tags.
// - U+FE0E changes no width: the base keeps the columns it has without it, as in tmux and most terminals.
// - A syllable of conjoining Hangul takes two columns however many leading consonants it begins with.
// - The width of any other cluster is the sum of its scalars' widths, so a Devanagari conjunct of two consonants has two
//   columns. wcwidth(3), ncurses and tmux compute the same.

extension StringProtocol {
    /// The columns of terminal cells that the text takes on one line, cluster by cluster.
    package var columnWidth: Int {
        // Without segmentation.
        if isPrintableASCII { return utf8.count }
        return reduce(0) { $0 + $1.columnWidth }
    }

    /// Whether every byte is one printable character of one column.
    var isPrintableASCII: Bool {
        let isPrintable = { (byte: UInt8) in byte >= 0x20 && byte < 0x7F }
        return utf8.withContiguousStorageIfAvailable { $0.allSatisfy(isPrintable) } ?? utf8.allSatisfy(isPrintable)
    }
}

extension String {
    /// The cluster at a place of a sanitized text, the columns that it takes, and where the next one begins.
    func cluster(at place: Index) -> (cluster: Character, width: Int, next: Index) {
        let (byte, next) = (utf8[place], utf8.index(after: place))
        // Without segmentation: nothing joins two characters of ASCII, but for a line break, which is sanitized away.
        if byte < 0x80, next == endIndex || utf8[next] < 0x80 { return (Character(Unicode.Scalar(byte)), 1, next) }
        let cluster = self[place]
        return (cluster, cluster.columnWidth, index(after: place))
    }
}

extension Character {
    /// The columns of terminal cells that the cluster takes; 0 for control characters and lone marks.
    ///
    /// A terminal may draw it differently: see ``GlyphRepertoire/degraded(_:)``.
    package var columnWidth: Int {
        let scalars = unicodeScalars
        let first = scalars[scalars.startIndex]
        if scalars.index(after: scalars.startIndex) == scalars.endIndex { return first.columnWidth }
        return isEmojiSequence ? 2 : unjoinedScalars.reduce(0) { $0 + $1.columnWidth }
    }

    /// Whether the scalars of the cluster together form one emoji of two columns.
    var isEmojiSequence: Bool {
        let scalars = unicodeScalars
        let first = scalars[scalars.startIndex]
        let rest = scalars.dropFirst()
        guard let second = rest.first else { return false }
        if first.isRegionalIndicator { return second.isRegionalIndicator }
        if second == .emojiPresentation, first.has(.emojiVariation) { return true }
        // Within one cluster only a joiner can separate two pictographs.
        return first.isPictographic && rest.contains { $0.isSkinTone || $0.isPictographic }
    }

    /// The scalars without the Hangul consonants and syllables that a leading consonant before them takes in.
    var unjoinedScalars: [Unicode.Scalar] {
        var isAfterLeadingJamo = false
        return unicodeScalars.filter { scalar in
            defer { isAfterLeadingJamo = scalar.isLeadingJamo }
            return !(isAfterLeadingJamo && (scalar.isLeadingJamo || scalar.isHangulSyllable))
        }
    }
}

extension Unicode.Scalar {
    /// The columns the scalar takes when nothing joins it: 0, 1 or 2; 0 for control characters.
    ///
    /// East Asian Ambiguous characters take one column. A regional indicator takes two, as Unicode 16 has it.
    package var columnWidth: Int {
        switch value {
        case 0x20..<0x7F, 0xA0..<0x300: return 1
        case 0..<0xA0: return 0
        default:
            let properties = WidthTable.unicode[self]
            return properties.contains(.zeroWidth) ? 0 : properties.contains(.wide) ? 2 : 1
        }
    }
}

// The roles a scalar can play in a sequence.
extension Unicode.Scalar {
    static let zeroWidthJoiner: Unicode.Scalar = "\u{200D}"
    static let textPresentation: Unicode.Scalar = "\u{FE0E}"
    static let emojiPresentation: Unicode.Scalar = "\u{FE0F}"
    static let replacement: Unicode.Scalar = "\u{FFFD}"
    static let blackFlag: Unicode.Scalar = "\u{1F3F4}"
    static let cancelTag: Unicode.Scalar = "\u{E007F}"

    var isPictographic: Bool { value >= 0xA9 && has(.pictographic) }
    var isSkinTone: Bool { (0x1F3FB...0x1F3FF).contains(value) }
    var isRegionalIndicator: Bool { (0x1F1E6...0x1F1FF).contains(value) }
    /// A leading consonant of conjoining Hangul.
    var isLeadingJamo: Bool { (0x1100...0x115F).contains(value) || (0xA960...0xA97C).contains(value) }
    var isHangulSyllable: Bool { (0xAC00...0xD7A3).contains(value) }
    /// An invisible tag, which means something only after a black flag.
    var isTag: Bool { (0xE0000...0xE007F).contains(value) }
    /// A tag of a letter `a`–`z` or a digit, such as spell the name of a subdivision.
    var isSubdivisionTag: Bool { (0xE0030...0xE0039).contains(value) || (0xE0061...0xE007A).contains(value) }

    fileprivate func has(_ properties: WidthTable.Properties) -> Bool {
        WidthTable.unicode[self].contains(properties)
    }
}

/// The properties that determine the width of each scalar.
struct WidthTable: Sendable {
    struct Properties: OptionSet {
        let rawValue: UInt32

        /// Marks, joiners, selectors and conjoining jamo, which have no width.
        static let zeroWidth = Properties(rawValue: 1)
        /// East Asian Wide and Fullwidth: two columns.
        static let wide = Properties(rawValue: 2)
        /// One column alone, two with U+FE0F for emoji presentation.
        static let emojiVariation = Properties(rawValue: 4)
        /// Extended_Pictographic: what U+200D and skin tones join.
        static let pictographic = Properties(rawValue: 8)
    }

    /// Runs of scalars with the same properties, in ascending order: the first value of each, times 16, and the
    /// properties in the lowest four bits.
    let runs: [UInt32]

    /// The properties of a scalar, by binary search for the last run that does not begin after it.
    subscript(scalar: Unicode.Scalar) -> Properties {
        let end = scalar.value << 4 | 0xF
        let next = runs.lowerBound { $0 <= end }
        return next == 0 ? [] : Properties(rawValue: runs[next - 1] & 0xF)
    }
}
