// SPDX-License-Identifier: Apache-2.0

internal import CLibrary

/// The files that this process has open, sockets included, and its limit.
package enum ProcessFiles {
    #if canImport(Glibc)
        private static let resource = __rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue))
        private static let highest = rlim_t(1 << 20)
    #else
        private static let resource = RLIMIT_NOFILE
        /// macOS refuses a higher limit with EINVAL, also if the hard one is unlimited.
        private static let highest = rlim_t(OPEN_MAX)
    #endif

    /// The number of open files; `nil` where the system does not list them.
    package static var count: Int? {
        guard let folder = opendir("/dev/fd") else { return nil }
        defer { closedir(folder) }
        // Without `.`, `..` and the folder itself.
        var count = -3
        while readdir(folder) != nil { count += 1 }
        return count
    }

    /// The highest number of open files; `nil` if it cannot be read.
    package static var limit: Int? { current.map { Int(clamping: $0.rlim_cur) } }

    /// Raises the limit as far as the system allows, to about a million.
    ///
    /// - Returns: the limit then; `nil` if it cannot be read.
    package static func raiseLimit() -> Int? {
        guard var raised = current else { return nil }
        let former = raised.rlim_cur
        raised.rlim_cur = max(former, min(raised.rlim_max, highest))
        return Int(clamping: setrlimit(resource, &raised) == 0 ? raised.rlim_cur : former)
    }

    private static var current: rlimit? {
        var limit = rlimit()
        return getrlimit(resource, &limit) == 0 ? limit : nil
    }
}

/// The memory and the processor time that this process has used.
package enum ProcessUse {
    /// In bytes; on systems without `/proc`, the highest so far.
    package static var residentBytes: Int {
        #if canImport(Glibc)
            // Without `/proc`, the size is unknown, which metrics show as 0.
            guard let bytes = try? FileContent.bytes(at: "/proc/self/statm", atMost: 4096) else { return 0 }
            let fields = String(decoding: bytes, as: UTF8.self).split(separator: " ")
            return (fields.dropFirst().first.flatMap { Int($0) } ?? 0) * sysconf(Int32(_SC_PAGESIZE))
        #else
            return Int(usage.ru_maxrss)
        #endif
    }

    /// In seconds, for the program and for the system on its behalf.
    package static var processorSeconds: Double {
        [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
    }

    private static var usage: rusage {
        var usage = rusage()
        #if canImport(Glibc)
            getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        #else
            getrusage(RUSAGE_SELF, &usage)
        #endif
        return usage
    }
}
