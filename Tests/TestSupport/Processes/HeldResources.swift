import Foundation

/// What the kernel holds for this process at a moment, for tests that nothing is left behind.
package struct HeldResources: Hashable, Sendable {
    /// Open files, sockets and the like.
    package let descriptors: Int
    /// Threads; 0 where the system does not tell.
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

    /// Whether something has been left behind since an earlier moment by what was done over and over.
    ///
    /// The system's pools of threads grow and shrink by load, whatever a program does: by a thread for each processor,
    /// and a few for timers.
    ///
    /// - Parameter descriptors: so many may have been opened by others in this process.
    package func exceed(_ earlier: HeldResources, byMoreThan descriptors: Int = 0) -> Bool {
        let pool = ProcessInfo.processInfo.activeProcessorCount + 4
        return self.descriptors > earlier.descriptors + descriptors || threads > earlier.threads + pool
    }
}

extension HeldResources: CustomStringConvertible {
    package var description: String { "\(descriptors) descriptors, \(threads) threads" }
}
