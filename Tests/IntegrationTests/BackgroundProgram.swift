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
        func sleeps() throws -> Int { try ProcessUsage(ofRunning: program).voluntaryContextSwitches }
        let before = try sleeps()
        try until("the program to run in the background") {
            let status = try String(contentsOfFile: "/proc/\(program)/status", encoding: .utf8)
            return try status.contains("\nState:\tT") || sleeps() >= before + 5
        }
    #endif
}
