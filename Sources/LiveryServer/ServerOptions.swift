import ArgumentParser
import ConfigServer
internal import ConfigStore
import Logging

/// The options of a server, apart from those of its store. The defaults are those of the types that they are for, if these
/// have any.
struct ServerOptions: ParsableArguments {
    @Option(.path("token-file", "The tokens, one JSON object per line, as 'token create' prints them"))
    var tokenFile: Given<String?>

    @Option(.path("tls-certificate", "The certificate for TLS, with its chain, as PEM"))
    var tlsCertificate: Given<String?>

    @Option(.path("tls-private-key", "The certificate's private key, as PEM"))
    var tlsPrivateKey: Given<String?>

    @Option(repeating: .corsOrigin) var corsOrigin: [Given<String>]
    @Option(repeating: .allowHost) var allowHost: [Given<String>]
    @Option(repeating: .trustedProxy) var trustedProxy: [Given<AddressRange>]

    @Option(.count("history-days", 90, upTo: 36_500, "The least days that history is kept", "days"))
    var historyDays: Given<Int>

    @Option(.count("max-connections", ServerLimits().connections, "The most connections"))
    var maxConnections: Given<Int>

    @Option(.heartbeat) var heartbeat: Given<Int>

    @Option(.size("max-namespace-size", NamespaceQuotas().bytes, "The most bytes of JSON that a namespace may have"))
    var maxNamespaceSize: Given<Int>

    @Option(.count("max-keys", NamespaceQuotas().keys, "The most keys that a namespace may have"))
    var maxKeys: Given<Int>

    @Option(.count("max-namespaces", NamespaceQuotas().namespaces, "The most namespaces that may have keys"))
    var maxNamespaces: Given<Int>

    @Option(.hintAddress) var hintAddress: Given<HostAndPort?>
    @Option(repeating: .hintPeer) var hintPeer: [Given<HostAndPort>]

    @Option(.count("drain", 10, upTo: 86_400, "The longest time that a shutdown may take", "seconds"))
    var drain: Given<Int>

    @Option(.choice("log-level", .info, "The least level that is logged"))
    var logLevel: Given<Logger.Level>

    @Option(.choice("log-format", .text, "The format of the log"))
    var logFormat: Given<LogFormat>
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
