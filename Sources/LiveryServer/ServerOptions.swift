import ArgumentParser
import ConfigServer
internal import ConfigStore
import Logging

/// The options of a server, apart from those of its store. Each is a ``Setting``.
struct ServerOptions: ParsableArguments {
    @Option(.tokenFile) var tokenFile: Given<String?>
    @Option(.certificate) var tlsCertificate: Given<String?>
    @Option(.privateKey) var tlsPrivateKey: Given<String?>
    @Option(repeating: .corsOrigin) var corsOrigin: [Given<String>]
    @Option(repeating: .allowHost) var allowHost: [Given<String>]
    @Option(repeating: .trustedProxy) var trustedProxy: [Given<AddressRange>]
    @Option(.historyDays) var historyDays: Given<Int>
    @Option(.maxConnections) var maxConnections: Given<Int>
    @Option(.heartbeat) var heartbeat: Given<Int>
    @Option(.maxNamespaceSize) var maxNamespaceSize: Given<Int>
    @Option(.maxKeys) var maxKeys: Given<Int>
    @Option(.maxNamespaces) var maxNamespaces: Given<Int>
    @Option(.hintAddress) var hintAddress: Given<HostAndPort?>
    @Option(repeating: .hintPeer) var hintPeer: [Given<HostAndPort>]
    @Option(.drain) var drain: Given<Int>
    @Option(.logLevel) var logLevel: Given<Logger.Level>
    @Option(.logFormat) var logFormat: Given<LogFormat>
}

extension ServerOptions {
    /// - Throws: a `ValidationError` that names a flag or a variable.
    func serverSettings(_ settings: Settings) throws(ValidationError) -> ServerSettings {
        var server = ServerSettings()
        let certificate = try settings.value(tlsCertificate)
        let privateKey = try settings.value(tlsPrivateKey)
        if let certificate, let privateKey {
            server.tls = .init(certificate: certificate, privateKey: privateKey)
        } else if certificate != nil || privateKey != nil {
            throw ValidationError("TLS needs both --tls-certificate and --tls-private-key.")
        }
        server.corsOrigins = try settings.values(corsOrigin, of: .corsOrigin)
        server.allowedHosts = try settings.values(allowHost, of: .allowHost)
        server.trustedProxies = TrustedProxies(try settings.values(trustedProxy, of: .trustedProxy))
        server.limits.connections = try settings.value(maxConnections)
        server.limits.heartbeatSeconds = try settings.value(heartbeat)
        return server
    }

    /// - Throws: a `ValidationError` that names a flag or a variable.
    func hubLimits(_ settings: Settings) throws(ValidationError) -> ConfigHub.Limits {
        var limits = ConfigHub.Limits()
        limits.quotas.bytes = try settings.value(maxNamespaceSize)
        limits.quotas.keys = try settings.value(maxKeys)
        limits.quotas.namespaces = try settings.value(maxNamespaces)
        return limits
    }

    /// - Returns: `nil` without hints.
    /// - Throws: a `ValidationError` that names a flag or a variable.
    func hints(_ settings: Settings) throws(ValidationError) -> ReplicaHints.Settings? {
        let peers = try settings.values(hintPeer, of: .hintPeer)
        if let address = try settings.value(hintAddress) {
            return ReplicaHints.Settings(address: address, peers: peers)
        }
        guard peers.isEmpty else {
            throw ValidationError("Hints need both: --hint-address to receive them, and --hint-peer to send them.")
        }
        return nil
    }
}
