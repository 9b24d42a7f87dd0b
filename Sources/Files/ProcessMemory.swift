// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    internal import CFileSystem
#endif

/// The memory of the process.
package enum ProcessMemory {
    /// Has freed blocks of 1 MiB and more returned to the system at once.
    ///
    /// By default glibc keeps up to 64 MB for each of many threads, once a block of 32 MB was freed.
    package static func returnLargeBlocks() {
        #if canImport(Glibc)
            set_block_thresholds(1 << 20, 8 << 20)
        #endif
    }
}
