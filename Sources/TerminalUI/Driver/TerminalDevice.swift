// SPDX-License-Identifier: Apache-2.0

internal import CLibrary
internal import CTerminalGuard
internal import Dispatch

/// The terminal that the program was started on, opened a second time: so `O_NONBLOCK` is not imposed on the shell.
struct TerminalDevice: Sendable {
    let descriptor: Int32
    /// The modes that the program found, and leaves behind.
    private(set) var originalAttributes = termios()

    /// - Throws: if standard output is not a terminal, or the terminal cannot be opened.
    init() throws {
        guard let name = ttyname(STDOUT_FILENO) else { throw TerminalError("Standard output is not a terminal") }
        try self.init(at: String(cString: name))
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
    }

    func leaveRawMode() {
        var attributes = originalAttributes
        tcsetattr(descriptor, TCSANOW, &attributes)
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
    func finishAnswers() -> Bool { lvy_answers_finish(descriptor) != 0 }

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

/// The bytes and frames that wait for the terminal. Frames are differences, so one that has started must be written
/// whole before the next is encoded. Until then, only the newest frame waits.
struct FrameOutput {
    /// The bytes to write next.
    private(set) var next: ArraySlice<UInt8> = []
    /// The newest frame that has not started.
    private(set) var waiting: Grid?

    /// Whether the next frame may start.
    var isIdle: Bool { next.isEmpty }

    mutating func begin(_ bytes: [UInt8]) {
        next += bytes
    }

    mutating func wrote(_ count: Int) {
        next = next.dropFirst(count)
    }

    /// Removes all bytes, for the caller to write.
    mutating func drain() -> ArraySlice<UInt8> {
        defer { next = [] }
        return next
    }

    mutating func hold(_ frame: Grid) {
        waiting = frame
    }

    mutating func dequeue() -> Grid? {
        waiting.take()
    }
}

/// The signals that concern the terminal, delivered on the main actor one at a time.
@MainActor
final class TerminalSignals {
    private let descriptor: Int32
    private var isInstalled = false
    private var source: (any DispatchSourceRead)?
    /// The signals that are not delivered yet, in order.
    private var waiting: [Int32] = []

    /// Prepares for signals; all but SIGTSTP keep their actions until ``install()``.
    init() throws {
        descriptor = lvy_guard_open()
        guard descriptor >= 0 else {
            throw TerminalError("Cannot receive signals: \(String(cString: strerror(errno)))")
        }
    }

    deinit {
        if !isInstalled { lvy_guard_close() }
    }

    func install() {
        isInstalled = true
        lvy_guard_install()
    }

    func start(onSignal: @escaping @MainActor (Int32) -> Void) {
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
        source?.start { [weak self] in
            self?.receive()
            while let self, !self.waiting.isEmpty { onSignal(self.waiting.removeFirst()) }
        }
    }

    /// Drops the requests to stop that came before the program was stopped, such as a second Ctrl-Z.
    func forgetStops() {
        receive()
        waiting.removeAll { $0 == SIGTSTP }
    }

    private func receive() {
        var signals = [UInt8](repeating: 0, count: 64)
        let count = signals.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
        waiting += signals.prefix(max(count, 0)).map { Int32($0) }
    }
}

extension DispatchSourceProtocol {
    /// Starts a source of the main queue.
    func start(_ handler: @escaping @MainActor () -> Void) {
        setEventHandler { MainActor.assumeIsolated(handler) }
        activate()
    }
}

/// Ends the process by the signal that requested its end, so that the parent sees the true status.
public func endProcess(by signal: Int32) {
    lvy_guard_reraise(signal)
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
    lvy_guard_arm(STDIN_FILENO, &former, "\n", 1, -1, -1)
    lvy_guard_install_for_question()
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
    defer {
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &former)
        lvy_guard_disarm()
    }
    return body()
}

/// Buffers output on standard error during the full screen: a library's warning, or the message of a crash, would be drawn over
/// the screen and lost with it.
struct HeldErrors {
    /// The target of messages during the full screen.
    let descriptor: Int32
    /// Standard error as it was.
    let original: Int32
    private let stream: UnsafeMutablePointer<FILE>

    /// Starts to buffer messages; `nil` if there is no memory for them, and standard error stays unchanged.
    init?() {
        guard let stream = lvy_open_memory_stream() else { return nil }
        self.stream = stream
        descriptor = fileno(stream)
        original = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)
        guard original >= 0, dup2(descriptor, STDERR_FILENO) >= 0 else {
            if original >= 0 { close(original) }
            fclose(stream)
            return nil
        }
    }

    /// Restores standard error and writes the buffered messages.
    func release() {
        dup2(original, STDERR_FILENO)
        var offset: off_t = 0
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = chunk.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, offset) }
            guard count > 0 else { break }
            // A pipe may accept fewer bytes than it is offered.
            let written = write(STDERR_FILENO, chunk, count)
            guard written > 0 || written < 0 && errno == EINTR else { break }
            offset += off_t(max(written, 0))
        }
        close(original)
        fclose(stream)
    }
}
