// SPDX-License-Identifier: Apache-2.0

/// A timeout while waiting for a screen or for an end, with all that helps to find the cause.
package struct TerminalWaitError: Error, CustomStringConvertible {
    /// The reason for the end of the wait.
    package enum Reason: Hashable, Sendable {
        /// The time was up.
        case deadline(Duration)
        /// The program ended, or closed its terminal.
        case programEnded
    }

    /// The expected condition.
    package let expectation: String
    package let reason: Reason
    /// The exit status, if the program has ended.
    package let exitStatus: ExitStatus?
    /// The command.
    package let command: String
    /// The visible screen.
    package let screen: String
    /// The end of the output, with what cannot be printed in hexadecimal.
    package let lastBytes: String
    /// The output on standard error, if it was separate.
    package let standardError: String
    /// The place in the test that waited, `Module/File.swift:line`.
    package let place: String

    package var description: String {
        let reason =
            switch reason {
            case .deadline(let deadline): "waited \(deadline) in vain"
            case .programEnded: "the program ended while waiting"
            }
        let state = exitStatus.map(\.description) ?? "is still running"
        var lines = ["\(place): \(reason) for \(expectation). `\(command)` \(state).", screen]
        lines.append("last bytes: \(lastBytes)")
        if !standardError.isEmpty { lines.append("standard error: \(standardError)") }
        return lines.joined(separator: "\n")
    }
}
