// SPDX-License-Identifier: Apache-2.0

internal import CLibrary

#if canImport(Glibc)
    internal import CFileSystem
#endif

/// The memory of the process.
package enum ProcessMemory {
    /// Whether the address space has a limit (RLIMIT_AS).
    package static var isLimited: Bool {
        var limit = rlimit()
        #if canImport(Glibc)
            let resource = __rlimit_resource_t(UInt32(RLIMIT_AS.rawValue))
        #else
            let resource = RLIMIT_AS
        #endif
        // RLIM_INFINITY is this or twice as much.
        return getrlimit(resource, &limit) == 0 && limit.rlim_cur < rlim_t(Int.max)
    }

    /// Has freed memory returned to the system: blocks of 1 MiB and more at once, and smaller ones from 8 MiB on.
    ///
    /// By default glibc keeps up to 64 MB in each of eight arenas a processor, once a block of 32 MB was freed. Two arenas a
    /// processor are as fast.
    ///
    /// - Parameter arenas: the maximum number of arenas.
    package static func returnFreeBlocks(arenas: Int) {
        #if canImport(Glibc)
            set_allocator(1 << 20, 8 << 20, Int32(clamping: arenas))
        #endif
    }
}
