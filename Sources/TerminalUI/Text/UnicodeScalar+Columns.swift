extension Unicode.Scalar {
    /// The columns the scalar takes when nothing joins it: 0, 1 or 2; 0 for control characters.
    ///
    /// East Asian Ambiguous characters take one column. A regional indicator takes two, as Unicode 16 has it.
    package var columnWidth: Int {
        switch value {
        case 0x20..<0x7F, 0xA0..<0x300: 1
        case 0..<0xA0: 0
        default: WidthTable.zeroWidth.contains(self) ? 0 : WidthTable.wide.contains(self) ? 2 : 1
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

    /// Whether a joiner or a skin tone can make an emoji sequence of it (`Extended_Pictographic`).
    var isPictographic: Bool {
        value >= 0xA9 && WidthTable.pictographic.contains(self)
    }

    /// Whether U+FE0F makes it two columns wide.
    var widensAsEmoji: Bool {
        WidthTable.emojiVariation.contains(self)
    }

    var isSkinTone: Bool {
        (0x1F3FB...0x1F3FF).contains(value)
    }

    var isRegionalIndicator: Bool {
        (0x1F1E6...0x1F1FF).contains(value)
    }

    /// Whether it is an invisible tag, which means something only after a black flag.
    var isTag: Bool {
        (0xE0000...0xE007F).contains(value)
    }

    /// Whether it is a tag of a letter `a`–`z` or a digit, such as spell the name of a subdivision.
    var isSubdivisionTag: Bool {
        (0xE0030...0xE0039).contains(value) || (0xE0061...0xE007A).contains(value)
    }

    /// Whether it is a leading consonant of conjoining Hangul.
    var isLeadingJamo: Bool {
        (0x1100...0x115F).contains(value) || (0xA960...0xA97C).contains(value)
    }

    /// Whether it is a precomposed Hangul syllable.
    var isHangulSyllable: Bool {
        (0xAC00...0xD7A3).contains(value)
    }
}

/// A set of Unicode scalars, kept as the values at which membership changes.
struct ScalarSet: Sendable {
    /// Each run's first value, then the value after its last, in ascending order.
    let boundaries: [UInt32]

    /// Whether the scalar is a member; a binary search.
    func contains(_ scalar: Unicode.Scalar) -> Bool {
        var low = 0
        var high = boundaries.count
        while low < high {
            let middle = (low + high) / 2
            if boundaries[middle] <= scalar.value { low = middle + 1 } else { high = middle }
        }
        // An odd number of boundaries at or below the value: a run has begun that has not ended.
        return !low.isMultiple(of: 2)
    }
}
