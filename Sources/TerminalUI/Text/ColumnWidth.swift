// Width is a matter of convention between a program and a terminal; these are this project's conventions, with
// the data of the Unicode version named in `WidthTable`:
//
// - A cluster that its scalars make one emoji takes two columns: U+FE0F after a narrow base and keycaps, skin
//   tones, U+200D sequences, flags of two regional indicators, and flags of tags.
// - U+FE0E changes no width: the base keeps the columns it has without it, as in tmux and most terminals.
// - A syllable of conjoining Hangul takes two columns however many leading consonants it begins with.
// - Any other cluster takes the sum of what its scalars take, so a Devanagari conjunct of two consonants takes
//   two columns. That is what wcwidth(3), ncurses and tmux reckon with as well.

extension Character {
    /// The columns of terminal cells that the cluster takes; 0 for control characters and lone marks.
    ///
    /// What a terminal really draws may differ: see ``GlyphRepertoire/degraded(_:)``.
    package var columnWidth: Int {
        let scalars = unicodeScalars
        let first = scalars[scalars.startIndex]
        if scalars.index(after: scalars.startIndex) == scalars.endIndex { return first.columnWidth }
        return isEmojiSequence ? 2 : unjoinedScalars.reduce(0) { $0 + $1.columnWidth }
    }

    /// Whether the scalars of the cluster together, rather than each by itself, make one emoji of two columns.
    var isEmojiSequence: Bool {
        let scalars = unicodeScalars
        let first = scalars[scalars.startIndex]
        let rest = scalars.dropFirst()
        guard let second = rest.first else { return false }
        if first.isRegionalIndicator { return second.isRegionalIndicator }
        if second == .emojiPresentation, first.widensAsEmoji { return true }
        // Within one cluster nothing but a joiner can stand between two pictographs.
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

extension StringProtocol {
    /// The columns of terminal cells that the text takes on one line, cluster by cluster.
    ///
    /// Printable ASCII is counted without segmentation.
    package var columnWidth: Int {
        if isPrintableASCII { return utf8.count }
        return reduce(0) { $0 + $1.columnWidth }
    }

    /// Whether every byte is one printable character of one column.
    var isPrintableASCII: Bool {
        let isPrintable = { (byte: UInt8) in byte >= 0x20 && byte < 0x7F }
        return utf8.withContiguousStorageIfAvailable { $0.allSatisfy(isPrintable) } ?? utf8.allSatisfy(isPrintable)
    }
}
