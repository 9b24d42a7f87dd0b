// SPDX-License-Identifier: Apache-2.0

internal import CLibrary

/// A descriptor that a program writes to and does not own. A failed write is an error for the caller, and never ends the
/// process: call ``StandardStreams/prepare()`` first, so that a closed pipe is such an error too.
package struct Output: Sendable {
    package let descriptor: Int32

    package init(descriptor: Int32) { self.descriptor = descriptor }

    package static let standard = Output(descriptor: STDOUT_FILENO)
    package static let error = Output(descriptor: STDERR_FILENO)

    /// Writes all bytes, and waits for a reader that is slow.
    /// - Throws: ``OutputError``, with how many bytes were written before.
    package func write(_ bytes: some Sequence<UInt8>) throws(OutputError) {
        let bytes = Array(bytes)
        var done = 0
        while done < bytes.count {
            let (count, code) = bytes.withUnsafeBytes { buffer in
                // macOS refuses more than 2 GiB at once.
                let room = min(buffer.count - done, 1 << 30)
                let count = writeOnce(descriptor, buffer.baseAddress?.advanced(by: done), room)
                return (count, errno)
            }
            switch (count, code) {
            case (1..., _): done += count
            case (0, _): throw OutputError(code: EIO, written: done)
            case (_, EINTR): continue
            // Another process that shares the descriptor has made it non-blocking.
            case (_, EAGAIN), (_, EWOULDBLOCK): _ = hasRoom(waiting: -1)
            default: throw OutputError(code: code, written: done)
            }
        }
    }

    package func write(_ text: String) throws(OutputError) { try write(text.utf8) }

    package var isTerminal: Bool { isatty(descriptor) != 0 }

    /// Writes a line for people, and ignores that it cannot be written.
    package func writeLine(_ line: String) { try? write(line + "\n") }

    /// Whether a write of a few bytes would not wait: there is room, or it would fail at once.
    /// Only pipes and sockets report that: a terminal may have room for less than a line, and a file is ready at all
    /// times, however slow its disk is.
    package var takesBytesNow: Bool { isPipeOrSocket && hasRoom(waiting: 0) }

    private var isPipeOrSocket: Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return false }
        return [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT)
    }

    /// The maximum number of bytes that a write passes on without blocking if ``takesBytesNow`` is true.
    package static let atomicSize = Int(PIPE_BUF)

    private func hasRoom(waiting milliseconds: Int32) -> Bool {
        var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&state, 1, milliseconds) > 0
    }
}

/// The system's call, which the methods of the same name hide.
private func writeOnce(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}

/// The error of an output: it is closed, its disk is full, or its reader has closed it.
package struct OutputError: Error, Hashable, CustomStringConvertible {
    /// As in `errno`.
    package let code: Int32
    /// The number of bytes written before the error.
    package let written: Int

    package init(code: Int32, written: Int = 0) {
        self.code = code
        self.written = written
    }

    package static let brokenPipe = EPIPE

    /// Whether the reader of a pipe has ended, which is not an error.
    package var isBrokenPipe: Bool { code == Self.brokenPipe }

    /// The system's words, such as `No space left on device`.
    package var reason: String { String(cString: strerror(code)) }

    package var description: String { "cannot write the output: \(reason)" }
}

/// Input typed on a terminal, or from a pipe or a file.
package enum StandardInput {
    package static let descriptor = STDIN_FILENO

    package static var isTerminal: Bool { isatty(STDIN_FILENO) != 0 }

    /// A line, byte by byte, since what follows it is for someone else; `nil` at the end of the input.
    package static func line() -> String? {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while read(STDIN_FILENO, &byte, 1) == 1 {
            if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(byte)
        }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }
}

/// The three descriptors that a program begins with.
package enum StandardStreams {
    /// Turns failures of the standard streams into errors of the calls that write. Call it before anything else. A
    /// write to a pipe without a reader, or beyond the file size limit (RLIMIT_FSIZE), fails instead of ending the
    /// process. A descriptor that the caller has closed stays unusable: without this, the next opened file or socket
    /// would get its number, and with it the program's output.
    package static func prepare() {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 && errno == EBADF {
            // The lowest free number is this one. Open the wrong way round, so that to read or to write fails.
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    package static func endProcess(_ code: Int32) -> Never { exit(code) }

    /// Ends the process without running its exit handlers, which may wait for a blocked thread.
    package static func endProcessAtOnce(_ code: Int32) -> Never { _exit(code) }

    /// Ends the process at once by a signal, for the parent to see, as it ends programs that do not handle it.
    package static func endProcess(bySignal number: Int32) -> Never {
        signal(number, SIG_DFL)
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, number)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(number)
        // A tracer may have removed the signal, and the first process of a container ignores it.
        _exit(128 + number)
    }

    /// Ends the process silently, as a pipe without a reader ends other programs.
    package static func endByBrokenPipe() -> Never { endProcess(bySignal: SIGPIPE) }
}
