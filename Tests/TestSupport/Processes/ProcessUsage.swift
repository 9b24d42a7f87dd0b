// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(Glibc)
    package import Glibc
#elseif canImport(Darwin)
    package import Darwin
#endif

extension ProcessUsage {
    #if os(Linux)
        /// The resources that a running process has used so far.
        ///
        /// The context switches are those of the threads that exist now; the kernel keeps no sum for a running process.
        package init(ofRunning process: pid_t) throws {
            let tasks = "/proc/\(process)/task"
            let statuses = try FileManager.default.contentsOfDirectory(atPath: tasks).compactMap { thread in
                // A thread may end between the listing and the reading.
                try? ProcStatus(path: "\(tasks)/\(thread)/status")
            }
            self.init(
                processorTime: try Self.processorTime(of: process),
                voluntaryContextSwitches: statuses.reduce(0) { $0 + ($1["voluntary_ctxt_switches"] ?? 0) },
                peakMemory: try ProcStatus(path: "/proc/\(process)/status")["VmHWM"].map { $0 * 1024 }
            )
        }

        /// The processor time of a process and of all its threads, ended ones included, to the nanosecond.
        /// (`/proc/<pid>/stat` counts in ticks of 10 ms.)
        private static func processorTime(of process: pid_t) throws(SystemError) -> Duration {
            var clock = clockid_t()
            let code = clock_getcpuclockid(process, &clock)
            if code != 0 { throw SystemError(call: "clock_getcpuclockid", subject: "\(process)", code: code) }
            var time = timespec()
            try checked("clock_gettime", on: "\(process)") { clock_gettime(clock, &time) }
            return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
        }
    #else
        /// The resources that a running process has used so far. The system counts all context switches together.
        package init(ofRunning process: pid_t) throws {
            var information = proc_taskinfo()
            let size = Int32(MemoryLayout<proc_taskinfo>.size)
            guard proc_pidinfo(process, PROC_PIDTASKINFO, 0, &information, size) == size else {
                throw SystemError(call: "proc_pidinfo", subject: "\(process)")
            }
            var timebase = mach_timebase_info_data_t()
            mach_timebase_info(&timebase)
            let ticks = information.pti_total_user + information.pti_total_system
            self.init(
                processorTime: .nanoseconds(Int64(ticks * UInt64(timebase.numer) / UInt64(timebase.denom))),
                voluntaryContextSwitches: Int(information.pti_csw),
                peakMemory: nil
            )
        }
    #endif
}

#if os(Linux)
    /// The numbers of one `status` file below `/proc`, each a line `name: number` with perhaps a unit.
    struct ProcStatus {
        private let lines: [Substring]

        init(path: String) throws {
            lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        }

        /// The number of a line, or `nil` if there is no such line.
        subscript(name: String) -> Int? {
            guard let line = lines.first(where: { $0.hasPrefix(name + ":") }) else { return nil }
            return line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
        }
    }
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
    /// The resident memory of a running process that no other one shares, in bytes; `nil` where the system does not report it.
    package static func privateMemory(of process: pid_t) throws -> Int? {
        #if os(Linux)
            let parts = try ProcStatus(path: "/proc/\(process)/smaps_rollup")
            return ((parts["Private_Clean"] ?? 0) + (parts["Private_Dirty"] ?? 0)) * 1024
        #else
            return nil
        #endif
    }

    /// The use between an earlier moment and this one; the peak is that of the later moment.
    package static func - (later: ProcessUsage, earlier: ProcessUsage) -> ProcessUsage {
        ProcessUsage(
            processorTime: later.processorTime - earlier.processorTime,
            voluntaryContextSwitches: later.voluntaryContextSwitches - earlier.voluntaryContextSwitches,
            peakMemory: later.peakMemory
        )
    }
}

/// The kernel's resources of this process at a moment, for tests that check for leaks.
package struct HeldResources: Hashable, Sendable {
    /// Open files, sockets and the like.
    package let descriptors: Int
    /// Threads; 0 where the system does not report them.
    package let threads: Int

    /// Counts.
    package init() throws {
        #if os(Linux)
            descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
            threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
        #else
            descriptors = try FileManager.default.contentsOfDirectory(atPath: "/dev/fd").count
            threads = 0
        #endif
    }

    /// Whether something has been left behind since an earlier moment by what was done thousands of times.
    ///
    /// A few of both come and go by load, whatever a program does: the system's pools grow by a thread for each processor
    /// and a few for timers, and open a descriptor for each kind of clock when it is first waited for.
    ///
    /// - Parameter others: The number of each that the rest of the process may have acquired since, such as concurrent tests.
    package func exceed(_ earlier: HeldResources, and others: Int = 0) -> Bool {
        let pool = ProcessInfo.processInfo.activeProcessorCount + 4
        return descriptors > earlier.descriptors + others + 4 || threads > earlier.threads + others + pool
    }
}

extension HeldResources: CustomStringConvertible {
    package var description: String { "\(descriptors) descriptors, \(threads) threads" }
}

extension Duration {
    /// The processor time of this thread, which other processes do not lengthen.
    package static var processorTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
