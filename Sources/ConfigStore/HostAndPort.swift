// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// A host and a port, as in `127.0.0.1:3000` and `[::1]:3000`.
public struct HostAndPort: Hashable, Sendable {
    /// A name or an address, without brackets.
    public var host: String
    /// The port; 0 for any that is free, where a server listens.
    public var port: Int

    /// Creates a place from its parts.
    public init(host: String, port: Int) {
        (self.host, self.port) = (host, port)
    }

    /// Whether only programs on this machine can reach it.
    public var isLoopback: Bool {
        // The parser below is C's, to which a NUL is the end.
        if host == "localhost" || host.utf8.contains(0) { return host == "localhost" }
        var (four, six) = (in_addr(), in6_addr())
        if inet_pton(AF_INET, host, &four) == 1 { return UInt32(bigEndian: four.s_addr) >> 24 == 127 }
        guard inet_pton(AF_INET6, host, &six) == 1 else { return false }
        let bytes = withUnsafeBytes(of: &six) { Array($0) }
        // ::1, and 127.0.0.0/8 mapped into IPv6.
        return bytes == [UInt8](repeating: 0, count: 15) + [1]
            || bytes.starts(with: [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF, 127])
    }
}

extension HostAndPort: LosslessStringConvertible {
    /// The form that a URL has.
    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// Reads `host:port` or `[IPv6]:port`.
    public init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return nil
        }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty else { return nil }
        self.init(host: String(host), port: Int(port))
    }
}
