// SPDX-License-Identifier: Apache-2.0

internal import CLibrary
internal import CTerminalGuard
internal import Dispatch

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
        waiting.removeAll { [SIGTSTP, SIGTTIN, SIGTTOU].contains($0) }
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
