internal import CTerminalGuard
internal import Dispatch

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The signals that concern the terminal, delivered on the main actor one at a time.
@MainActor
final class TerminalSignals {
    private let descriptor: Int32
    private var isInstalled = false
    private var source: (any DispatchSourceRead)?

    /// Prepares for signals, which keep their actions until ``install()``.
    init() throws {
        descriptor = lvy_guard_open()
        guard descriptor >= 0 else {
            throw TerminalError("Signals cannot be received: \(String(cString: strerror(errno)))")
        }
    }

    deinit {
        if !isInstalled { lvy_guard_close() }
    }

    /// Installs the handlers.
    func install() {
        isInstalled = true
        lvy_guard_install()
    }

    func start(onSignal: @escaping @MainActor (Int32) -> Void) {
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
        source.setEventHandler { [descriptor] in
            MainActor.assumeIsolated {
                var signals = [UInt8](repeating: 0, count: 64)
                let count = signals.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
                for signal in signals.prefix(max(count, 0)) { onSignal(Int32(signal)) }
            }
        }
        source.activate()
        self.source = source
    }
}

/// Ends the process by a signal that it was asked to end by, so that the parent sees the true status.
public func endProcess(by signal: Int32) {
    lvy_guard_reraise(signal)
}

/// Holds back what is written to standard error during the full screen, and writes it afterwards.
///
/// Otherwise a library's warning, or the message of a crash, would be drawn over the screen and lost with it.
struct HeldErrors {
    /// Where messages go during the full screen.
    let descriptor: Int32
    /// Standard error as it was.
    let original: Int32
    private let stream: UnsafeMutablePointer<FILE>

    /// Starts to hold messages back; `nil` if there is no memory for them, and standard error stays as it is.
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

    /// Restores standard error and writes what was held back.
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
