// SPDX-License-Identifier: Apache-2.0

public import ConfigHub
public import ConfigStore
package import NIOCore

/// The settings of a server. The defaults here and in ``ServerLimits`` are those of `livery-server`.
public struct ServerSettings: Sendable {
    /// The address to listen on: 127.0.0.1:3000. Port 0 is any free one.
    public var address = HostAndPort(host: "127.0.0.1", port: 3000)
    /// The certificate for TLS; without encryption if `nil`.
    public var tls: ServerCertificate?
    /// The origins whose pages may read and write, or `*`; none by default.
    public var corsOrigins: [String] = []
    /// Additional host names that the server answers to without tokens, besides those of this machine.
    public var allowedHosts: [String] = []
    /// The proxies whose reports of the client's address are trusted; none by default.
    public var trustedProxies = TrustedProxies()
    /// The limits of connections and requests.
    public var limits = ServerLimits()
    /// The quotas of the configuration, and the memory for clients that are behind.
    public var hubLimits = NamespaceHub.Limits()
    /// The number of threads that serve connections; `nil` for the threads that all servers of the process share, one
    /// for each processor.
    public var eventLoops: Int?
    /// Compresses a body; `nil` if that does not pay.
    package var compress: @Sendable (ByteBuffer) -> ByteBuffer? = { Gzip.compress($0) }

    /// Creates the settings of `livery-server`.
    public init() {}
}
