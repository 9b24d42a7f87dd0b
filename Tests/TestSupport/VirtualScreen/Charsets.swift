// SPDX-License-Identifier: Apache-2.0

/// The character sets of ISO 2022 that a program has designated, and the one in use.
struct Charsets: Equatable, Sendable {
    enum Charset: Equatable, Sendable {
        case ascii
        case british
        /// DEC Special Graphics: line drawing in place of the lower-case letters.
        case lineDrawing

        init?(designator: UInt8) {
            switch designator {
            case UInt8(ascii: "B"), UInt8(ascii: "1"): self = .ascii
            case UInt8(ascii: "A"): self = .british
            case UInt8(ascii: "0"), UInt8(ascii: "2"): self = .lineDrawing
            default: return nil
            }
        }
    }

    /// G0 to G3.
    private var designated: [Charset] = [.ascii, .ascii, .ascii, .ascii]
    /// The set in use: SI selects G0, SO selects G1.
    var selected = 0

    mutating func designate(_ index: Int, as charset: Charset) {
        designated[index] = charset
    }

    /// The displayed character.
    func shown(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch designated[selected] {
        case .ascii: scalar
        case .british: scalar == "#" ? "£" : scalar
        case .lineDrawing: Self.lineDrawing[scalar] ?? scalar
        }
    }

    /// DEC Special Graphics from 0x5F to 0x7E, and the arrows and the block that terminfo's `acsc` adds to it.
    private static let lineDrawing: [Unicode.Scalar: Unicode.Scalar] = [
        "_": "\u{A0}", "`": "◆", "a": "▒", "b": "␉", "c": "␌", "d": "␍", "e": "␊", "f": "°", "g": "±", "h": "␤",
        "i": "␋", "j": "┘", "k": "┐", "l": "┌", "m": "└", "n": "┼", "o": "⎺", "p": "⎻", "q": "─", "r": "⎼", "s": "⎽",
        "t": "├", "u": "┤", "v": "┴", "w": "┬", "x": "│", "y": "≤", "z": "≥", "{": "π", "|": "≠", "}": "£", "~": "·",
        "+": "→", ",": "←", "-": "↑", ".": "↓", "0": "█",
    ]
}
