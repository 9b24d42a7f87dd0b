#if canImport(Glibc)
    package import Glibc
#elseif canImport(Darwin)
    package import Darwin
#endif

extension PseudoTerminal {
    /// The id of the program's process, which is also that of its session.
    package var processIdentifier: pid_t { child.identifier }

    /// How the program ended, or `nil` while it runs.
    package var exitStatus: ExitStatus? { child.exitStatus }

    /// Whether the program has not ended yet.
    package var isRunning: Bool { child.exitStatus == nil }

    /// Sends a signal to the program alone, and returns whether it still ran.
    @discardableResult
    package func send(signal number: Int32) -> Bool {
        child.send(signal: number)
    }

    /// What the program has used so far, or in all if it has ended.
    package func usage() throws -> ProcessUsage {
        try child.finalUsage ?? ProcessUsage(ofRunning: child.identifier)
    }

    /// Reads until the program ends and everything it wrote is read.
    ///
    /// - Throws: ``TerminalWaitError`` if it still runs after the deadline.
    @discardableResult
    package func waitForExit(
        deadline: Duration = .seconds(10),
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) throws -> ExitStatus {
        let limit = Deadline(after: deadline)
        while try step(until: limit) != .over, !limit.hasPassed {}
        if let status = exitStatus { return status }
        throw waitError("the program to end", .deadline(deadline), fileID, line)
    }

    /// Kills the program if it still runs, and waits until it is gone.
    package func close() throws {
        hangUp()
        child.send(signal: SIGKILL)
        _ = try child.waitForEnd(until: Deadline(after: .seconds(10)))
    }
}
