// SPDX-License-Identifier: Apache-2.0

internal import CTerminalGuard
internal import Dispatch

/// Reads events from the terminal, from one taking of it to the next leaving.
@MainActor
final class InputReader {
    /// News from the terminal.
    enum Report {
        case event(InputEvent)
        /// The program is in the background now: nothing may be read.
        case lost
        /// The terminal was disconnected.
        case gone
        /// The program has left keys unread, and kitty's keyboard protocol is switched off.
        case hung
    }

    private let device: TerminalDevice
    private let report: @MainActor (Report) -> Void
    private let source: any DispatchSourceRead
    private var decoder = InputDecoder()
    private var timeouts = InputTimeouts()
    /// Counts reads, so that a wait for more bytes knows whether some came.
    private var reads = 0
    private var hangWatch: HangWatch?

    init(device: TerminalDevice, report: @escaping @MainActor (Report) -> Void) {
        (self.device, self.report) = (device, report)
        source = DispatchSource.makeReadSource(fileDescriptor: device.descriptor, queue: .main)
        source.start { [weak self] in self?.read() }
    }

    func cancel() {
        source.cancel()
        hangWatch?.cancel()
    }

    /// Switches kitty's keyboard protocol off while the program hangs.
    func watchForHang() { hangWatch = hangWatch ?? HangWatch(terminal: device.descriptor) }

    private func read() {
        lvy_guard_protect_stack()
        while !source.isCancelled {
            // A restore on another thread reads the rest of the answers.
            if lvy_guard_has_restored() != 0 { return cancel() }
            guard device.isForeground else { return report(.lost) }
            if hangWatch?.noteRead() == true { report(.hung) }
            switch device.receive() {
            case .nothingYet: return awaitRest()
            case .gone:
                cancel()
                return report(.gone)
            case .bytes(let bytes): decoder.feed(bytes).forEach { report(.event($0)) }
            }
        }
    }

    /// Ends an incomplete sequence if it does not continue.
    private func awaitRest() {
        reads += 1
        let (read, isAsked) = (reads, lvy_answers_are_due() != 0)
        guard let deadline = timeouts.deadline(for: decoder.unfinished, at: .now, awaitsAnswer: isAsked) else { return }
        let nanoseconds = max(Int((deadline - .now) / .nanoseconds(1)), 0)
        DispatchQueue.main.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) { [weak self] in
            MainActor.assumeIsolated {
                // Bytes that came since have their own wait.
                guard let self, self.reads == read, !self.source.isCancelled else { return }
                self.decoder.flush().forEach { self.report(.event($0)) }
            }
        }
    }
}
