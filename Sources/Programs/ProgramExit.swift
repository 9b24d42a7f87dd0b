package import ArgumentParser

/// How a program ends, for scripts: the numbers of `sysexits.h`, and 1 for the answer "no".
///
/// Every command of `livery` ends with one of these. `livery-server` uses ``done``, ``negative``, ``usage`` and
/// ``output``.
package enum ProgramExit: Int32, CaseIterable, Sendable {
    /// Done.
    case done = 0
    /// The answer is no: the documents differ, the key does not exist. For a server: it cannot start or go on.
    case negative = 1
    /// The command line, or a variable that stands for an option, is wrong.
    case usage = 64
    /// A key, a value or a document is wrong.
    case data = 65
    /// An input file cannot be read.
    case noInput = 66
    /// The server cannot be reached or is not available.
    case unavailable = 69
    /// Standard output cannot be written.
    case output = 74
    /// A conflict with another writer, or the server asks to wait: try again.
    case temporary = 75
    /// The answer does not come from a Livery server.
    case protocolError = 76
    /// The server wants a token or another one, or the connection to it is not secure.
    case permission = 77

    /// The same for the argument parser.
    package var code: ExitCode { ExitCode(rawValue) }

    /// What it means, as in the help and the documentation.
    package var meaning: String {
        switch self {
        case .done: "done; for diff: no difference"
        case .negative: "no: it differs, the key or revision does not exist, or you answered no"
        case .usage: "invalid command line or environment variable"
        case .data: "invalid key, value or document"
        case .noInput: "a file cannot be read"
        case .unavailable: "the server cannot be reached or is not available"
        case .output: "standard output cannot be written"
        case .temporary: "conflict with another writer, or the server asks to wait: try again"
        case .protocolError: "not a Livery server"
        case .permission: "permission denied, or the connection is not secure"
        }
    }

    /// The table as the help shows it, in 80 columns.
    package static var table: String {
        let lines = allCases.map { exit in
            let number = "\(exit.rawValue)"
            return "  \(number)\(String(repeating: " ", count: 4 - number.count))\(exit.meaning)"
        }
        return (["EXIT CODES"] + lines).joined(separator: "\n")
    }
}

/// Why a command ends without having done what it was asked to.
package struct ProgramFailure: Error, Hashable, CustomStringConvertible {
    /// What the program ends with.
    package let exit: ProgramExit
    /// One line for people; empty where the output says it already.
    package let message: String

    /// Creates a failure.
    package init(_ exit: ProgramExit, _ message: String = "") {
        self.exit = exit
        self.message = message
    }

    /// The message.
    package var description: String { message }
}
