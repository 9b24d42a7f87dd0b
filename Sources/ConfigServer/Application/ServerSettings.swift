package import ConfigStore
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

/// Where a server listens.
package typealias ListenAddress = HostAndPort
