/// A `cchar_t` of ncurses 6 holds one spacing character and CCHARW_MAX - 1 = 4 more code points.
private let maximumMarks = 4

extension GlyphRepertoire {
    /// The cluster as cells of ncurses, each of which every terminal moves by the same columns.
    func cellText(of cluster: Character, columns: Int, scalarWidth: (Unicode.Scalar) -> Int) -> String {
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
    private var text = ""
    private var used = 0
    /// The width of the last cell, and how many marks it has.
    private var cell = (width: 0, marks: 0)

    init(columns: Int) {
        self.columns = columns
    }

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
            cell = (width, isSafe ? 0 : maximumMarks)
        }
    }

    private mutating func appendMark(_ mark: Unicode.Scalar, platformWidth: Int) {
        guard cell.width > 0, cell.marks < maximumMarks, platformWidth == 0, !mark.isSequenceControl else { return }
        // Some terminals narrow a wide emoji for U+FE0E.
        if mark == .textPresentation, cell.width > 1 { return }
        text.unicodeScalars.append(mark)
        cell.marks += 1
    }
}

extension Unicode.Scalar {
    /// What a character that is seen only in some terminals, or never, is drawn as.
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
    /// The text with spaces after it, as wide as asked.
    func padded(toColumns columns: Int) -> String {
        self + String(repeating: " ", count: Swift.max(0, columns - columnWidth))
    }
}
