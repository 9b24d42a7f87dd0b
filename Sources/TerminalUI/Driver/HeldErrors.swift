// SPDX-License-Identifier: Apache-2.0

internal import CLibrary
internal import CTerminalGuard

/// Buffers output on standard error during the full screen: a library's warning, or the message of a crash, would be drawn over
/// the screen and lost with it.
struct HeldErrors {
    /// The target of messages during the full screen.
    let descriptor: Int32
    /// Standard error as it was.
    let original: Int32
    private let stream: UnsafeMutablePointer<FILE>

    /// Starts to buffer messages; `nil` if there is no memory for them, and standard error stays unchanged.
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

    /// Restores standard error and writes the buffered messages.
    func release() {
        dup2(original, STDERR_FILENO)
        var offset: off_t = 0
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = chunk.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, offset) }
            guard count > 0 else { break }
            // A pipe may accept fewer bytes than it is offered.
            let written = write(STDERR_FILENO, chunk, count)
            guard written > 0 || written < 0 && errno == EINTR else { break }
            offset += off_t(max(written, 0))
        }
        close(original)
        fclose(stream)
    }
}
