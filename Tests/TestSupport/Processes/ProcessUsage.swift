// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The resources that a process has used so far. The difference of two of them is its use in between.
package struct ProcessUsage: Hashable, Sendable {
    /// Time on a processor, in user and kernel mode, of all threads, ended ones included.
    package var processorTime: Duration
    /// The number of times that its threads went to sleep by themselves. An idle program hardly ever does: each wakeup ends
    /// with one.
    package var voluntaryContextSwitches: Int
    /// The largest resident memory in bytes, or `nil` where the system does not report it: after the end (the number
    /// that `wait4` reports then includes the memory of the process that started it), and on macOS.
    package var peakMemory: Int?
}

extension ProcessUsage {
    /// The resources that an ended process has used.
    init(_ usage: rusage) {
        func duration(_ time: timeval) -> Duration {
            .seconds(Int64(time.tv_sec)) + .microseconds(Int64(time.tv_usec))
        }
        self.init(
            processorTime: duration(usage.ru_utime) + duration(usage.ru_stime),
            voluntaryContextSwitches: Int(usage.ru_nvcsw),
            peakMemory: nil
        )
    }
}

extension ProcessUsage {
    /// The use between an earlier moment and this one; the peak is that of the later moment.
    package static func - (later: ProcessUsage, earlier: ProcessUsage) -> ProcessUsage {
        ProcessUsage(
            processorTime: later.processorTime - earlier.processorTime,
            voluntaryContextSwitches: later.voluntaryContextSwitches - earlier.voluntaryContextSwitches,
            peakMemory: later.peakMemory
        )
    }
}
