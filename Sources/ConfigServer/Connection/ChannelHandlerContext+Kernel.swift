internal import NIOCore

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// What only the kernel knows of a connection.
extension ChannelHandlerContext {
    /// The bytes that the kernel has taken and the other side has not acknowledged.
    var unacknowledgedBytes: Int {
        let count = withSocket { socket in
            var count: CInt = 0
            #if canImport(Darwin)
                var length = socklen_t(MemoryLayout<CInt>.size)
                return getsockopt(socket, SOL_SOCKET, SO_NWRITE, &count, &length) == 0 ? count : 0
            #else
                return ioctl(socket, UInt(TIOCOUTQ), &count) == 0 ? count : 0
            #endif
        }
        return Int(count ?? 0)
    }

    /// Makes the end of the connection a reset, so that the kernel keeps nothing for a client that takes nothing.
    func resetOnClose() {
        _ = withSocket { socket in
            var now = linger(l_onoff: 1, l_linger: 0)
            return setsockopt(socket, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
        }
    }

    private func withSocket(_ body: (NIOBSDSocket.Handle) -> CInt) -> CInt? {
        try? pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self, body)
    }
}
