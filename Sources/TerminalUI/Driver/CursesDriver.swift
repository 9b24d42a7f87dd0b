internal import CNCurses
internal import Dispatch

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The terminal that the program was started on, drawn on through curses.
@MainActor
public final class CursesDriver: TerminalDriver {
    /// How many colours the terminal has.
    public let depth: ColorDepth
    /// Which glyphs the terminal can show, by the locale.
    public let repertoire: GlyphRepertoire

    private let device: TerminalDevice
    private let screen: CursesScreen
    private let modes: TerminalModes
    private let signals: TerminalSignals

    private var onEvent: (@MainActor (TerminalEvent) -> Void)?
    private var decoder = InputDecoder()
    private var output = FrameOutput()
    private var inputSource: (any DispatchSourceRead)?
    private var outputSource: (any DispatchSourceWrite)?
    private var isFullScreen = false
    /// Goes out with the next frame, so that it is one write.
    private var modesToEnter: [UInt8] = []

    /// How long an ESC waits for the rest of a sequence before it counts as the key.
    private static let escapeTime = DispatchTimeInterval.milliseconds(25)

    /// Opens the terminal and looks up what it can do; nothing is drawn or changed yet.
    ///
    /// - Parameter profile: what is known of the terminal.
    /// - Throws: ``TerminalError`` if standard output is no terminal that can show a full-screen program.
    public init(profile: TerminalProfile) throws {
        repertoire = Self.localeRepertoire()
        device = try TerminalDevice()
        signals = try TerminalSignals()
        guard let input = fdopen(device.descriptor, "r") else { throw TerminalError("The terminal cannot be read") }
        screen = try CursesScreen(profile: profile, input: input, size: device.size, repertoire: repertoire)
        depth = screen.depth
        modes = TerminalModes(isXtermLike: profile.isXtermLike)
    }

    /// The screen's extent now.
    public var size: Size { device.size }

    /// Where nothing at all is said of the locale, characters are UTF-8, as in PEP 538; `LC_ALL=C` means ASCII.
    private static func localeRepertoire() -> GlyphRepertoire {
        let isUnset = ["LC_ALL", "LC_CTYPE", "LANG"].allSatisfy { (name: String) in
            getenv(name).map { $0.pointee == 0 } ?? true
        }
        setlocale(LC_CTYPE, isUnset ? "C.UTF-8" : "")
        return GlyphRepertoire(isUTF8: lvy_locale_is_utf8() != 0)
    }
}

extension CursesDriver {
    /// Takes the terminal over. Events follow on the main actor.
    public func start(onEvent: @escaping @MainActor (TerminalEvent) -> Void) throws {
        self.onEvent = onEvent
        signals.start { [weak self] signal in self?.handle(signal) }
        let source = DispatchSource.makeReadSource(fileDescriptor: device.descriptor, queue: .main)
        source.setEventHandler { [weak self] in
            MainActor.assumeIsolated { self?.readInput() }
        }
        source.activate()
        inputSource = source
        enterFullScreen()
    }

    /// Shows a frame, or keeps it until the terminal has taken the one before.
    public func present(_ frame: Grid) {
        guard isFullScreen, output.isIdle else { return output.hold(frame) }
        output.begin(screen.encode(frame) + modesToEnter)
        modesToEnter = []
        flush()
    }

    /// Gives the terminal back. A terminal that is stopped, by Ctrl-S say, is not waited for.
    public func stop() {
        leaveFullScreen()
        inputSource?.cancel()
        outputSource?.cancel()
        onEvent = nil
    }

    private func enterFullScreen() {
        guard !isFullScreen else { return }
        isFullScreen = true
        device.enterRawMode()
        modesToEnter = modes.enter
        var attributes = device.originalAttributes
        let leave = (modes.leave + screen.leaveSequence).map(CChar.init(bitPattern:))
        lvy_guard_arm(device.descriptor, &attributes, leave, leave.count, -1, STDERR_FILENO)
    }

    private func leaveFullScreen() {
        guard isFullScreen else { return }
        isFullScreen = false
        lvy_guard_disarm()
        output.begin(modes.leave + screen.leave())
        flush()
        device.leaveRawMode()
    }
}

extension CursesDriver {
    private func readInput() {
        while true {
            switch device.read() {
            case .nothingYet: return awaitRestOfSequence()
            case .gone:
                inputSource?.cancel()
                onEvent?(.hangUp)
                return
            case .bytes(let bytes): report(decoder.feed(bytes))
            }
        }
    }

    private func report(_ events: [InputEvent]) {
        for event in events { onEvent?(.input(event)) }
    }

    private func awaitRestOfSequence() {
        guard decoder.isUndecided else { return }
        DispatchQueue.main.asyncAfter(deadline: .now() + Self.escapeTime) { [weak self] in
            MainActor.assumeIsolated {
                guard let self else { return }
                self.report(self.decoder.flush())
            }
        }
    }

    private func flush() {
        while !output.isIdle {
            guard let count = device.write(output.next) else {
                onEvent?(.hangUp)
                return
            }
            if count == 0 { return awaitRoom() }
            output.wrote(count)
        }
        outputSource.take()?.cancel()
        if isFullScreen, let frame = output.takeWaiting() { present(frame) }
    }

    /// The terminal takes nothing now; the rest follows when it does.
    private func awaitRoom() {
        guard outputSource == nil else { return }
        let source = DispatchSource.makeWriteSource(fileDescriptor: device.descriptor, queue: .main)
        source.setEventHandler { [weak self] in
            MainActor.assumeIsolated { self?.flush() }
        }
        source.activate()
        outputSource = source
    }

    private func handle(_ signal: Int32) {
        switch signal {
        case SIGWINCH: onEvent?(.resized(size))
        case SIGTSTP:
            leaveFullScreen()
            lvy_guard_reraise(SIGTSTP)
            comeBack()
        case SIGCONT: comeBack()
        default: onEvent?(.signal(signal))
        }
    }

    /// After a stop the shell has drawn on the screen, and its size may be another.
    private func comeBack() {
        isFullScreen = false
        enterFullScreen()
        screen.redrawWhole()
        onEvent?(.resized(size))
    }
}
