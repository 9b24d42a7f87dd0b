// SPDX-License-Identifier: Apache-2.0

internal import CLibrary

/// A screen and its keyboard: the real one, or one in memory for tests.
@MainActor
public protocol TerminalDriver: AnyObject {
    /// The screen's extent now.
    var size: Size { get }
    /// The number of colours of the screen.
    var depth: ColorDepth { get }
    /// The glyphs that the screen can show.
    var repertoire: GlyphRepertoire { get }

    /// Takes control of the terminal and starts to report events, on the main actor, one at a time.
    func start(onEvent: @escaping @MainActor (TerminalEvent) -> Void) throws

    /// Shows a frame. While the terminal accepts no more, the newest frame waits.
    func present(_ frame: Grid)

    /// Whether the terminal has not accepted the last frame yet.
    var isBehind: Bool { get }

    /// Draws the next frame whole, independent of the terminal's contents.
    func redraw()

    /// Names the terminal's window, where it has one.
    func setTitle(_ title: String)

    /// Puts a text on the clipboard of the machine that the terminal's window is on.
    ///
    /// - Returns: the outcome. Terminals may also ignore the text without an answer.
    func copy(_ text: String) -> CopyOutcome

    /// Lets another program use the terminal, and takes it back afterwards. No frame is drawn until then. By
    /// default, for a screen without a terminal, only runs the body.
    ///
    /// - Parameter body: runs the other program, and returns when it has ended.
    func withTerminalReleased<Result: Sendable>(_ body: @escaping @Sendable () async -> Result) async -> Result

    /// Restores the terminal.
    func stop()
}

extension TerminalDriver {
    /// Runs the body.
    public func withTerminalReleased<Result: Sendable>(_ body: @escaping @Sendable () async -> Result) async -> Result {
        await body()
    }
}

/// An event of a terminal.
public enum TerminalEvent: Hashable, Sendable {
    /// A key, the mouse, a pasted text, ….
    case input(InputEvent)
    /// The screen has this size now, or must be redrawn.
    case resized(Size)
    /// The terminal has reported its real palette, for closer matches.
    case palette(Palette)
    /// A signal that requests the end of the program: SIGINT, SIGTERM or SIGHUP.
    case signal(Int32)
    /// The terminal has disconnected.
    case hangUp

    /// Whether it is the signal of Ctrl-C.
    package var isInterrupt: Bool { if case .signal(SIGINT) = self { true } else { false } }
}

/// The reason why a terminal cannot be used for a full-screen program.
public struct TerminalError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The cause and the next step.
    public let message: String

    init(_ message: String) { self.message = message }

    /// The message.
    public var description: String { message }
}

/// A terminal in memory: keeps all frames, and sends the events of a test.
@MainActor
public final class MemoryDriver: TerminalDriver {
    /// The screen's extent.
    public private(set) var size: Size
    /// The number of colours of the screen.
    public let depth: ColorDepth
    /// The glyphs that the screen can show.
    public let repertoire: GlyphRepertoire
    /// The frames that were shown, oldest first.
    public private(set) var frames: [Grid] = []
    /// Whether the program has control of the terminal.
    public private(set) var isStarted = false

    /// The window's title.
    public private(set) var title = ""
    /// The last copied text.
    public private(set) var clipboard = ""

    private var onEvent: (@MainActor (TerminalEvent) -> Void)?

    /// Creates a terminal.
    public init(size: Size, depth: ColorDepth = .indexed256, repertoire: GlyphRepertoire = .unicode) {
        self.size = size
        self.depth = depth
        self.repertoire = repertoire
    }

    /// Starts to report the events of ``send(_:)``.
    public func start(onEvent: @escaping @MainActor (TerminalEvent) -> Void) {
        self.onEvent = onEvent
        isStarted = true
    }

    /// Whether the terminal is to seem slow.
    public var isBehind = false

    /// Keeps the frame.
    public func present(_ frame: Grid) {
        frames.append(frame)
    }

    /// The number of requested redraws.
    public private(set) var redrawCount = 0

    /// Counts.
    public func redraw() { redrawCount += 1 }

    /// Keeps the title.
    public func setTitle(_ title: String) { self.title = title }

    /// Keeps the text.
    public func copy(_ text: String) -> CopyOutcome {
        guard text.utf8.count <= Clipboard.maximumBytes else { return .tooLong(maximumBytes: Clipboard.maximumBytes) }
        clipboard = text
        return .sent
    }

    /// Ends the reporting of events.
    public func stop() {
        onEvent = nil
        isStarted = false
    }

    /// Sends an event as a person or the terminal would.
    public func send(_ event: TerminalEvent) {
        if case .resized(let size) = event { self.size = size }
        onEvent?(event)
    }
}
