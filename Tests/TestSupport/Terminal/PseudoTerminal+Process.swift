// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension PseudoTerminal: ChildProgram {
    /// Reads until the program ends and everything it wrote is read.
    ///
    /// - Throws: ``WaitError`` if it still runs after the deadline.
    package func waitForExit(within deadline: Duration, _ fileID: StaticString, _ line: UInt) throws -> ExitStatus {
        let limit = Deadline(after: deadline)
        while try step(until: limit) != .over, !limit.hasPassed {}
        if let status = exitStatus { return status }
        throw waitError("the program to end", after: deadline, fileID, line)
    }

    /// Kills the program if it still runs, and waits until it has ended.
    package func close() throws {
        hangUp()
        child.send(signal: SIGKILL)
        _ = try child.waitForEnd(until: Deadline(after: .seconds(10)))
    }
}
