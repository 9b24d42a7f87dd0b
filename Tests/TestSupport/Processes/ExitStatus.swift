// SPDX-License-Identifier: Apache-2.0

/// The end of a program.
package enum ExitStatus: Hashable, Sendable {
    /// It returned from `main` or called `exit` with this code, 0–255.
    case exited(Int32)
    /// This signal killed it.
    case signaled(Int32)

    /// Reads the status word of `wait(2)`; `nil` for a program that has only stopped or gone on.
    init?(waitStatus: Int32) {
        let signal = waitStatus & 0x7F
        switch signal {
        case 0: self = .exited(waitStatus >> 8 & 0xFF)
        case 0x7F: return nil
        default: self = .signaled(signal)
        }
    }

    /// Whether the program exited with success.
    package var isSuccess: Bool {
        self == .exited(0)
    }
}

extension ExitStatus: CustomStringConvertible {
    package var description: String {
        switch self {
        case .exited(let code): "exited with code \(code)"
        case .signaled(let number): "killed by signal \(number)"
        }
    }
}
