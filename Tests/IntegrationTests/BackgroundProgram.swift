// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Waits until a program in the background has taken notice: it has gone to sleep several times, or was stopped.
func waitUntilItRunsInTheBackground(_ program: pid_t) throws {
    #if os(Linux)
        let before = sleeps(of: program)
        try until("the program to run in the background") {
            ProcessState(of: program) == .stopped || sleeps(of: program) >= before + 5
        }
    #endif
}

/// The number of times that the threads of a process have gone to sleep.
private func sleeps(of process: pid_t) -> Int {
    let folder = "/proc/\(process)/task"
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return threads.reduce(0) { sum, thread in
        let status = (try? String(contentsOfFile: "\(folder)/\(thread)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
        return sum + (line.flatMap { Int($0.dropFirst(24).trimmingCharacters(in: .whitespaces)) } ?? 0)
    }
}
