package import ConfigStore
package import NIOCore

/// How to run a server. The defaults here and in ``ServerLimits`` are those of `livery-server`.
package struct ServerSettings: Sendable {
    /// Where to listen.
    package var address = HostAndPort(host: "127.0.0.1", port: 3000)
    /// The files for TLS; plain HTTP without.
    package var tls: ServerCertificate.Files?
    /// The origins whose pages may read and write, or `*`; none by default.
    package var corsOrigins: [String] = []
    /// Host names that the server answers to without tokens, beside those of this machine.
    package var allowedHosts: [String] = []
    /// The proxies whose statements about the client's address are believed.
    package var trustedProxies = TrustedProxies()
    /// How much the server accepts, and how long it waits.
    package var limits = ServerLimits()
    /// Compresses a body; `nil` if that does not pay.
    package var compress: @Sendable (ByteBuffer) -> ByteBuffer? = { Gzip.compress($0) }
    /// The number of threads that serve connections; one per processor by default.
    package var eventLoops: Int?

    package init() {}
}
