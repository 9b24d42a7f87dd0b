/// A terminal in memory: keeps all frames, and sends the events of a test.
@MainActor
public final class MemoryDriver: TerminalDriver {
    /// The screen's extent.
    public private(set) var size: Size
    /// How many colours the screen has.
    public let depth: ColorDepth
    /// Which glyphs the screen can show.
    public let repertoire: GlyphRepertoire
    /// The frames that were shown, oldest first.
    public private(set) var frames: [Grid] = []
    /// Whether the program has control of the terminal.
    public private(set) var isStarted = false

    /// The window's title.
    public private(set) var title = ""
    /// What was copied last.
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

    /// Keeps the frame.
    public func present(_ frame: Grid) {
        frames.append(frame)
    }

    /// Keeps the title.
    public func setTitle(_ title: String) { self.title = title }

    /// Keeps the text.
    public func copy(_ text: String) -> Bool {
        clipboard = text
        return true
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
