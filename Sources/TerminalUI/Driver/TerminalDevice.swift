// SPDX-License-Identifier: Apache-2.0

internal import CLibrary
internal import CTerminalGuard

/// The terminal that the program was started on, opened a second time: so `O_NONBLOCK` is not imposed on the shell.
struct TerminalDevice: Sendable {
    let descriptor: Int32
    /// The flags of the shell's open file, where the terminal cannot be opened a second time.
    private(set) var sharedFlags: Int32?
    /// The modes that the program found, and leaves behind.
    private(set) var originalAttributes = termios()

    /// Opens the terminal on standard output by its name; or as `/dev/tty`, since the file with that name belongs to another user
    /// after `su`; or takes the descriptor, since `su -c` takes `/dev/tty` away as well.
    ///
    /// - Throws: if standard output is not a terminal, or the terminal can be neither opened nor read.
    init() throws {
        guard isatty(STDOUT_FILENO) != 0 else { throw TerminalError("Standard output is not a terminal") }
        let name = ttyname(STDOUT_FILENO).map { String(cString: $0) } ?? "/dev/tty"
        // Otherwise /dev/tty is not the same terminal.
        let isOwn = tcgetsid(STDOUT_FILENO) >= 0
        do {
            try self.init(at: name)
        } catch {
            if isOwn, let device = try? TerminalDevice(at: "/dev/tty") {
                self = device
            } else if let device = TerminalDevice(sharing: [STDOUT_FILENO, STDIN_FILENO, STDERR_FILENO]) {
                self = device
            } else {
                throw error
            }
        }
    }

    /// Takes the first of these descriptors that is the terminal on standard output, open for reading and writing; `nil` if there
    /// is none.
    private init?(sharing descriptors: [Int32]) {
        func device(_ descriptor: Int32) -> dev_t? {
            var status = stat()
            return isatty(descriptor) != 0 && fstat(descriptor, &status) == 0 ? status.st_rdev : nil
        }
        let usable = descriptors.first {
            device($0) == device(STDOUT_FILENO) && fcntl($0, F_GETFL) & O_ACCMODE == O_RDWR
        }
        guard let usable, case let copy = fcntl(usable, F_DUPFD_CLOEXEC, 3), copy >= 0 else { return nil }
        (descriptor, sharedFlags) = (copy, fcntl(usable, F_GETFL))
        lvy_answers_begin()
        saveAttributes()
    }

