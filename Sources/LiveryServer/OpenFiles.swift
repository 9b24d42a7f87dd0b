import Foundation

/// How many files, and so connections, the process may have open.
enum OpenFiles {
    /// Raises the limit as far as the system lets it: the usual 1,024 would be few connections.
    static func raiseLimit() {
        var limit = rlimit()
        #if os(Linux)
            let files = __rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue))
        #else
            let files = RLIMIT_NOFILE
        #endif
        guard getrlimit(files, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
        limit.rlim_cur = min(limit.rlim_max, 1 << 20)
        setrlimit(files, &limit)
    }
}
