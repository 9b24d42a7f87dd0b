// SPDX-License-Identifier: Apache-2.0

internal import Basics
internal import CLibrary
internal import CTerminalGuard
internal import Dispatch
internal import Synchronization

/// Switches kitty's keyboard protocol off while the program leaves keys unread: Ctrl-C is then a character again, of which
/// the system makes a signal.
actor HangWatch {
    private let descriptor: Int32
    /// Not the main queue, which may hang.
    private let executor = QueueExecutor(label: "livery.hang-watch")
    private var source: (any DispatchSourceRead)?
    private let readCount = Atomic(0)
    private let hasSwitchedOff = Atomic(false)

    /// The maximum time that a key waits.
    private static let patience = DispatchTimeInterval.seconds(1)

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(terminal descriptor: Int32) {
        self.descriptor = descriptor
        executor.queue.async { self.assumeIsolated { $0.start() } }
    }

    nonisolated func cancel() { executor.queue.async { self.assumeIsolated { $0.source?.cancel() } } }

    /// Notes that the program reads the terminal.
    ///
    /// - Returns: Whether the protocol was switched off since the last call.
    nonisolated func noteRead() -> Bool {
        readCount.add(1, ordering: .relaxed)
        return hasSwitchedOff.exchange(false, ordering: .relaxed)
    }

    private func start() {
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: executor.queue)
        source.setEventHandler { [weak self] in self?.assumeIsolated { $0.inputWaits() } }
        source.activate()
        self.source = source
    }

    private var hasInput: Bool {
        var terminal = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&terminal, 1, 0) > 0
    }

    private func inputWaits() {
        // The program may have read it in the meantime.
        guard hasInput else { return }
        let count = readCount.load(ordering: .relaxed)
        source?.suspend()
        // Retains the source, which must not be released while it is suspended.
        executor.queue.asyncAfter(deadline: .now() + Self.patience) {
            self.assumeIsolated { $0.resume(after: count) }
        }
    }

    private func resume(after count: Int) {
        defer { source?.resume() }
        guard source?.isCancelled == false, readCount.load(ordering: .relaxed) == count, hasInput else { return }
        guard lvy_guard_is_foreground(descriptor) != 0, lvy_guard_has_restored() == 0 else { return }
        if hasSwitchedOff.exchange(true, ordering: .relaxed) { return }
        _ = TerminalModes.keyboardProtocolOff.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    }
}
