// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension PseudoTerminal {
    /// The result of one wait.
    enum Step {
        /// Something was read or written, or the program ended.
        case progress
        /// No event before the deadline.
        case quiet
        /// The program has ended, or closed its terminal, and nothing is left to read.
        case over
    }

    /// Waits once for whatever comes first, and deals with it.
    func step(until deadline: Deadline) throws -> Step {
        pendingInput += slowLine?.arrivals() ?? []
        let deadline = slowLine?.nextArrival.map { min(deadline, Deadline(at: $0)) } ?? deadline
        let hasEnded = child.exitStatus != nil
        var descriptors: [pollfd] = []
        if let terminal, !hasOutputEnded {
            let interest = pendingInput.isEmpty ? POLLIN : POLLIN | POLLOUT
            descriptors.append(pollfd(fd: terminal.number, events: Int16(interest), revents: 0))
        }
        if !hasEnded { descriptors.append(pollfd(fd: child.endDescriptor.number, events: Int16(POLLIN), revents: 0)) }
        if descriptors.isEmpty { return .over }

        // The output of an ended program is already there. Others that it started may keep the terminal open for long.
        let limit = hasEnded ? Deadline(after: .zero) : deadline
        guard try waitForEvents(on: &descriptors, until: limit) else { return hasEnded ? .over : .quiet }
        guard let terminal, let event = descriptors.first(where: { $0.fd == terminal.number }) else { return .progress }
        if event.revents & Int16(POLLOUT) != 0 { pendingInput.removeFirst(try terminal.writeChunk(pendingInput)) }
        if event.revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 { try readTerminal(terminal) }
        return .progress
    }

    private func readTerminal(_ terminal: OwnedDescriptor) throws {
        switch try terminal.readChunk() {
        case .bytes(let bytes):
            bytesReceived += bytes
            screen.feed(bytes)
            let responses = screen.takeResponses()
            if slowLine == nil { pendingInput += responses } else { slowLine?.answer(responses) }
        case .nothing:
            break
        case .ended:
            hasOutputEnded = true
        }
    }
}
