// SPDX-License-Identifier: Apache-2.0

internal import CTerminalGuard
internal import Dispatch
internal import Essentials

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The terminal that the program was started on, drawn on through curses.
@MainActor public final class CursesDriver: TerminalDriver {
    /// How many colours the terminal has.
    public let depth: ColorDepth
    /// Which glyphs the terminal can show, by the locale.
    public let repertoire: GlyphRepertoire

    private let device: TerminalDevice
    private let screen: CursesScreen
    private var modes: TerminalModes
    private let signals: TerminalSignals

    private var onEvent: (@MainActor (TerminalEvent) -> Void)?
    private var decoder = InputDecoder()
    private var output = FrameOutput()
    private var inputSource: (any DispatchSourceRead)?
    private var outputSource: (any DispatchSourceWrite)?
    private var isFullScreen = false
    private var heldErrors: HeldErrors?
    /// Counts reads that ended undecided.
    private var reads = 0
    private var title: [UInt8] = []
    private let isXtermLike: Bool
    private let isMultiplexer: Bool
    /// Whether nothing but a measurement can tell which clusters the terminal holds, and none was made.
    private var canMeasureClusters = false
    private var questions: TerminalQuestions
    private var askedAt = ContinuousClock.now
    private var isSynchronized = false
    /// Sent with the next frame, so that it is one write.
    private var modesToEnter: [UInt8] = []

    /// Synchronized output: the terminal shows what lies between at once.
    private static let beginFrame = Array("\u{1B}[?2026h".utf8)
    private static let endFrame = Array("\u{1B}[?2026l".utf8)

    /// How long an ESC waits for the rest of a sequence before it counts as the key.
    private static let escapeTime = DispatchTimeInterval.milliseconds(25)

    /// Opens the terminal and looks up what it can do; nothing is drawn or changed yet.
    ///
    /// - Throws: ``TerminalError`` if standard output is not a terminal that can show a full-screen program.
    public init(profile: TerminalProfile) throws {
        repertoire = .locale()
        device = try TerminalDevice()
        do {
            signals = try TerminalSignals()
            screen = try CursesScreen(
                profile: profile,
                terminal: device.descriptor,
                size: device.size,
                repertoire: repertoire
            )
        } catch {
            device.release()
            throw error
        }
        // Last: a program without a screen still ends by Ctrl-C.
        signals.install()
        depth = screen.depth
        isXtermLike = profile.isXtermLike
        isMultiplexer = profile.isMultiplexer
        modes = TerminalModes(isXtermLike: isXtermLike)
        questions = TerminalQuestions(depth: depth)
    }

    /// The screen's extent now.
    public var size: Size { device.size }
}

extension CursesDriver {
    /// Takes control of the terminal. Events follow on the main actor.
    public func start(onEvent: @escaping @MainActor (TerminalEvent) -> Void) throws {
        self.onEvent = onEvent
        signals.start { [weak self] signal in self?.handle(signal) }
        inputSource = DispatchSource.makeReadSource(fileDescriptor: device.descriptor, queue: .main)
        inputSource?.start { [weak self] in self?.readInput() }
        enterFullScreen()
    }

    /// Draws the next frame whole.
    public func redraw() { screen.redrawWhole() }

    /// Shows a frame, or keeps it until the previous one is written.
    public func present(_ frame: Grid) {
        lvy_guard_protect_stack()
        guard isFullScreen, output.isIdle else { return output.hold(frame) }
        let bytes = screen.encode(frame)
        output.begin(synchronized(bytes + probe()))
        if !modesToEnter.isEmpty {
            output.begin(modesToEnter + title + ask())
            modesToEnter = []
        }
        flush()
    }

    /// Whether bytes of a frame wait for the terminal.
    public var isBehind: Bool { !output.isIdle }

    private func synchronized(_ bytes: [UInt8]) -> [UInt8] {
        isSynchronized && !bytes.isEmpty ? Self.beginFrame + bytes + Self.endFrame : bytes
    }

    /// Names the terminal's window, where it has one.
    public func setTitle(_ title: String) {
        guard isXtermLike else { return }
        self.title = Array("\u{1B}]2;\(title.sanitized())\u{1B}\\".utf8)
        // Before the first frame, the present title is not saved yet.
        guard modesToEnter.isEmpty else { return }
        output.begin(self.title)
        flush()
    }

    /// Puts a text on the clipboard by the terminal (OSC 52), which also works over SSH.
    public func copy(_ text: String) -> Bool {
        guard isXtermLike else { return false }
        output.begin(Array("\u{1B}]52;c;\(Data(text.utf8).base64EncodedString())\u{7}".utf8))
        flush()
        return true
    }

    /// Restores the terminal, without waiting for one that is stopped, by Ctrl-S for example.
    public func stop() {
        leaveFullScreen()
        inputSource?.cancel()
        outputSource?.cancel()
        onEvent = nil
    }
}

