// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// Counts how often the threads of a process were woken or made way for another one, from samples of the counters
/// that each thread has.
///
/// A thread that ends takes its counter with it; only what it did since the last sample is lost.
struct WakeupCounter {
    /// The counters by the thread's id.
    typealias Sample = [Int: Int]

    private var last: Sample
    private(set) var count = 0

    init(startingFrom sample: Sample) {
        last = sample
    }

    mutating func add(_ sample: Sample) {
        for (thread, switches) in sample {
            count += max(switches - (last[thread] ?? 0), 0)
        }
        last = sample
    }
}

extension WakeupCounter.Sample {
    #if os(Linux)
        /// The voluntary and involuntary context switches of every thread that a process has now.
        init(of process: pid_t) throws {
            self.init()
            let tasks = "/proc/\(process)/task"
            for thread in try FileManager.default.contentsOfDirectory(atPath: tasks) {
                // A thread may end between the listing and the reading.
                guard let status = try? String(contentsOfFile: "\(tasks)/\(thread)/status", encoding: .utf8),
                    let identifier = Int(thread)
                else { continue }
                // Both lines, `voluntary_…` and `nonvoluntary_…`.
                let lines = status.split(separator: "\n").filter { $0.contains("voluntary_ctxt_switches:") }
                let counts = lines.compactMap { $0.split(whereSeparator: \.isWhitespace).last }
                self[identifier] = counts.compactMap { Int($0) }.reduce(0, +)
            }
        }
    #endif
}

extension PseudoTerminal {
    /// The counters of the program's threads; where the system does not tell them apart, their sum.
    func contextSwitches() throws -> WakeupCounter.Sample {
        #if os(Linux)
            return try WakeupCounter.Sample(of: processIdentifier)
        #else
            return [0: try usage().voluntaryContextSwitches]
        #endif
    }
}
