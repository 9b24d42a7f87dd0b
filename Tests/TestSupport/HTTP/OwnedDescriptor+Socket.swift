// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
    private let stream = Int32(SOCK_STREAM.rawValue)
#elseif canImport(Darwin)
    import Darwin
    private let stream = SOCK_STREAM
#endif

extension OwnedDescriptor {
    /// A socket that listens on a port of 127.0.0.1: this one, or one that is free.
    ///
    /// On Linux the port stays with the socket after it has been shut down, until it is closed, so that no other test gets it.
    /// A port that the kernel chose itself would be free again at once.
    static func listening(port: Int = 0) throws(SystemError) -> (descriptor: OwnedDescriptor, port: Int) {
        #if os(Linux)
            if port == 0 {
                let reserved = try bound()
                return try listening(port: reserved.port)
            }
        #endif
        let (descriptor, port) = try bound(to: port)
        try checked("listen") { listen(descriptor.number, 1024) }
        return (descriptor, port)
    }

    /// A socket that has a port of 127.0.0.1 and does not listen on it. The system never hands it out as a free port,
    /// while a server that asks for this port with `SO_REUSEADDR`, as most do, may have it.
    static func bound(to port: Int = 0) throws(SystemError) -> (descriptor: OwnedDescriptor, port: Int) {
        let descriptor = try OwnedDescriptor(checked("socket") { socket(AF_INET, stream, 0) })
        // For a port that another server has just left.
        var isReused: Int32 = 1
        setsockopt(descriptor.number, SOL_SOCKET, SO_REUSEADDR, &isReused, socklen_t(MemoryLayout<Int32>.size))
        let found = try withLoopbackAddress(port) { (address, length) throws(SystemError) in
            try checked("bind") { bind(descriptor.number, address, length.pointee) }
            try checked("getsockname") { getsockname(descriptor.number, address, length) }
        }
        return (descriptor, found)
    }

    /// A Unix socket that listens at a path.
    static func listening(socket path: String) throws(SystemError) -> OwnedDescriptor {
        let descriptor = try OwnedDescriptor(checked("socket") { socket(AF_UNIX, stream, 0) })
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        _ = try withUnsafeMutablePointer(to: &address) { (pointer) throws(SystemError) in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { (address) throws(SystemError) in
                try checked("bind", on: path) { bind(descriptor.number, address, length) }
            }
        }
        try checked("listen", on: path) { listen(descriptor.number, 1024) }
        return descriptor
    }

    /// Lends the address of a port of 127.0.0.1 to a system call, and returns the port that it holds afterwards.
    @discardableResult
    private static func withLoopbackAddress(
        _ port: Int,
        _ body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) throws(SystemError) -> Void
    ) throws(SystemError) -> Int {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        try withUnsafeMutablePointer(to: &address) { (pointer) throws(SystemError) in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { (address) throws(SystemError) in
                try body(address, &length)
            }
        }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    /// A connection to a port of 127.0.0.1.
    static func connected(to port: Int) throws(SystemError) -> OwnedDescriptor {
        let descriptor = try OwnedDescriptor(checked("socket") { socket(AF_INET, stream, 0) })
        try withLoopbackAddress(port) { (address, length) throws(SystemError) in
            try checked("connect") { connect(descriptor.number, address, length.pointee) }
        }
        descriptor.sendAtOnce()
        return descriptor
    }

    /// The next connection; `nil` once the socket has been shut down.
    func accept() -> OwnedDescriptor? {
        while true {
            if let number = try? checked("accept", { systemAccept(number) }) {
                let connection = try? OwnedDescriptor(number)
                connection?.sendAtOnce()
                return connection
            }
            if [ECONNABORTED, EMFILE, ENFILE].contains(errno) { continue }
            return nil
        }
    }

    private func systemAccept(_ number: Int32) -> Int32 {
        #if canImport(Glibc)
            Glibc.accept(number, nil, nil)
        #else
            Darwin.accept(number, nil, nil)
        #endif
    }

    private func sendAtOnce() {
        var one: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        _ = setsockopt(number, Int32(IPPROTO_TCP), TCP_NODELAY, &one, size)
        #if canImport(Darwin)
            _ = setsockopt(number, SOL_SOCKET, SO_NOSIGPIPE, &one, size)
        #endif
    }

    /// Waits for some bytes; `nil` at the end.
    func receive(atMost limit: Int = 65_536) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: limit)
        let count = (try? checked("recv") { recv(number, &buffer, buffer.count, 0) }) ?? 0
        return count > 0 ? Array(buffer.prefix(count)) : nil
    }

    /// Waits until all bytes are on their way.
    func sendAll(_ bytes: [UInt8]) throws(SystemError) {
        #if canImport(Glibc)
            let flags = Int32(MSG_NOSIGNAL)
        #else
            let flags: Int32 = 0
        #endif
        var sent = 0
        while sent < bytes.count {
            sent += try checked("send") {
                bytes.withUnsafeBytes { send(number, $0.baseAddress?.advanced(by: sent), $0.count - sent, flags) }
            }
        }
    }

    /// Ends both directions, which wakes all waiters on the socket.
    func shutDown() {
        _ = shutdown(number, Int32(SHUT_RDWR))
    }

    /// Ends the direction away from here.
    func shutDownSending() {
        _ = shutdown(number, Int32(SHUT_WR))
    }

    /// Makes the last close a reset.
    func resetOnClose() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        _ = setsockopt(number, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
    }
}
