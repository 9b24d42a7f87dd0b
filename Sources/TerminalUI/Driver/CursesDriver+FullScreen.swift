internal import CNCurses

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

extension CursesDriver {
    func enterFullScreen() {
        guard !isFullScreen else { return }
        isFullScreen = true
        device.enterRawMode()
        modesToEnter = modes.enter
        heldErrors = HeldErrors()
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

    func leaveFullScreen() {
        guard isFullScreen else { return }
        isFullScreen = false
        output.begin(modes.leave + screen.leave())
        device.finish(writing: output.takeAll())
        takeLateAnswers()
        device.leaveRawMode()
        lvy_guard_disarm()
        heldErrors.take()?.release()
    }

    /// Answers that arrived after the program had gone would be typed into the shell.
    private func takeLateAnswers() {
        let limit = askedAt + TerminalQuestions.patience
        while questions.isOutstanding, case .bytes(let bytes) = device.read(until: limit) {
            report(decoder.feed(bytes))
        }
    }

    func handle(_ signal: Int32) {
        guard onEvent != nil else { return handleAfterStop(signal) }
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

    /// The terminal is the shell's again, whatever the program still has to do: it is not taken over once more.
    private func handleAfterStop(_ signal: Int32) {
        switch signal {
        case SIGWINCH, SIGCONT: break
        default: lvy_guard_reraise(signal)
        }
    }

    /// After a stop the shell has drawn on the screen and set its modes, and its size may be another.
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
