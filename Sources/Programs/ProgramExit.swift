// SPDX-License-Identifier: Apache-2.0

package import Basics

/// The exit codes of a program, for scripts: the numbers of `sysexits.h`, and 1 for the answer "no".
///
/// Every command of both programs ends with one of these. A server that cannot start or continue ends with ``negative`` if the
/// cause may be temporary, and with another code if a person must act.
package enum ProgramExit: Int32, CaseIterable, Sendable {
    case done = 0
    case negative = 1
    case usage = 64
    case data = 65
    case noInput = 66
    case unavailable = 69
    case system = 71
    case output = 74
    case temporary = 75
    case protocolError = 76
    case permission = 77

    package var meaning: String {
        switch self {
        case .done: "success; for diff: no differences"
        case .negative: "failure: differences found, key or revision not found, or not confirmed"
        case .usage: "invalid command line or environment variable"
        case .data: "invalid key, value or document"
        case .noInput: "cannot read a file"
        case .unavailable: "server unreachable or unavailable"
        case .system: "too few open files, threads or memory"
        case .output: "cannot write to standard output"
        case .temporary: "conflict with another writer, or too many requests: retry"
        case .protocolError: "not a Livery server"
        case .permission: "permission denied, or connection not secure"
        }
    }

    package static var table: String {
        let lines = allCases.map { exit in
            let number = "\(exit.rawValue)"
            return "  \(number)\(String(repeating: " ", count: 4 - number.count))\(exit.meaning)"
        }
        return (["EXIT CODES"] + lines).joined(separator: "\n")
    }
}

package struct ProgramFailure: Error, Hashable {
    package let exit: ProgramExit
    /// One line for people; empty if the output already contains it.
    package let message: String

    package init(_ exit: ProgramExit, _ message: String = "") {
        (self.exit, self.message) = (exit, message)
    }
}

extension ErrorCode {
    /// The exit code for an error of this kind; defined only here.
    package var exit: ProgramExit {
        switch self {
        case .notFound, .ended: .negative
        case .invalidSource, .invalidOption: .usage
        case .unreadable: .noInput
        case .unreachable, .unavailable, .offline, .cancelled: .unavailable
        case .conflict, .rateLimited: .temporary
        case .badResponse: .protocolError
        case .unauthorized, .forbidden, .insecure, .invalidToken: .permission
        default: .data
        }
    }
}
