// SPDX-License-Identifier: Apache-2.0

internal import CLibrary
internal import CTerminalGuard
internal import Dispatch
internal import Essentials

/// The terminal that the program was started on, drawn on through curses.
@MainActor public final class CursesDriver: TerminalDriver {
    /// The glyphs that the terminal can show, by the locale.
    public let repertoire: GlyphRepertoire

    private var device: TerminalDevice
    private let screen: CursesScreen
    private var modes: TerminalModes
    private let signals: TerminalSignals

    private var onEvent: (@MainActor (TerminalEvent) -> Void)?
    /// The parts that exist while the terminal is the program's; else no byte is read from it or written to it.
    private var fullScreen: FullScreen?
    private var output = FrameOutput()
    private var outputSource: (any DispatchSourceWrite)?
    /// Polls for the foreground while the program is in the background: `fg` sends no signal to a running job.
    private var foregroundTimer: (any DispatchSourceTimer)?
    /// Whether another program has the terminal. No shell would continue it if this one stopped.
    private var isReleased = false
    private let profile: TerminalProfile
    private var questions: TerminalQuestions

    private struct FullScreen {
        let input: InputReader
        let heldErrors: HeldErrors?
    }

    /// Synchronized output: the terminal shows what lies between at once.
    private static let beginFrame = Array("\u{1B}[?2026h".utf8)
    private static let endFrame = Array("\u{1B}[?2026l".utf8)

    /// The maximum time in the foreground before the program takes the terminal again.
    private static let foregroundInterval = DispatchTimeInterval.milliseconds(200)
    /// Maximum length of a title, in bytes: GNU screen prints the part beyond its limit for all strings.
    private static let maximumTitleBytes = 256

    /// Opens the terminal and looks up its capabilities, without drawing or changing anything.
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
        self.profile = profile
        modes = TerminalModes(isXtermLike: profile.isXtermLike)
        questions = TerminalQuestions(depth: screen.depth, canBeAsked: profile.canBeAsked)
    }

    /// The number of colours of the terminal.
    public var depth: ColorDepth { screen.depth }

    /// The screen's extent now.
    public var size: Size { device.size }

    private var isFullScreen: Bool { fullScreen != nil }
}

extension CursesDriver {
    /// Takes control of the terminal, once the program is in the foreground. Events follow on the main actor.
    public func start(onEvent: @escaping @MainActor (TerminalEvent) -> Void) throws {
        self.onEvent = onEvent
        signals.start { [weak self] signal in self?.handle(signal) }
        if device.isForeground { enterFullScreen() } else { awaitForeground() }
    }

    /// Draws the next frame whole.
    public func redraw() { screen.repaintNextFrame() }

    /// Shows a frame, or keeps it until the previous one is written.
    public func present(_ frame: Grid) {
        lvy_guard_protect_stack()
        guard isFullScreen, output.isIdle else { return output.hold(frame) }
        // A frame that was held while the screen was left is older.
        _ = output.dequeue()
        let bytes = screen.encode(frame)
        output.begin(synchronized(bytes + probe()))
        if modes.mustBeEntered { enterModes() }
        flush()
    }

    /// Whether bytes of a frame wait for the terminal.
    public var isBehind: Bool { !output.isIdle }

    private func synchronized(_ bytes: [UInt8]) -> [UInt8] {
        modes.isSynchronized && !bytes.isEmpty ? Self.beginFrame + bytes + Self.endFrame : bytes
    }

    /// Names the terminal's window, where it has one.
    public func setTitle(_ title: String) {
        guard profile.isXtermLike else { return }
        var text = title.sanitized()
        while text.utf8.count > Self.maximumTitleBytes { text.removeLast() }
        modes.title = Array("\u{1B}]2;\(text)\u{1B}\\".utf8)
        // Before the first frame, the present title is not saved yet.
        guard isFullScreen, !modes.mustBeEntered else { return }
        output.begin(modes.title)
        flush()
    }

    /// Puts a text on the clipboard by the terminal (OSC 52), which also works over SSH.
    public func copy(_ text: String) -> CopyOutcome {
        guard profile.hasClipboard, isFullScreen else { return .unsupported }
        guard let sequence = Clipboard.sequence(for: text, in: profile.kind) else {
            return .tooLong(maximumBytes: Clipboard.maximumBytes)
        }
        output.begin(sequence)
        flush()
        return .sent
    }

