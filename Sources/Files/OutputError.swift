#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Why something cannot be written: the output is closed, its disk is full, or its reader has gone.
package struct OutputError: Error, Hashable, CustomStringConvertible {
    /// The number of the error, as in `errno`.
    package let code: Int32
    /// How many bytes were written before.
    package let written: Int

    /// Creates an error.
    package init(code: Int32, written: Int = 0) {
        self.code = code
        self.written = written
    }

    /// The number of the error of a pipe that nobody reads.
    package static let brokenPipe = EPIPE

    /// Whether the reader of a pipe has gone: it wants no more, and needs no message.
    package var isBrokenPipe: Bool { code == Self.brokenPipe }

    /// The system's words, such as `No space left on device`.
    package var reason: String { String(cString: strerror(code)) }

    /// A sentence for people.
    package var description: String { "the output cannot be written: \(reason)" }
}
