/// A host and a port, as in `127.0.0.1:3000` and `[::1]:3000`.
package struct ListenAddress: Hashable, Sendable {
    /// A name or an address, without brackets.
    package var host: String
    /// The port; 0 for any free one.
    package var port: Int

    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Whether only programs on this machine can connect to it.
    package var isLoopback: Bool {
        host == "localhost" || IPAddress(host)?.isLoopback == true
    }
}

extension ListenAddress: LosslessStringConvertible {
    /// The address in the form of a URL.
    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// Parses `host:port` or `[IPv6]:port`.
    package init?(_ text: String) {
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
