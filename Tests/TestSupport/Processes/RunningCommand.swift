// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A program in the background, with what it has written so far.
///
/// Its output goes to files, so that it can neither block on nor be killed by a reader that is slow or gone. The
/// program is killed when this object goes away.
///
/// ```swift
/// let server = try RunningCommand(Command("/path/to/livery-server", ["--port", "0"]))
/// try server.waitForOutput("listening on")
/// server.send(signal: SIGTERM)
/// let status = try server.waitForExit()
/// ```
package final class RunningCommand: ChildProgram, Sendable {
    /// The running command.
    package let command: Command
    /// Its process.
    package let child: ChildProcess
    private let folder: TemporaryDirectory

    /// Starts a program with no terminal, and with `/dev/null` as its input.
    ///
    /// - Throws: ``SystemError`` if there is no such program, or if it cannot be run.
    package init(_ command: Command) throws {
        let folder = try TemporaryDirectory(prefix: "output")
        let request = SpawnRequest(
            command: command,
            standardOutput: try OwnedDescriptor(creating: folder["stdout"]),
            standardError: try OwnedDescriptor(creating: folder["stderr"])
        )
        (self.command, self.folder) = (command, folder)
        child = try ChildProcess(request)
    }

    deinit {
        child.send(signal: SIGKILL)
    }

    /// The bytes that the program has written to its standard output.
    package var standardOutputBytes: [UInt8] { (try? folder.read("stdout")) ?? [] }

    /// The program's standard output, as text.
    package var standardOutput: String { String(decoding: standardOutputBytes, as: UTF8.self) }

    /// The program's standard error, as text.
    package var standardError: String { String(decoding: (try? folder.read("stderr")) ?? [], as: UTF8.self) }

    /// All that the program has written.
    package var output: String { standardError + standardOutput }

    /// Waits until the output contains a text.
    package func waitForOutput(_ text: String, fileID: StaticString = #fileID, line: UInt = #line) throws {
        try until("\"\(text)\" in the output", lastState: output, fileID: fileID, line: line) {
            output.contains(text)
        }
    }

    /// - Throws: ``WaitError`` with what the program wrote.
    package func waitForExit(within deadline: Duration, _ fileID: StaticString, _ line: UInt) throws -> ExitStatus {
        if let status = try child.waitForEnd(until: Deadline(after: deadline)) { return status }
        throw WaitError(
            expectation: "`\(command)` to end",
            deadline: deadline,
            lastState: output,
            place: "\(fileID):\(line)"
        )
    }
}

extension Command {
    /// The output of a program, and its end.
    package struct Output: Hashable, Sendable {
        /// The exit status.
        package let status: ExitStatus
        /// Its standard output.
        package let standardOutput: String
        /// Its standard error.
        package let standardError: String

        /// This output, of a program that has to succeed.
        ///
        /// - Throws: ``FixtureError`` with what the program wrote.
        package func ofSuccess() throws -> Self {
            guard status.isSuccess else { throw FixtureError("\(status): \(standardOutput)\(standardError)") }
            return self
        }
    }

    /// Runs the program to its end, which is killed if it takes longer than the deadline.
    package func run(deadline: Duration = .patience) throws -> Output {
        let running = try RunningCommand(self)
        let status = try running.waitForExit(deadline: deadline)
        return Output(status: status, standardOutput: running.standardOutput, standardError: running.standardError)
    }
}