    /// Lets another program use the terminal, and takes it back afterwards, whatever modes that program has left.
    public func withTerminalReleased<Result: Sendable>(_ body: @escaping @Sendable () async -> Result) async -> Result {
        leaveFullScreen()
        isReleased = true
        let result = await body()
        isReleased = false
        // The program may have ended in the meantime.
        guard onEvent != nil else { return result }
        if device.isForeground { device.leaveRawMode() }
        resume()
        return result
    }

    /// Restores the terminal, without waiting for one that is stopped, by Ctrl-S for example.
    public func stop() {
        lvy_guard_recall()
        leaveFullScreen()
        foregroundTimer.take()?.cancel()
        onEvent = nil
    }
}

extension CursesDriver {
    private func receive(_ report: InputReader.Report) {
        switch report {
        case .lost: loseTerminal()
        case .gone: onEvent?(.hangUp)
        case .hung:
            output.begin(TerminalModes.keyboardProtocolOn)
            flush()
        case .event(.reply(let reply)): if isFullScreen { receive(reply) }
        case .event(.key(let key)):
            if modes.hasKeyboardProtocol, let signal = device.signal(for: key) {
                // The terminal reports Ctrl-C as a key then. To the whole group, as the system would send it.
                kill(0, signal)
            } else {
                onEvent?(.input(.key(key)))
            }
        case .event(let event): onEvent?(.input(event))
        }
    }

    private func receive(_ reply: TerminalReply) {
        switch questions.receive(reply) {
        case nil: break
        case .clusters(let kinds): repaint(screen.adapt(toClusters: kinds))
        case .palette(let palette): onEvent?(.palette(palette))
        case .features(let features):
            modes.isSynchronized = features.hasSynchronizedOutput
            if features.hasKeyboardProtocol, !modes.hasKeyboardProtocol {
                addMode { $0.addKeyboardProtocol() }
                fullScreen?.input.watchForHang()
            }
            // A newer frame that waits is drawn whole as well.
            if let isLight = features.hasLightGround { repaint(screen.adapt(toLightGround: isLight)) }
            adapt(to: features.clusterMode)
        }
        flush()
    }

    /// Enters a mode whose support only a running terminal reports.
    private func addMode(_ add: (inout TerminalModes) -> [UInt8]) {
        output.begin(add(&modes))
        armGuard()
        flush()
    }

    /// Draws the frame that is on the screen once more; a newer one that waits is drawn whole as well.
    private func repaint(_ frame: Grid?) {
        if let frame, output.waiting == nil { present(frame) }
    }

    private func adapt(to mode: TerminalQuestions.ClusterMode) {
        switch mode {
        case .alwaysOff: break
        case .on, .alwaysOn: repaint(screen.adapt(toClusters: .all))
        case .off:
            addMode { $0.add(2027) }
            repaint(screen.adapt(toClusters: .all))
        case .unknown:
            questions.canMeasureClusters = !profile.isMultiplexer
            output.begin(synchronized(probe()))
        }
    }

    /// The sequence that measures clusters, once, as soon as a frame has some and room for it.
    private func probe() -> [UInt8] {
        guard questions.canMeasureClusters else { return [] }
        let bytes = screen.clusterProbe()
        if bytes.isEmpty || lvy_answers_may_be_asked() == 0 { return [] }
        lvy_answers_expect()
        return questions.measureClusters(by: bytes)
    }

    /// Sends the queries that are due. They come last: their answers have to be read before the program ends.
    private func ask() {
        let queries = lvy_answers_may_be_asked() != 0 ? questions.ask() : []
        if queries.isEmpty { return }
        lvy_answers_expect()
        output.begin(queries)
        flush()
    }

    private func flush() {
        guard isFullScreen else { return }
        guard output.isIdle || device.isForeground else { return loseTerminal() }
        while !output.isIdle {
            guard let count = device.send(output.next) else {
                onEvent?(.hangUp)
                return
            }
            if count == 0 { return waitUntilWritable() }
            output.wrote(count)
        }
        lvy_answers_sent()
        outputSource.take()?.cancel()
        if let frame = output.dequeue() { return present(frame) }
        if !modes.mustBeEntered { ask() }
    }

    /// The terminal accepts no bytes now; the rest follows when it does.
    private func waitUntilWritable() {
        guard outputSource == nil else { return }
        outputSource = DispatchSource.makeWriteSource(fileDescriptor: device.descriptor, queue: .main)
        outputSource?.start { [weak self] in self?.flush() }
    }
}

