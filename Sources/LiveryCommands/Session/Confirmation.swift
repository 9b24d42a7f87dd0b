// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigModel
import Files
import HTTPTransport
import TerminalUI

/// Asks for confirmation before a change that is hard to undo.
enum Confirmation {
    /// - Parameter alternative: the option that replaces the confirmation.
    /// - Throws: a usage error where there is no terminal to ask on.
    static func requireTerminal(or alternative: String = "--yes") throws {
        guard StandardInput.isTerminal, Output.error.isTerminal else {
            throw ValidationError("Cannot prompt for confirmation: no terminal; use \(alternative).")
        }
    }

    /// Asks on standard error; anything but `y` or `yes` means no, and so does the end of the input.
    static func isGiven(_ question: String) -> Bool {
        // A question that cannot be shown gets no answer, which is no.
        try? Output.error.write("\(question.sanitized()) [y/N] ")
        return isYes(readLine() ?? "")
    }

    static func isYes(_ answer: String) -> Bool {
        ["y", "yes"].contains(answer.trimmed.lowercased())
    }
}

/// Reads a secret from the terminal without showing it.
enum SecretPrompt {
    /// Prompts on standard error and reads a line without echoing it; `nil` at the end of the input.
    static func read(_ question: String) -> String? {
        // The answer can be read even if the question could not be shown.
        try? Output.error.write(question.sanitized())
        return withoutEcho(StandardInput.line) ?? readLine()
    }
}
