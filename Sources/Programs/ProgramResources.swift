// SPDX-License-Identifier: Apache-2.0

internal import CLibrary
internal import CThreadGuard
internal import Files

/// The files, the memory and the threads that a program needs before it can start.
///
/// Swift's runtime and libdispatch trap, or wait forever, where the system has none left. So a program looks first.
package enum ProgramResources {
    /// Checks that files can be opened; raises the limit if there are too few.
    ///
    /// - Parameter count: The number of descriptors that the program opens at the same time, without the inherited ones.
    /// - Throws: a `ProgramFailure` with the limit to raise.
    package static func check(files count: Int) throws(ProgramFailure) {
        if freeFiles(atMost: count) == count { return }
        _ = ProcessFiles.raiseLimit()
        let free = freeFiles(atMost: count)
        if free == count { return }
        throw ProgramFailure(
            .system,
            "cannot start: \(free) of \(count) open files available; raise the limit (ulimit -n)"
        )
    }

    private static func freeFiles(atMost count: Int) -> Int {
        var opened: [Int32] = []
        defer { for descriptor in opened { close(descriptor) } }
        while opened.count < count, case let copy = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0), copy >= 0 {
            opened.append(copy)
        }
        return opened.count
    }

    /// Checks that memory can be allocated.
    ///
    /// - Parameter megabytes: The address space that the program takes besides its code, the stacks of its threads included.
    /// - Throws: a `ProgramFailure` with the limit to raise.
    package static func check(megabytes: Int) throws(ProgramFailure) {
        // An arena takes 64 MB of it for its thread.
        if ProcessMemory.isLimited { ProcessMemory.returnFreeBlocks(arenas: 1) }
        let size = megabytes << 20
        let block = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON | MAP_NORESERVE, -1, 0)
        if block != MAP_FAILED {
            munmap(block, size)
            return
        }
        throw ProgramFailure(
            .system,
            "cannot start: less than \(megabytes) MB of memory available; raise the limit (ulimit -v)"
        )
    }

    /// Checks that threads can be started.
    ///
    /// - Parameter count: The number of threads that the program runs at the same time, such as the manager and the workers of
    ///   libdispatch.
    /// - Throws: a `ProgramFailure` with the limit to raise.
    package static func check(threads count: Int) throws(ProgramFailure) {
        if !ProcessThreads.areFarFromLimits(count) { try canStart(count) }
    }

    /// Ends the program with a message where a thread cannot be started later.
    ///
    /// - Parameter prefix: what the program's messages begin with.
    package static func endWithoutThreads(_ prefix: String) {
        let message = "cannot start a thread; raise the limit of processes (ulimit -u) or memory (ulimit -v)"
        lvy_end_without_threads("\(prefix)\(message)\n", ProgramExit.system.rawValue)
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
        if code == 0 { return }
        let reason = String(cString: strerror(code))
        throw ProgramFailure(
            .system,
            "cannot start: \(started.count) of \(count) threads available: \(reason); raise the limit (ulimit -u)"
        )
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
