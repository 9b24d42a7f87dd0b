/// What a person, or the terminal itself, sent to the program.
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

    /// What was done.
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
    /// A device control string, without introducer and terminator.
    case deviceControl(String)
}
