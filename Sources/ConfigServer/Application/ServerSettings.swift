package import NIOCore

/// How a server is run.
package struct ServerSettings: Sendable {
    /// Where to listen.
    package var address = ListenAddress(host: "127.0.0.1", port: 3000)
    /// Files for TLS; plain HTTP without.
    package var tls: TLSFiles?
    /// The origins whose pages may read and write, or `*`; none by default.
    package var corsOrigins: [String] = []
    /// Names that the server answers to, beside those of this machine, while it has no tokens.
    package var allowedHosts: [String] = []
    /// The proxies that are believed when they say for whom they ask.
    package var trustedProxies = TrustedProxies()
    /// How much a server takes.
    package var limits = ServerLimits()
    /// Compresses a body; `nil` if that does not pay.
    package var compress: @Sendable (ByteBuffer) -> ByteBuffer? = { Gzip.compress($0) }
    /// How many threads serve connections.
    package var eventLoops: Int?

    package init() {}

    /// The certificate and its key, as PEM files.
    package struct TLSFiles: Hashable, Sendable {
        package var certificate: String
        package var privateKey: String

        package init(certificate: String, privateKey: String) {
            self.certificate = certificate
            self.privateKey = privateKey
        }
    }
}

/// A host and a port, as in `127.0.0.1:3000` and `[::1]:3000`.
package struct ListenAddress: Hashable, Sendable {
    /// A name or an address, without brackets.
    package var host: String
    /// The port; 0 for any that is free.
    package var port: Int

    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Whether only programs on this machine can reach it.
    package var isLoopback: Bool {
        host == "localhost" || IPAddress(host)?.isLoopback == true
    }
}

extension ListenAddress: LosslessStringConvertible {
    /// The address as it stands in a URL.
    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// Reads `host:port` or `[IPv6]:port`.
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
