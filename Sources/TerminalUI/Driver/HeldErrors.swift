internal import CNCurses

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Keeps what is written to standard error while the screen is full, and tells it afterwards.
///
/// A library's warning, or the last words of a crash, would otherwise be drawn into the picture and lost with it.
struct HeldErrors {
    /// Where messages go meanwhile.
    let descriptor: Int32
    /// Standard error as it was.
    let original: Int32
    private let stream: UnsafeMutablePointer<FILE>

    /// Begins to hold; `nil` if there is no memory for it, in which case messages go where they always go.
    init?() {
        guard let stream = lvy_open_memory_stream() else { return nil }
        self.stream = stream
        descriptor = fileno(stream)
        original = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)
        guard original >= 0, dup2(descriptor, STDERR_FILENO) >= 0 else {
            if original >= 0 { close(original) }
            fclose(stream)
            return nil
        }
    }

    /// Gives standard error back and writes what was held.
    func release() {
        dup2(original, STDERR_FILENO)
        var offset: off_t = 0
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = chunk.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, offset) }
            guard count > 0 else { break }
            // What a pipe takes may be less than what it is given.
            let written = write(STDERR_FILENO, chunk, count)
            guard written > 0 || written < 0 && errno == EINTR else { break }
            offset += off_t(max(written, 0))
        }
        close(original)
        fclose(stream)
    }
}
