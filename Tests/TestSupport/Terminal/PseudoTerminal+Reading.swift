// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension PseudoTerminal {
    // MARK: Writing

    /// Types: sends bytes to the program, and reads its output at the same time.
    ///
    /// - Throws: ``WaitError`` if the program does not take them all before the deadline.
    package func write(
        _ bytes: some Sequence<UInt8>,
        deadline: Duration = .patience,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) throws {
        _ = try openTerminal()
        if slowLine == nil { pendingInput += bytes } else { slowLine?.type(Array(bytes)) }
        let limit = Deadline(after: deadline)
        while !pendingInput.isEmpty || slowLine?.hasTyped == true {
            if try step(until: limit) == .over {
                throw waitError("the program to take its input", after: nil, fileID, line)
            }
            if limit.hasPassed {
                throw waitError("the program to take its input", after: deadline, fileID, line)
            }
        }
    }

    /// Types a text as UTF-8. The return key is `\r`, escape is `\u{1B}`, Ctrl-C is `\u{3}`.
    package func write(
        _ text: String,
        deadline: Duration = .patience,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) throws {
        try write(Array(text.utf8), deadline: deadline, fileID: fileID, line: line)
    }

    /// Reads until everything that the terminal has answered has arrived.
    package func finishAnswers() throws {
        try readUntil("the answers to arrive") { [self] _ in pendingInput.isEmpty && slowLine?.isIdle != false }
    }

    /// Reads until a part of an answer has arrived.
    package func beginAnswers() throws {
        try readUntil("an answer to arrive") { [self] _ in pendingInput.isEmpty && slowLine?.hasDelivered != false }
    }

    // MARK: Reading

    /// Reads until the screen is as expected.
    ///
    /// The screen is looked at once before anything is read, and then after each piece of output; but not between
    /// the start and the end of a synchronized update, as no terminal would show that.
    ///
    /// - Parameters:
    ///   - expectation: The expected condition, for the message of a timeout.
    ///   - deadline: The maximum wait.
    ///   - condition: Whether the screen is as expected.
    /// - Throws: ``WaitError``, which shows the screen, after the deadline or once nothing more can come.
    package func readUntil(
        _ expectation: String = "the screen to be as expected",
        deadline: Duration = .patience,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ condition: (inout VirtualScreen) throws -> Bool
    ) throws {
        let limit = Deadline(after: deadline)
        while true {
            let isLate = limit.hasPassed
            let isShown = !screen.modes.contains(VirtualScreen.Mode.synchronizedOutput)
            if isShown, try condition(&screen) { return }
            if isLate { throw waitError(expectation, after: deadline, fileID, line) }
            if try step(until: limit) == .over { throw waitError(expectation, after: nil, fileID, line) }
        }
    }

    /// Reads for a while, or until the program has ended, and returns the bytes that came.
    @discardableResult
    package func read(for duration: Duration) throws -> [UInt8] {
        let start = bytesReceived.count
        let limit = Deadline(after: duration)
        while !limit.hasPassed, try step(until: limit) != .over {}
        return Array(bytesReceived[start...])
    }

    /// Reads until nothing has come for a while, which is how a program looks that has finished drawing.
    ///
    /// - Parameters:
    ///   - quiet: The required time without output.
    ///   - deadline: The maximum wait.
    /// - Throws: ``WaitError`` if the program goes on writing.
    package func readUntilQuiet(
        for quiet: Duration = .milliseconds(100),
        deadline: Duration = .patience,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) throws {
        let limit = Deadline(after: deadline)
        while try step(until: Deadline(after: quiet)) == .progress {
            if limit.hasPassed { throw waitError("silence for \(quiet)", after: deadline, fileID, line) }
        }
    }

    func waitError(
        _ expectation: String,
        after deadline: Duration?,
        _ fileID: StaticString,
        _ line: UInt
    ) -> WaitError {
        let program = "`\(command)` \(exitStatus.map(\.description) ?? "is still running")."
        let bytes = "last bytes: \(bytesReceived.suffix(200).readable)"
        return WaitError(
            expectation: expectation,
            deadline: deadline,
            lastState: [program, screen.description, bytes].joined(separator: "\n"),
            place: "\(fileID):\(line)"
        )
    }
}
