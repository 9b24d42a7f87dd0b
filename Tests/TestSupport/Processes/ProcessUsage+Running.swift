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
