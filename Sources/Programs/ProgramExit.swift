package import ArgumentParser

/// How a program ends, for scripts: the numbers of `sysexits.h`, and 1 for the answer "no".
///
/// Every command of `livery` ends with one of these. `livery-server` uses ``done``, ``negative``, ``usage`` and
/// ``output``.
package enum ProgramExit: Int32, CaseIterable, Sendable {
    /// What was asked for is done.
    case done = 0
    /// The answer is no: the documents differ, there is no such key. For a server: it cannot start or go on.
    case negative = 1
    /// The command line, or a variable that stands for an option, is wrong.
    case usage = 64
    /// A key, a value or a document is wrong.
    case data = 65
    /// A file that is to be read cannot be.
    case noInput = 66
    /// The server cannot be reached, or cannot answer now.
    case unavailable = 69
    /// Standard output cannot be written.
    case output = 74
    /// Somebody else was first, or the server asks to wait: try again.
    case temporary = 75
    /// Whoever answers is no Livery server.
    case protocolError = 76
    /// The server wants a token, or another one, or the way to it is not safe.
    case permission = 77

    /// The same for the argument parser.
    package var code: ExitCode { ExitCode(rawValue) }

    /// What it tells, as the help and the documentation say it.
    package var meaning: String {
        switch self {
        case .done: "done; for diff: no difference"
        case .negative: "no: it differs, there is no such key or revision, or you said no"
        case .usage: "the command line, or a variable, is wrong"
        case .data: "a key, value or document is wrong"
        case .noInput: "a file cannot be read"
        case .unavailable: "the server cannot be reached, or cannot answer now"
        case .output: "standard output cannot be written"
        case .temporary: "somebody else was first, or the server asks to wait: try again"
        case .protocolError: "whoever answers is no Livery server"
        case .permission: "no right to do this, or no safe way"
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
