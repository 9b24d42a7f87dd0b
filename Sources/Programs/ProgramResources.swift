// SPDX-License-Identifier: Apache-2.0

internal import CLibrary
internal import Files

/// The threads and file descriptors that a program needs before it can start.
///
/// Swift's runtime and libdispatch trap, or wait forever, where the system has none left. So a program looks first.
package enum ProgramResources {
    /// The number of descriptors that are opened at the same time to begin with: those of libdispatch, of a watch, and of
    /// the files that are read and written.
    static let descriptors = 8

    /// Checks that there are enough.
    ///
    /// - Parameter threads: The number of threads that the program runs at the same time, such as the manager and the workers
    ///   of libdispatch.
    /// - Throws: a `ProgramFailure` with the limit to raise.
    package static func check(threads: Int) throws(ProgramFailure) {
        try check(descriptors: descriptors)
        if !ProcessThreads.areFarFromLimits(threads) { try canStart(threads) }
    }

    private static func check(descriptors count: Int) throws(ProgramFailure) {
        var opened: [Int32] = []
        defer { for descriptor in opened { close(descriptor) } }
        while opened.count < count {
            let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw failure("open files", opened.count, of: count, errno, "ulimit -n") }
            opened.append(descriptor)
        }
    }

    private static func canStart(_ count: Int) throws(ProgramFailure) {
        #if canImport(Glibc)
            var started: [pthread_t] = []
        #else
            var started: [pthread_t?] = []
        #endif
        // They live until all have been started.
        var gate = pthread_mutex_t()
        pthread_mutex_init(&gate, nil)
        pthread_mutex_lock(&gate)
        defer { pthread_mutex_destroy(&gate) }
        let code = withUnsafeMutablePointer(to: &gate) { gate in
            var code: Int32 = 0
            while code == 0, started.count < count {
                #if canImport(Glibc)
                    var thread = pthread_t()
                #else
                    var thread: pthread_t?
                #endif
                code = pthread_create(&thread, nil, waitForGate, gate)
                if code == 0 { started.append(thread) }
            }
            pthread_mutex_unlock(gate)
            for thread in started {
                #if canImport(Glibc)
                    pthread_join(thread, nil)
                #else
                    if let thread { pthread_join(thread, nil) }
                #endif
            }
            return code
        }
        if code != 0 { throw failure("threads", started.count, of: count, code, "ulimit -u") }
    }

    private static func failure(
        _ what: String,
        _ found: Int,
        of count: Int,
        _ code: Int32,
        _ limit: String
    ) -> ProgramFailure {
        let reason = String(cString: strerror(code))
        let message = "cannot start: \(found) of \(count) \(what) available: \(reason); raise the limit (\(limit))"
        return ProgramFailure(.unavailable, message)
    }
}

#if canImport(Glibc)
    private func waitForGate(_ gate: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let gate = gate?.assumingMemoryBound(to: pthread_mutex_t.self) else { return nil }
        pthread_mutex_lock(gate)
        pthread_mutex_unlock(gate)
        return nil
    }
#else
    private func waitForGate(_ gate: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        let gate = gate.assumingMemoryBound(to: pthread_mutex_t.self)
        pthread_mutex_lock(gate)
        pthread_mutex_unlock(gate)
        return nil
    }
#endif
