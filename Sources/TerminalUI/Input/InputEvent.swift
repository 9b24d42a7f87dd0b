// SPDX-License-Identifier: Apache-2.0

/// An input of the user or of the terminal itself.
public enum InputEvent: Hashable, Sendable {
    /// A key was pressed.
    case key(Key)
    /// The mouse was used.
    case mouse(MouseEvent)
    /// A text was pasted, whole.
    case paste(String)
    /// The terminal's window got or lost the keyboard.
    case focus(Bool)
    /// The terminal answered a question: the bytes between the introducer and the end, with the introducer's letter.
    case reply(TerminalReply)
}

/// A use of the mouse.
public struct MouseEvent: Hashable, Sendable {
    /// A button is 0 for the left one, 1 for the middle, 2 for the right.
    public enum Action: Hashable, Sendable {
        /// A button went down.
        case press(button: Int)
        /// A button came up.
        case release(button: Int)
        /// The wheel was turned; positive is down.
        case scroll(Int)
        /// The mouse was moved with a button held down.
        case drag(button: Int)
    }

    /// The action.
    public var action: Action
    /// On which cell.
    public var point: Point

    /// Creates an event.
    public init(_ action: Action, at point: Point) {
        self.action = action
        self.point = point
    }
}

/// An answer of the terminal to a question of the program.
public enum TerminalReply: Hashable, Sendable {
    /// A control sequence: its parameter and intermediate bytes, and its final byte.
    case controlSequence(parameters: String, final: Character)
    /// An operating system command, such as a colour of the palette, without introducer and terminator.
    case operatingSystemCommand(String)

    /// Reads a number, so bounded that callers can compute with it; `nil` if it is not a row of digits, or too large.
    static func number(_ digits: Substring, upTo largest: Int = 0xFFFF) -> Int? {
        let isNumber = (1...7).contains(digits.utf8.count) && digits.utf8.allSatisfy { 0x30...0x39 ~= $0 }
        guard isNumber, let number = Int(digits) else { return nil }
        return number <= largest ? number : nil
    }
}

/// A key as it was pressed.
public struct Key: Hashable, Sendable {
    /// The code of a key.
    public enum Code: Hashable, Sendable {
        /// A key that types a character; the space bar is one.
        case character(Character)
        /// Keys that type nothing; Enter is Return as well, and Delete the one to the right of the cursor.
        case enter, escape, tab, backspace, delete, insert
        /// Keys that move the cursor.
        case up, down, left, right, home, end, pageUp, pageDown
        /// A function key, from 1.
        case function(Int)
    }

    /// Keys held down along with it.
    public struct Modifiers: OptionSet, Hashable, Sendable {
        /// The bits, as xterm counts them: shift 1, alt 2, control 4.
        public let rawValue: Int

        /// Creates a set from its bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Shift, if the terminal reports it; a capital letter is a separate character.
        public static let shift = Modifiers(rawValue: 1)
        /// Alt, or Meta.
        public static let alt = Modifiers(rawValue: 2)
        /// Control.
        public static let control = Modifiers(rawValue: 4)
    }

    /// The code of the key.
    public var code: Code
    /// Keys held down along with it.
    public var modifiers: Modifiers

    /// Creates a key.
    public init(_ code: Code, _ modifiers: Modifiers = []) {
        self.code = code
        self.modifiers = modifiers
    }

    /// Whether it is a character with Ctrl or Alt, which types nothing: `Ctrl-L` is not `l`.
    public var isChord: Bool {
        if case .character = code { return !modifiers.isSubset(of: .shift) }
        return false
    }

    /// A key that types a character.
    public static func character(_ character: Character) -> Key { Key(.character(character)) }
}

extension Key: LosslessStringConvertible {
    /// Reads a name such as `q`, `Enter`, `Ctrl-C`, `Alt-x`, `Shift-Tab` or `F1`; names of keys in any case.
    public init?(_ description: String) {
        var rest = description[...]
        var modifiers: Modifiers = []
        // By scalars: a combining mark after the dash is the key, and would make another character of the dash.
        while let dash = rest.unicodeScalars.dropFirst().firstIndex(of: "-") {
            let afterDash = rest.unicodeScalars.index(after: dash)
            guard afterDash != rest.endIndex else { break }
            guard let modifier = Self.modifiersByName[rest[..<dash].lowercased()] else { return nil }
            modifiers.insert(modifier)
            rest = rest[afterDash...]
        }
        if rest.count == 1, let character = rest.first {
            let isControl = modifiers.contains(.control)
            self.init(.character(isControl ? Character(character.lowercased()) : character), modifiers)
        } else if let code = Self.codesByName[rest.lowercased()] {
            self.init(code, modifiers)
        } else if let number = (1...24).first(where: { rest.lowercased() == "f\($0)" }) {
            self.init(.function(number), modifiers)
        } else {
            return nil
        }
    }

    /// The name as a user reads it, which reads back as the same key.
    public var description: String {
        let prefix = Self.modifierNames.filter { modifiers.contains($0.0) }.map { $0.1 + "-" }.joined()
        switch code {
        case .character(" "): return prefix + "Space"
        case .character(let character):
            return prefix + (modifiers.contains(.control) ? Self.capital(character) : String(character))
        case .function(let number): return prefix + "F\(number)"
        default: return prefix + (Self.names.first { $0.0 == code }?.1 ?? "")
        }
    }

    /// `C` for `c`, as control keys are written; some scripts have no capital with an inverse.
    private static func capital(_ character: Character) -> String {
        let capital = character.uppercased()
        return capital.count == 1 && capital.lowercased() == String(character) ? capital : String(character)
    }

    private static let modifierNames: [(Modifiers, String)] = [(.control, "Ctrl"), (.alt, "Alt"), (.shift, "Shift")]
    private static let names: [(Code, String)] = [
        (.enter, "Enter"), (.escape, "Esc"), (.tab, "Tab"), (.backspace, "Backspace"), (.delete, "Delete"),
        (.insert, "Insert"), (.up, "Up"), (.down, "Down"), (.left, "Left"), (.right, "Right"), (.home, "Home"),
        (.end, "End"), (.pageUp, "PageUp"), (.pageDown, "PageDown"), (.character(" "), "Space"),
    ]
    private static let modifiersByName = Dictionary(modifierNames.map { ($0.1.lowercased(), $0.0) }) { $1 }
    private static let codesByName = Dictionary(names.map { ($0.1.lowercased(), $0.0) }) { $1 }
}
