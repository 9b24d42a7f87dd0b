#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// What this process takes of the machine's memory.
enum ProcessMemory {
    /// Bytes that are in memory at present; 0 where that cannot be told.
    static var residentBytes: Int {
        #if os(Linux)
            guard let file = fopen("/proc/self/statm", "r") else { return 0 }
            defer { fclose(file) }
            var line = [CChar](repeating: 0, count: 256)
            guard fgets(&line, Int32(line.count), file) != nil else { return 0 }
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
            return pages * sysconf(Int32(_SC_PAGESIZE))
        #else
            var usage = rusage()
            return getrusage(RUSAGE_SELF, &usage) == 0 ? Int(usage.ru_maxrss) : 0
        #endif
    }
}
