// SPDX-License-Identifier: Apache-2.0

/// A screen, or an end, that was waited for in vain: with all that helps to see why.
package struct TerminalWaitError: Error, CustomStringConvertible {
    /// Why the wait was over.
    package enum Reason: Hashable, Sendable {
        /// The time was up.
        case deadline(Duration)
        /// The program ended, or closed its terminal.
        case programEnded
    }

    /// What was waited for.
    package let expectation: String
    package let reason: Reason
    /// How the program ended, if it has.
    package let exitStatus: ExitStatus?
    /// What was run.
    package let command: String
    /// What a person would have seen.
    package let screen: String
    /// The end of the output, with what cannot be printed in hexadecimal.
    package let lastBytes: String
    /// What came on standard error, if that was kept apart.
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
