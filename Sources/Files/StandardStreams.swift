#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The three descriptors that a program begins with.
package enum StandardStreams {
    /// Makes faults of the standard streams errors of the calls that meet them. Call it before anything else.
    ///
    /// A write to a pipe without a reader fails instead of ending the process. A descriptor that the caller has closed
    /// stays unusable: without this, the next file or socket to be opened would get its number, and with it what the
    /// program prints.
    package static func prepare() {
        signal(SIGPIPE, SIG_IGN)
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 && errno == EBADF {
            // The lowest free number is this one. Open the wrong way round, so that to read or to write fails.
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Ends the process with an exit code.
    package static func endProcess(_ code: Int32) -> Never {
        exit(code)
    }

    /// Ends the process as a pipe without a reader ends other programs: silently, and by SIGPIPE for the parent to see.
    package static func endByBrokenPipe() -> Never {
        signal(SIGPIPE, SIG_DFL)
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(SIGPIPE)
        // Whoever traces the process may have taken the signal away.
        exit(128 + SIGPIPE)
    }
}
