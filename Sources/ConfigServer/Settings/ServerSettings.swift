// SPDX-License-Identifier: Apache-2.0

public import ConfigHub
public import ConfigStore
package import NIOCore

/// How to run a server. The defaults here and in ``ServerLimits`` are those of `livery-server`.
public struct ServerSettings: Sendable {
    /// Where to listen: 127.0.0.1:3000. Port 0 is any that is free.
    public var address = HostAndPort(host: "127.0.0.1", port: 3000)
    /// The certificate for TLS; without encryption if `nil`.
    public var tls: ServerCertificate?
    /// The origins whose pages may read and write, or `*`; none by default.
    public var corsOrigins: [String] = []
    /// Host names that the server answers to without tokens, beside those of this machine.
    public var allowedHosts: [String] = []
    /// The proxies whose statements about the client's address are believed; none by default.
    public var trustedProxies = TrustedProxies()
    /// How much connections and requests may take.
    public var limits = ServerLimits()
    /// How much the configuration may hold, and how much of it is kept in memory for clients that are behind.
    public var hubLimits = NamespaceHub.Limits()
    /// The number of threads that serve connections; `nil` for the threads that all servers of the process share, one
    /// for each processor.
    public var eventLoops: Int?
    /// Compresses a body; `nil` if that does not pay.
    package var compress: @Sendable (ByteBuffer) -> ByteBuffer? = { Gzip.compress($0) }

    /// Creates the settings of `livery-server`.
    public init() {}
}
