// SPDX-License-Identifier: Apache-2.0

extension VirtualScreen {
    /// A colour as requested by a program, before it is resolved by a palette.
    package enum Color: Hashable, Sendable {
        /// The terminal's own foreground or background.
        case standard
        /// An entry of the palette, 0–255. The first sixteen are the eight ANSI colours and their bright forms.
        case indexed(Int)
        /// A direct colour, `0xRRGGBB`.
        case rgb(UInt32)
    }

    /// The attributes that SGR sets besides the colours.
    package struct Attributes: OptionSet, Hashable, Sendable {
        package let rawValue: UInt16

        package init(rawValue: UInt16) {
            self.rawValue = rawValue
        }

        package static let bold = Attributes(rawValue: 1 << 0)
        package static let dim = Attributes(rawValue: 1 << 1)
        package static let italic = Attributes(rawValue: 1 << 2)
        package static let underline = Attributes(rawValue: 1 << 3)
        package static let reverse = Attributes(rawValue: 1 << 4)
        package static let hidden = Attributes(rawValue: 1 << 5)
    }

    /// The style of a cell.
    package struct Style: Hashable, Sendable {
        package var foreground = Color.standard
        package var background = Color.standard
        package var attributes: Attributes = []

        /// The terminal's own colours and no attributes, by default.
        package init(foreground: Color = .standard, background: Color = .standard, attributes: Attributes = []) {
            (self.foreground, self.background, self.attributes) = (foreground, background, attributes)
        }
    }

    /// One column of one row.
    package struct Cell: Hashable, Sendable {
        /// The character shown, a space where there is none, and the empty string in the second column of a wide one.
        package var text: String
        /// The columns that the character takes: 1 or 2, and 0 for the second column of a wide one.
        package var width: Int
        /// The style of the cell.
        package var style: Style
        /// The target of the link (OSC 8), or `nil`.
        package var hyperlink: String?

        package init(text: String = " ", width: Int = 1, style: Style = Style(), hyperlink: String? = nil) {
            (self.text, self.width, self.style, self.hyperlink) = (text, width, style, hyperlink)
        }

        /// Whether this is the second column of a wide character.
        package var isContinuation: Bool { width == 0 }

        package var foreground: Color { style.foreground }
        package var background: Color { style.background }
        package var isReversed: Bool { style.attributes.contains(.reverse) }

        /// The background that is seen: the foreground if the cell is reversed.
        package var visibleBackground: Color { isReversed ? style.foreground : style.background }
    }

    /// A cell's place, counted from 0 at the top left.
    package struct Position: Hashable, Sendable {
        package var row: Int
        package var column: Int

        package init(row: Int, column: Int) {
            (self.row, self.column) = (row, column)
        }
    }
}
