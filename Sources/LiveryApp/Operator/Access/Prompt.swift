import ArgumentParser
import ConfigModel
import Files
import Foundation
import TerminalUI

/// Asks for confirmation before a change that is hard to undo.
enum Confirmation {
    /// - Throws: a usage error where there is no terminal to ask on.
    static func requireTerminal() throws {
        guard isatty(STDIN_FILENO) != 0, isatty(STDERR_FILENO) != 0 else {
            throw ValidationError("There is no terminal to ask on; use --yes to go ahead without a question.")
        }
    }

    /// Asks on standard error; anything but `y` or `yes` is no, and so is the end of the input.
    static func isGiven(_ question: String) -> Bool {
        try? Output.error.write("\(question.sanitized()) [y/N] ")
        return isYes(readLine() ?? "")
    }

    static func isYes(_ answer: String) -> Bool {
        ["y", "yes"].contains(answer.trimmingCharacters(in: .whitespaces).lowercased())
    }
}

/// Reads a secret from the terminal without showing it.
enum SecretPrompt {
    /// Asks on standard error and reads a line without echoing it; `nil` at the end of the input.
    static func read(_ question: String) -> String? {
        try? Output.error.write(question.sanitized())
        return withoutEcho(readSecret) ?? Swift.readLine()
    }

    /// A line, byte by byte, since what follows it is for someone else; `nil` at the end of the input.
    private static func readSecret() -> String? {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while Foundation.read(STDIN_FILENO, &byte, 1) == 1 {
            if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(byte)
        }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }
}
