// SPDX-License-Identifier: Apache-2.0

import Foundation

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
