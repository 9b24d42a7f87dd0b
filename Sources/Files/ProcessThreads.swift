// SPDX-License-Identifier: Apache-2.0

internal import CFileSystem
internal import CLibrary

/// Settings of threads and signals that systems have in different ways.
package enum ProcessThreads {
    /// Lets other threads of the process go before the calling one.
    package static func lowerPriority() {
        #if canImport(Glibc)
            // PRIO_PROCESS is 0. On Linux this is for the calling thread alone.
            setpriority(0, 0, 10)
        #else
            pthread_set_qos_class_self_np(QOS_CLASS_UTILITY, 0)
        #endif
    }

    /// Names the calling thread, for `top -H` and profilers, which on Linux show 15 bytes.
    package static func setName(_ name: String) {
        #if canImport(Glibc)
            _ = set_thread_name(name)
        #else
            pthread_setname_np(name)
        #endif
    }

    /// Leaves a signal to a dispatch source.
    package static func deliverToDispatchSource(signal number: Int32) {
        #if !canImport(Glibc)
            // On Linux the source replaces the handler.
            signal(number, SIG_IGN)
        #endif
    }

    /// Whether no limit that can be read is near: then this process can start that many threads more.
    ///
    /// Reading takes a tenth of the time of starting them. A user has no more threads than the system, whose number is in
    /// `/proc/loadavg`. The limit of a control group outside of a container cannot be read in it.
    ///
    /// - Parameter root: a folder in place of the root of the file system, for tests.
    package static func areFarFromLimits(_ count: Int, root: String = "") -> Bool {
        #if canImport(Glibc)
            var user = rlimit()
            guard getrlimit(__rlimit_resource_t(UInt32(__RLIMIT_NPROC.rawValue)), &user) == 0,
                let threads = number(bytes(of: root + "/proc/loadavg").drop { $0 != UInt8(ascii: "/") }.dropFirst()),
                threads + count <= Int(clamping: user.rlim_cur)
            else { return false }
            return controlGroups(root).allSatisfy { group in
                guard let limit = number(bytes(of: group + "/pids.max")[...]) else { return true }
                return number(bytes(of: group + "/pids.current")[...]).map { $0 + count <= limit } ?? false
            }
        #else
            return false
        #endif
    }

    #if canImport(Glibc)
        /// The folders of the control groups that limit this process, from the root of all to its own.
        private static func controlGroups(_ root: String) -> [String] {
            // A line is `0::/path`, or `8:pids:/path` with the first version of control groups.
            let lines = bytes(of: root + "/proc/self/cgroup").split(separator: UInt8(ascii: "\n")).map {
                $0.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
            }
            let first = lines.first { $0.count == 3 && $0[1].elementsEqual("pids".utf8) }
            var groups = [root + "/sys/fs/cgroup" + (first == nil ? "" : "/pids")]
            let path = (first ?? lines.first { $0.count == 3 && $0[1].isEmpty })?[2] ?? []
            for name in path.split(separator: UInt8(ascii: "/")) {
                groups.append(groups[groups.count - 1] + "/" + String(decoding: name, as: UTF8.self))
            }
            return groups
        }

        /// Empty if there is no such file, as without control groups.
        private static func bytes(of path: String) -> [UInt8] {
            (try? FileContent.bytes(at: path, atMost: 1 << 16)) ?? []
        }

        /// The number at the beginning; `nil` if there is none, as in an empty file and for `max`.
        private static func number(_ text: ArraySlice<UInt8>) -> Int? {
            Int(String(decoding: text.prefix { (0x30...0x39).contains($0) }, as: UTF8.self))
        }
    #endif
}
