import ArgumentParser
import Files
import Foundation
import TerminalUI

/// Asks before something is done that is not easily undone.
enum Confirmation {
    /// - Throws: a usage error where there is nobody to ask.
    static func requireTerminal() throws {
        guard isatty(STDIN_FILENO) != 0, isatty(STDERR_FILENO) != 0 else {
            throw ValidationError("There is no terminal to ask on; say --yes to go ahead without being asked.")
        }
    }

    /// Asks on standard error, and waits for a line.
    ///
    /// - Parameter question: ends in a question mark.
    /// - Returns: whether the answer was `y` or `yes`; anything else, also the end of the input, is no.
    static func isGiven(_ question: String) -> Bool {
        try? Output.error.write("\(question.sanitized()) [y/N] ")
        return isYes(readLine() ?? "")
    }

    static func isYes(_ answer: String) -> Bool {
        ["y", "yes"].contains(answer.trimmingCharacters(in: .whitespaces).lowercased())
    }
}