extension CursesDriver {
    private func readInput() {
        lvy_guard_protect_stack()
        while true {
            switch device.receive() {
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
        for event in events {
            if case .reply(let reply) = event {
                receive(reply)
            } else {
                onEvent?(.input(event))
            }
        }
    }

    private func ask() -> [UInt8] {
        guard isXtermLike else { return [] }
        askedAt = .now
        return questions.ask()
    }

    private func receive(_ reply: TerminalReply) {
        if let kinds = questions.receiveWidth(reply) { return drawAnew(screen.adapt(toClusters: kinds)) }
        guard let answers = questions.receive(reply) else { return }
        isSynchronized = answers.hasSynchronizedOutput
        // A newer frame that waits is drawn whole as well.
        if let isLight = answers.hasLightGround { drawAnew(screen.adapt(toLightGround: isLight)) }
        adapt(to: answers.clusterMode)
        if let palette = answers.palette { onEvent?(.palette(palette)) }
    }

    /// Draws the frame that is on the screen once more; a newer one that waits is drawn whole as well.
    private func drawAnew(_ frame: Grid?) {
        if let frame, output.waiting == nil { present(frame) }
    }

    private func adapt(to mode: TerminalQuestions.ClusterMode) {
        // A late answer must not change a terminal that is restored already.
        guard isFullScreen else { return }
        switch mode {
        case .alwaysOff: break
        case .on, .alwaysOn: drawAnew(screen.adapt(toClusters: .all))
        case .off:
            output.begin(modes.add(2027))
            armGuard()
            flush()
            drawAnew(screen.adapt(toClusters: .all))
        case .unknown:
            canMeasureClusters = !isMultiplexer
            output.begin(synchronized(probe()))
            flush()
        }
    }

    /// What measures clusters, once, as soon as a frame has some and room for it.
    private func probe() -> [UInt8] {
        guard canMeasureClusters else { return [] }
        let bytes = screen.clusterProbe()
        if bytes.isEmpty { return [] }
        canMeasureClusters = false
        questions.measureClusters()
        askedAt = .now
        return bytes
    }

    private func awaitRestOfSequence() {
        guard decoder.isUndecided else { return }
        reads += 1
        let read = reads
        DispatchQueue.main.asyncAfter(deadline: .now() + Self.escapeTime) { [weak self] in
            MainActor.assumeIsolated {
                // Bytes that came since have a wait of their own.
                guard let self, self.reads == read else { return }
                self.report(self.decoder.flush())
            }
        }
    }

    private func flush() {
        while !output.isIdle {
            guard let count = device.send(output.next) else {
                onEvent?(.hangUp)
                return
            }
            if count == 0 { return awaitRoom() }
            output.wrote(count)
        }
        outputSource.take()?.cancel()
        if isFullScreen, let frame = output.dequeue() { present(frame) }
    }

    /// The terminal accepts no bytes now; the rest follows when it does.
    private func awaitRoom() {
        guard outputSource == nil else { return }
        outputSource = DispatchSource.makeWriteSource(fileDescriptor: device.descriptor, queue: .main)
        outputSource?.start { [weak self] in self?.flush() }
    }
}

extension CursesDriver {
    private func enterFullScreen() {
        guard !isFullScreen else { return }
        isFullScreen = true
        device.enterRawMode()
        modesToEnter = modes.enter
        heldErrors = HeldErrors()
        armGuard()
    }

    /// What restores the terminal after a fault.
    private func armGuard() {
        var attributes = device.originalAttributes
        let leave = (modes.leave + screen.leaveSequence).map(CChar.init(bitPattern:))
        lvy_guard_arm(
            device.descriptor,
            &attributes,
            leave,
            leave.count,
            heldErrors?.descriptor ?? -1,
            heldErrors?.original ?? STDERR_FILENO
        )
    }

    private func leaveFullScreen() {
        guard isFullScreen else { return }
        isFullScreen = false
        output.begin(modes.leave + screen.leave())
        device.finish(sending: output.drain())
        readLateAnswers()
        device.leaveRawMode()
        lvy_guard_disarm()
        heldErrors.take()?.release()
    }

    /// Answers that arrive after the program has ended would be typed into the shell.
    private func readLateAnswers() {
        let limit = askedAt + TerminalQuestions.patience
        while questions.isOutstanding, case .bytes(let bytes) = device.receive(until: limit) {
            report(decoder.feed(bytes))
        }
    }

    private func handle(_ signal: Int32) {
        switch signal {
        // The terminal belongs to the shell again, even if the program still has work to do.
        case SIGWINCH where onEvent == nil, SIGCONT where onEvent == nil: break
        case _ where onEvent == nil: lvy_guard_reraise(signal)
        case SIGWINCH: onEvent?(.resized(size))
        case SIGTSTP:
            leaveFullScreen()
            lvy_guard_reraise(SIGTSTP)
            comeBack()
        case SIGCONT: comeBack()
        default: onEvent?(.signal(signal))
        }
    }

    /// After a stop, the shell has drawn on the screen and set its modes, and the size may have changed.
    private func comeBack() {
        if isFullScreen {
            device.enterRawMode()
            modesToEnter = modes.enter
        } else {
            enterFullScreen()
        }
        screen.redrawWhole()
        onEvent?(.resized(size))
    }
}
