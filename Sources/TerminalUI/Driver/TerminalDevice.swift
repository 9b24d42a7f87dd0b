#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The terminal that the program was started on, opened a second time.
///
/// With a descriptor of its own, the program can use `O_NONBLOCK` without imposing it on the shell.
struct TerminalDevice: Sendable {
    let descriptor: Int32
    private let original: termios

    /// - Throws: if standard output is not a terminal, or the terminal cannot be opened.
    init() throws {
        guard let name = ttyname(STDOUT_FILENO) else { throw TerminalError("Standard output is not a terminal") }
        try self.init(at: String(cString: name))
    }

    /// - Throws: if it is not a terminal, or cannot be opened.
    init(at path: String) throws {
        descriptor = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw TerminalError("The terminal \(path) cannot be opened: \(String(cString: strerror(errno)))")
        }
        var attributes = termios()
        guard tcgetattr(descriptor, &attributes) == 0 else {
            systemClose(descriptor)
            throw TerminalError("The terminal \(path) does not report its modes: \(String(cString: strerror(errno)))")
        }
        original = attributes
    }

    /// Closes the terminal if it was never used.
    func close() { systemClose(descriptor) }

    /// The modes in which the terminal was found.
    var originalAttributes: termios { original }

    /// The screen's extent; 80×24 if the terminal does not report it.
    var size: Size {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return Size(columns: 80, rows: 24)
        }
        return Size(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }

    /// Delivers each key at once and sends each byte unchanged.
    ///
    /// Ctrl-C, Ctrl-Z and Ctrl-\ remain signals, which work even if the program hangs, and Ctrl-S and Ctrl-Q still
    /// stop and start the output.
    func enterRawMode() {
        var raw = original
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ECHONL | IEXTEN)
        raw.c_iflag &= ~tcflag_t(ICRNL | INLCR | IGNCR | ISTRIP | INPCK)
        raw.c_oflag &= ~tcflag_t(OPOST)
        tcsetattr(descriptor, TCSANOW, &raw)
    }

    /// Sets the modes back to those in which the terminal was found.
    func leaveRawMode() {
        var attributes = original
        tcsetattr(descriptor, TCSANOW, &attributes)
    }

    /// What one read brought.
    enum Input {
        case bytes([UInt8])
        case nothingYet
        case gone
    }

    func read() -> Input {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = buffer.withUnsafeMutableBytes { Self.systemRead(descriptor, $0.baseAddress, $0.count) }
        if count > 0 { return .bytes(Array(buffer[..<count])) }
        return count < 0 && (errno == EAGAIN || errno == EINTR) ? .nothingYet : .gone
    }

    /// Writes as much as the terminal accepts now; `nil` if it is gone.
    func write(_ bytes: ArraySlice<UInt8>) -> Int? {
        let count = bytes.withUnsafeBytes { Self.systemWrite(descriptor, $0.baseAddress, $0.count) }
        if count >= 0 { return count }
        return errno == EAGAIN || errno == EINTR ? 0 : nil
    }

    /// Writes everything, and waits for a slow terminal, but not for one that accepts nothing for a second.
    ///
    /// A terminal that was stopped by Ctrl-S is started again: the shell that comes next would be stuck as well.
    func finish(writing bytes: ArraySlice<UInt8>) {
        tcflow(descriptor, TCOOFF)
        tcflow(descriptor, TCOON)
        var rest = bytes
        while !rest.isEmpty, let count = write(rest) {
            rest = rest.dropFirst(count)
            if count == 0, !isReady(for: POLLOUT, until: .now + .seconds(1)) { return }
        }
    }

    /// Reads what arrives before a moment.
    func read(until limit: ContinuousClock.Instant) -> Input {
        isReady(for: POLLIN, until: limit) ? read() : .nothingYet
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

    #if canImport(Glibc)
        private static let systemRead = Glibc.read
        private static let systemWrite = Glibc.write
    #else
        private static let systemRead = Darwin.read
        private static let systemWrite = Darwin.write
    #endif
}

private func systemClose(_ descriptor: Int32) { _ = close(descriptor) }
