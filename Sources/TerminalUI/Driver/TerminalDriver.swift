/// A screen and its keyboard: the real one, or one in memory for tests.
@MainActor
public protocol TerminalDriver: AnyObject {
    /// The screen's extent now.
    var size: Size { get }
    /// How many colours the screen has.
    var depth: ColorDepth { get }
    /// Which glyphs the screen can show.
    var repertoire: GlyphRepertoire { get }

    /// Takes the terminal over and begins to report events, on the main actor, one at a time.
    func start(onEvent: @escaping @MainActor (TerminalEvent) -> Void) throws

    /// Shows a frame. What the terminal cannot take yet is kept, and the newest frame follows when it can.
    func present(_ frame: Grid)

    /// Names the terminal's window, where it has one.
    func setTitle(_ title: String)

    /// Puts a text on the clipboard of the machine that the terminal's window is on.
    ///
    /// - Returns: false if this terminal has no way to do it. Terminals may also refuse in silence.
    func copy(_ text: String) -> Bool

    /// Gives the terminal back as it was found.
    func stop()
}

/// What a terminal tells a program.
public enum TerminalEvent: Hashable, Sendable {
    /// A key, the mouse, a pasted text, ….
    case input(InputEvent)
    /// The screen has this size now, or has to be drawn anew.
    case resized(Size)
    /// The terminal has told its real palette, in which colours can be found more closely.
    case palette(Palette)
    /// The program is asked to end, by SIGINT, SIGTERM or SIGHUP.
    case signal(Int32)
    /// The terminal is gone.
    case hangUp
}

/// Why a terminal cannot be used for a full-screen program.
public struct TerminalError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong and what to do.
    public let message: String

    init(_ message: String) { self.message = message }

    /// The message.
    public var description: String { message }
}
