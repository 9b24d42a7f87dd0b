// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    package import Glibc
#elseif canImport(Darwin)
    package import Darwin
#endif

/// A program in a process that this one has started.
package protocol ChildProgram {
    /// Its process.
    var child: ChildProcess { get }

    /// Waits until the program ends.
    ///
    /// - Parameters:
    ///   - deadline: The maximum wait.
    ///   - fileID: The file of the caller.
    ///   - line: The line of the caller.
    /// - Throws: an error that names the caller, if the program still runs after the deadline.
    func waitForExit(within deadline: Duration, _ fileID: StaticString, _ line: UInt) throws -> ExitStatus
}

extension ChildProgram {
    /// Waits until the program ends.
    @discardableResult
    package func waitForExit(
        deadline: Duration = .patience,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) throws -> ExitStatus {
        try waitForExit(within: deadline, fileID, line)
    }

    /// The id of the process. On its own terminal it is also that of the session.
    package var processIdentifier: pid_t { child.identifier }

    /// The exit status, or `nil` while the program runs.
    package var exitStatus: ExitStatus? { child.exitStatus }

    /// Whether the program has not ended yet.
    package var isRunning: Bool { child.exitStatus == nil }

    /// Sends a signal to the program alone, and returns whether it still ran.
    @discardableResult
    package func send(signal number: Int32) -> Bool {
        child.send(signal: number)
    }

    /// The resources that the program has used so far, or in all if it has ended.
    package func usage() throws -> ProcessUsage {
        try child.finalUsage ?? ProcessUsage(ofRunning: child.identifier)
    }
}