extension CursesDriver {
    private func enterFullScreen() {
        // A terminal that was lost still has the program's modes.
        if !modes.areEntered { device.saveAttributes() }
        modes.mustBeEntered = true
        armGuard()
        device.enterRawMode()
        let input = InputReader(device: device) { [weak self] in self?.receive($0) }
        if modes.hasKeyboardProtocol { input.watchForHang() }
        fullScreen = FullScreen(input: input, heldErrors: HeldErrors())
        armGuard()
    }

    private func enterModes() {
        output.begin(modes.enterAll())
        armGuard()
    }

    /// Arms the guard for a crash or a signal: before the first frame and after the last, only with the attributes.
    private func armGuard() {
        var attributes = device.originalAttributes
        let leave = (modes.areEntered ? modes.leaveAll + screen.leaveSequence : []).map(CChar.init(bitPattern:))
        lvy_guard_arm(
            device.descriptor,
            device.sharedFlags ?? -1,
            &attributes,
            leave,
            leave.count,
            fullScreen?.heldErrors?.descriptor ?? -1,
            fullScreen?.heldErrors?.original ?? STDERR_FILENO
        )
    }

    private func leaveFullScreen() {
        // A terminal that was lost and is the program's again still has its modes.
        guard isFullScreen || modes.areEntered else { return }
        guard device.isForeground else { return abandon() }
        if modes.areEntered { output.begin(modes.leaveAll + screen.leave()) }
        device.finish(sending: output.drain())
        modes.areEntered = false
        // The terminal must not restore the window's title twice.
        armGuard()
        // Answers that arrive after the program has ended would be typed into the shell.
        device.finishAnswers()
        forgetAnswers()
        device.leaveRawMode()
        release()
    }

    /// Drops the missing answers: their questions are due again.
    private func forgetAnswers() {
        lvy_answers_forget()
        questions.startAgain()
    }

    /// Leaves the terminal to the program that has it now, and with it the answers on the way.
    private func abandon() {
        release()
        forgetAnswers()
    }

    /// Touches the terminal no more.
    private func release() {
        let left = fullScreen.take()
        left?.input.cancel()
        outputSource.take()?.cancel()
        output = FrameOutput()
        device.stopSharing()
        lvy_guard_disarm()
        left?.heldErrors?.release()
    }

    /// After the program was stopped without notice, and continued in the background.
    private func loseTerminal() {
        abandon()
        awaitForeground()
    }

    private func awaitForeground() {
        guard foregroundTimer == nil else { return }
        let timer = DispatchSource.makeTimerSource(queue: .main)
        timer.schedule(deadline: .now() + Self.foregroundInterval, repeating: Self.foregroundInterval)
        timer.start { [weak self] in
            if let self, self.device.isForeground { self.resume() }
        }
        foregroundTimer = timer
    }

    private func handle(_ signal: Int32) {
        if isReleased, [SIGTSTP, SIGTTIN, SIGTTOU, SIGCONT].contains(signal) { return }
        switch signal {
        // The terminal belongs to the shell again, even if the program still has work to do.
        case SIGWINCH where onEvent == nil, SIGCONT where onEvent == nil: break
        case _ where onEvent == nil: lvy_guard_reraise(signal)
        case SIGWINCH: onEvent?(.resized(size))
        case SIGTSTP, SIGTTIN, SIGTTOU:
            leaveFullScreen()
            lvy_guard_reraise(signal)
            signals.forgetStops()
            resume()
        case SIGCONT: resume()
        default: onEvent?(.signal(signal))
        }
    }

    /// After a stop, the shell has drawn on the screen and set its modes, and the size may have changed. The shell may
    /// have continued the program in the background (`bg`), where the terminal is not its own.
    private func resume() {
        guard lvy_guard_has_restored() == 0 else { return }
        guard device.isForeground else { return loseTerminal() }
        foregroundTimer.take()?.cancel()
        if isFullScreen {
            // After a stop without notice, the shell may have read answers.
            if lvy_answers_are_due() == 0 { forgetAnswers() }
            device.enterRawMode()
            modes.mustBeEntered = true
        } else {
            enterFullScreen()
        }
        screen.repaintNextFrame()
        onEvent?(.resized(size))
    }
}
