// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(Glibc)
    package import Glibc
#elseif canImport(Darwin)
    package import Darwin
#endif

/// The state of a process at a moment, with regard to job control.
package enum ProcessState: Hashable, Sendable {
    /// It runs or could, or waits for something.
    case active
    /// A signal such as SIGTSTP stopped it.
    case stopped
    /// It has ended (and perhaps waits for its parent to ask how), or never was.
    case ended

    /// Reads the state of a process by its id.
    package init(of process: pid_t) {
        #if os(Linux)
            // The second field is the program's name in parentheses, and may hold spaces and parentheses itself.
            let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
            guard let status, let close = status.lastIndex(of: ")") else {
                self = .ended
                return
            }
            switch status[close...].dropFirst(2).first {
            case "T", "t": self = .stopped
            case "Z", "X", nil: self = .ended
            default: self = .active
            }
        #else
            var information = proc_bsdinfo()
            let size = Int32(MemoryLayout<proc_bsdinfo>.size)
            guard proc_pidinfo(process, PROC_PIDTBSDINFO, 0, &information, size) == size else {
                self = .ended
                return
            }
            switch Int32(bitPattern: information.pbi_status) {
            case SSTOP: self = .stopped
            case SZOMB: self = .ended
            default: self = .active
            }
        #endif
    }
}
