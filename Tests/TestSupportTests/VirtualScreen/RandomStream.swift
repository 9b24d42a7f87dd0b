// SPDX-License-Identifier: Apache-2.0

import TestSupport

/// A stream of sequences such as a full-screen program sends, drawn at random, on which xterm and tmux agree.
///
/// Each piece leaves out the known differences of the two. ``VirtualScreen`` follows xterm there.
struct RandomStream {
    private(set) var pieces: [String] = []
    private var bytes = ""
    private let columns: Int
    private let rows: Int
    private var random: SeededGenerator
    /// Whether there are wide characters, or else edits within a row: tmux shows a wide character whose second half
    /// was erased or pushed away as if nothing had happened.
    private let isWide: Bool

    init(seed: UInt64, columns: Int, rows: Int, count: Int = 200) {
        (self.columns, self.rows) = (columns, rows)
        random = SeededGenerator(seed: seed)
        isWide = seed.isMultiple(of: 2)
        for _ in 0..<count {
            append()
            pieces.append(bytes)
            bytes = ""
        }
    }

    private mutating func number(_ range: ClosedRange<Int>) -> Int {
        Int.random(in: range, using: &random)
    }

    private mutating func pick(_ choices: String...) -> String {
        choices.randomElement(using: &random) ?? ""
    }

    private mutating func append() {
        switch number(0...17) {
        case 0...4: appendText()
        case 5...7: appendStyle()
        case 8: appendAddress()
        case 9: appendLineFeed()
        case 10...11: appendMotion()
        case 12...13: appendErasure()
        case 14: appendShift()
        case 15: appendMargins()
        case 16: appendExcursion()
        default: bytes += pick("\u{1B}[?25l", "\u{1B}[?25h")
        }
    }

    // MARK: Text and style

    /// Text that may wrap has no background: when that scrolls, tmux gives the new row none.
    private mutating func appendText() {
        var text = pick("a", "Bc", "hello world", "é", "e\u{301}", "─", "a long piece of text that wraps")
        // After one half is overwritten, the other half keeps its own colours in xterm and has none in tmux.
        if isWide, number(0...1) == 0 { text = "\u{1B}[m" + pick("世界", "ほ", "😀") }
        switch number(0...3) {
        case 0:
            bytes += "\u{1B}[\(number(1...rows));\(number(1...columns - 31))H" + text
        case 1:
            // Repeated characters do not wrap in tmux.
            bytes += "\rx\u{1B}[\(number(1...columns - 1))b"
        case 2:
            bytes += "\u{1B}[?7l\u{1B}[\(number(1...rows));\(number(columns - 10...columns))Hto the edge\u{1B}[?7h\r"
        default:
            bytes += "\u{1B}[49m" + text
        }
    }

    private mutating func appendStyle() {
        let style = pick(
            "",
            "0",
            "1",
            "2",
            "3",
            "4",
            "7",
            "22",
            "23",
            "24",
            "27",
            "31",
            "94",
            "39",
            "42",
            "103",
            "49",
            "1;4;33;44",
            "38;5;208",
            "48;5;17",
            "38;2;255;182;193",
            "48;2;1;2;3"
        )
        bytes += "\u{1B}[\(style)m"
    }

    // MARK: Motion

    private mutating func appendAddress() {
        bytes += "\u{1B}[\(number(1...rows));\(number(1...columns))H"
    }

    /// Not while a character waits to wrap, which tmux continues.
    private mutating func appendLineFeed() {
        bytes += "\u{1B}[\(number(1...columns))G" + pick("\n", "\r\n")
    }

    private mutating func appendMotion() {
        let final = pick("A", "B", "C", "D", "G", "d")
        bytes += pick("\u{1B}[\(number(1...8))\(final)", "\r", "\r\t\t\u{8}")
    }

    private mutating func appendMargins() {
        let top = number(1...rows - 1)
        bytes += number(0...1) == 0 ? "\u{1B}[r" : "\u{1B}[\(top);\(number(top + 1...rows))r"
    }

    // MARK: Editing

    private mutating func appendErasure() {
        appendAddress()
        if isWide {
            bytes += pick("\u{1B}[2K", "\u{1B}[2J", "\r\u{1B}[J", "\r\u{1B}[K")
        } else {
            bytes += pick("\u{1B}[\(number(0...2))J", "\u{1B}[\(number(0...2))K", "\u{1B}[\(number(1...6))X")
        }
    }

    private mutating func appendShift() {
        appendAddress()
        if number(0...1) == 0 {
            bytes += "\u{1B}[\(number(1...3))S"
        } else if !isWide {
            // If more is inserted than fits, tmux loses the background.
            bytes += "\u{1B}[\(number(1...columns - 10))G\u{1B}[\(number(1...6))\(pick("@", "P"))"
        }
    }

    /// Elsewhere and back: with a saved cursor, which tmux has one of for both screens and without the wait to wrap,
    /// or on the alternate screen, which it clears without a background.
    private mutating func appendExcursion() {
        let isAlternate = number(0...1) == 0
        bytes += "\u{1B}[\(number(1...columns))G"
        bytes += isAlternate ? "\u{1B}[m\u{1B}[?1049h" : "\u{1B}7"
        appendStyle()
        appendText()
        bytes += isAlternate ? "\u{1B}[?1049l" : "\u{1B}8"
    }
}