    /// - Throws: if it is not a terminal, or cannot be opened.
    init(at path: String) throws {
        descriptor = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw TerminalError("Cannot open the terminal \(path): \(String(cString: strerror(errno)))")
        }
        guard tcgetattr(descriptor, &originalAttributes) == 0 else {
            close(descriptor)
            throw TerminalError("Cannot read the modes of the terminal \(path): \(String(cString: strerror(errno)))")
        }
        lvy_answers_begin()
    }

    /// Notes the modes that the shell has set since the program was started or stopped. While the program is in the
    /// background, they are those of the shell's command line.
    mutating func saveAttributes() {
        var attributes = termios()
        if tcgetattr(descriptor, &attributes) == 0 { originalAttributes = attributes }
    }

    /// Whether the program may read from the terminal and write to it. In the background, it belongs to others.
    var isForeground: Bool { lvy_guard_is_foreground(descriptor) != 0 }

    /// Closes the terminal if it was never used.
    func release() { close(descriptor) }

    /// The screen's extent; 80×24 if the terminal does not report it.
    var size: Size {
        let size = Size(terminal: descriptor)
        return size.flatMap { $0.rows > 0 ? $0 : nil } ?? Size(columns: 80, rows: 24)
    }

    /// Delivers each key at once and sends each byte unchanged. Ctrl-C, Ctrl-Z and Ctrl-\ remain signals, which work
    /// even if the program hangs; Ctrl-S and Ctrl-Q are keys. Under kitty's keyboard protocol all of them are keys:
    /// ``signal(for:)`` makes signals of the first three, and ``HangWatch`` switches the protocol off while nothing reads
    /// the keys.
    func enterRawMode() {
        var raw = originalAttributes
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ECHONL | IEXTEN)
        raw.c_iflag &= ~tcflag_t(ICRNL | INLCR | IGNCR | ISTRIP | INPCK | IXON)
        raw.c_oflag &= ~tcflag_t(OPOST)
        tcsetattr(descriptor, TCSANOW, &raw)
        if let sharedFlags { _ = fcntl(descriptor, F_SETFL, sharedFlags | O_NONBLOCK) }
    }

    func leaveRawMode() {
        var attributes = originalAttributes
        tcsetattr(descriptor, TCSANOW, &attributes)
    }

    /// Gives the shell's open file its flags back.
    func stopSharing() {
        if let sharedFlags { _ = fcntl(descriptor, F_SETFL, sharedFlags) }
    }

    enum Input {
        case bytes([UInt8])
        case nothingYet
        case gone
    }

    func receive() -> Input {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = buffer.withUnsafeMutableBytes { lvy_answers_read(descriptor, $0.baseAddress, $0.count) }
        if count > 0 { return .bytes(Array(buffer[..<count])) }
        return count < 0 && (errno == EAGAIN || errno == EINTR) ? .nothingYet : .gone
    }

    /// Sends as much as the terminal accepts now; `nil` if it has disconnected.
    func send(_ bytes: ArraySlice<UInt8>) -> Int? {
        if lvy_guard_has_restored() != 0 { return bytes.count }
        let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        if count >= 0 { return count }
        return errno == EAGAIN || errno == EINTR ? 0 : nil
    }

    /// Sends everything, and waits for a slow terminal, but not for one that accepts nothing for a second. One that was
    /// stopped by Ctrl-S is started again: the shell that comes next would be stuck as well.
    func finish(sending bytes: ArraySlice<UInt8>) {
        tcflow(descriptor, TCOOFF)
        tcflow(descriptor, TCOON)
        var rest = bytes
        while !rest.isEmpty, let count = send(rest) {
            rest = rest.dropFirst(count)
            if count == 0, !isReady(for: POLLOUT, until: .now + .seconds(1)) { return }
        }
    }

    /// Reads and discards pending answers of the terminal, which would be typed into the shell.
    ///
    /// - Returns: whether all have come, without a silence of two seconds and within five in all.
    @discardableResult func finishAnswers() -> Bool { lvy_answers_finish(descriptor) != 0 }

    /// The signal that a key sends by the modes of the terminal, where the terminal sends no character for it. Only the
    /// columns `@` to DEL of ASCII have control characters.
    func signal(for key: Key) -> Int32? {
        guard originalAttributes.c_lflag & tcflag_t(ISIG) != 0, key.modifiers == .control,
            case .character(let character) = key.code, let ascii = character.asciiValue, ascii >= 0x40
        else { return nil }
        let control = ascii & 0x1F
        // A signal without a key: on Linux, its character is that of Ctrl-@.
        if Int(control) == fpathconf(descriptor, Int32(_PC_VDISABLE)) { return nil }
        let characters = withUnsafeBytes(of: originalAttributes.c_cc) { Array($0) }
        let signals = [(VINTR, SIGINT), (VQUIT, SIGQUIT), (VSUSP, SIGTSTP)]
        return signals.first { characters[Int($0.0)] == control }?.1
    }

    /// Waits for the terminal, also if signals interrupt the wait.
    private func isReady(for events: Int32, until limit: ContinuousClock.Instant) -> Bool {
        var descriptors = [pollfd(fd: descriptor, events: Int16(events), revents: 0)]
        while true {
            let (seconds, attoseconds) = max(ContinuousClock.now.duration(to: limit), .zero).components
            let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
            let count = poll(&descriptors, 1, Int32(clamping: milliseconds))
            if count >= 0 || errno != EINTR { return count > 0 }
        }
    }
}

extension Size {
    /// More than any screen has: 65,535 in both directions, which a terminal may report, would be 4 billion cells.
    private static var largest: Size { Size(columns: 2000, rows: 1000) }

    /// The extent of the terminal behind a descriptor; `nil` if it does not report its columns.
    package init?(terminal descriptor: Int32) {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        self.init(
            columns: min(Int(size.ws_col), Self.largest.columns),
            rows: min(Int(size.ws_row), Self.largest.rows)
        )
    }
}

/// Runs a body while the terminal on standard input does not echo input; `nil` without a terminal.
///
/// Echo is restored afterwards, even if a signal ends the program.
package func withoutEcho<Result>(_ body: () -> Result) -> Result? {
    var former = termios()
    guard tcgetattr(STDIN_FILENO, &former) == 0 else { return nil }
    var silent = former
    silent.c_lflag &= ~tcflag_t(ECHO)
    silent.c_lflag |= tcflag_t(ECHONL | ICANON | ISIG)
    // Ctrl-Z would leave the shell without an echo.
    withUnsafeMutableBytes(of: &silent.c_cc) {
        $0[Int(VSUSP)] = UInt8(truncatingIfNeeded: fpathconf(STDIN_FILENO, Int32(_PC_VDISABLE)))
    }
    lvy_guard_arm(STDIN_FILENO, -1, &former, "\n", 1, -1, -1)
    lvy_guard_install_for_question()
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
    defer {
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &former)
        lvy_guard_disarm()
    }
    return body()
}
