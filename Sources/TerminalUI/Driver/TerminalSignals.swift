internal import CNCurses
internal import Dispatch

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The signals that concern the terminal, told on the main actor one at a time.
@MainActor
final class TerminalSignals {
    private let descriptor: Int32
    private var isInstalled = false
    private var source: (any DispatchSourceRead)?

    /// Gets ready for signals; they do what they always do until ``install()``.
    init() throws {
        descriptor = lvy_guard_open()
        guard descriptor >= 0 else {
            throw TerminalError("Signals cannot be received: \(String(cString: strerror(errno)))")
        }
    }

    deinit {
        if !isInstalled { lvy_guard_close() }
    }

    /// Takes the signals over.
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
