// SPDX-License-Identifier: Apache-2.0

internal import CLibrary

/// Properties of sockets that systems name in different ways.
package enum Sockets {
    #if canImport(Glibc)
        /// To send without waiting, and without a signal if the other end is closed.
        package static let sendFlags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
        package static let datagram = Int32(SOCK_DGRAM.rawValue)
        /// TCP_NOTSENT_LOWAT, which limits the unsent bytes that the kernel keeps.
        package static let unsentLimitOption: Int32 = 25
    #else
        /// To send without waiting. The programs ignore SIGPIPE.
        package static let sendFlags = MSG_DONTWAIT
        package static let datagram = SOCK_DGRAM
        /// TCP_NOTSENT_LOWAT, which limits the unsent bytes that the kernel keeps.
        package static let unsentLimitOption: Int32 = 0x201
    #endif

    /// The maximum length of a Unix socket's path, in bytes.
    package static let maximumPathBytes = {
        // A terminating zero follows.
        let address = sockaddr_un()
        return MemoryLayout.size(ofValue: address.sun_path) - 1
    }()

    /// The bytes that the kernel has accepted and the other side has not acknowledged.
    package static func unacknowledgedBytes(of socket: Int32) -> Int {
        var count: Int32 = 0
        #if canImport(Glibc)
            return ioctl(socket, UInt(TIOCOUTQ), &count) == 0 ? Int(count) : 0
        #else
            var length = socklen_t(MemoryLayout<Int32>.size)
            return getsockopt(socket, SOL_SOCKET, SO_NWRITE, &count, &length) == 0 ? Int(count) : 0
        #endif
    }
}
