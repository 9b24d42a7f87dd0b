// SPDX-License-Identifier: Apache-2.0

import CTestSupport

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file descriptor that is closed with its last owner and is never inherited by a child.
final class OwnedDescriptor: Sendable {
    /// The result of one non-blocking read.
    enum Chunk: Equatable {
        case bytes([UInt8])
        /// No data now; there may be more later.
        case nothing
        /// The other side has closed.
        case ended
    }

    let number: Int32

    /// Takes ownership of an open descriptor.
    init(_ number: Int32) throws(SystemError) {
        self.number = number
        try checked("fcntl") { fcntl(number, F_SETFD, FD_CLOEXEC) }
    }

    deinit {
        _ = close(number)
    }

    /// Creates a file to write to.
    convenience init(creating path: String) throws(SystemError) {
        try self.init(checked("open", on: path) { open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600) })
    }

    /// A pipe.
    static func pipe() throws(SystemError) -> (reading: OwnedDescriptor, writing: OwnedDescriptor) {
        var ends: [Int32] = [-1, -1]
        try checked("pipe") { livery_pipe(&ends) }
        return (try OwnedDescriptor(ends[0]), try OwnedDescriptor(ends[1]))
    }

    /// Makes reads and writes return at once instead of waiting.
    func becomeNonBlocking() throws(SystemError) {
        let flags = try checked("fcntl") { fcntl(number, F_GETFL) }
        try checked("fcntl") { fcntl(number, F_SETFL, flags | O_NONBLOCK) }
    }

    /// Reads what is there now, at most 64 KiB of it.
    ///
    /// A pseudo-terminal whose other side was closed answers `EIO` on Linux and nothing at all on macOS;
    /// both mean ``Chunk/ended``.
    func readChunk() throws(SystemError) -> Chunk {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        do throws(SystemError) {
            let count = try checked("read") { read(number, &buffer, buffer.count) }
            return count == 0 ? .ended : .bytes(Array(buffer.prefix(count)))
        } catch  where error.code == EAGAIN || error.code == EWOULDBLOCK {
            return .nothing
        } catch  where error.code == EIO {
            return .ended
        }
    }

    /// Writes as much as the other side accepts now, and returns the number of bytes.
    func writeChunk(_ bytes: some Collection<UInt8>) throws(SystemError) -> Int {
        let buffer = Array(bytes)
        do throws(SystemError) {
            return try checked("write") { write(number, buffer, buffer.count) }
        } catch  where error.code == EAGAIN || error.code == EWOULDBLOCK {
            return 0
        }
    }
}

extension OwnedDescriptor {
    /// A new pseudo-terminal: this process's side of it, and the path of the other one.
    static func openTerminal() throws(SystemError) -> (descriptor: OwnedDescriptor, path: String) {
        var path = [CChar](repeating: 0, count: 128)
        let descriptor = try OwnedDescriptor(checked("openpt") { livery_open_terminal(&path, path.count) })
        let bytes = path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return (descriptor, String(decoding: bytes, as: UTF8.self))
    }

    /// Opens a terminal, without letting it control this process.
    convenience init(terminal path: String) throws(SystemError) {
        try self.init(checked("open", on: path) { open(path, O_RDWR | O_NOCTTY | O_CLOEXEC) })
    }

    /// Resizes the terminal; the kernel notifies the programs on it.
    func setTerminalSize(columns: Int, rows: Int) throws(SystemError) {
        try checked("ioctl") {
            livery_set_terminal_size(number, UInt16(clamping: columns), UInt16(clamping: rows))
        }
    }
}
