// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigHub
import ConfigServer
import ConfigStore
import Logging

/// The options of a server, apart from those of its store. The defaults are those of the types that they are for, if these
/// have any.
struct ServerOptions: ParsableArguments {
    @Option(.path("token-file", "The tokens, one JSON object per line, as 'token create' prints them"))
    var tokenFile: Setting<String?>

    @Option(.path("tls-certificate", "The certificate for TLS, with its chain, as PEM"))
    var tlsCertificate: Setting<String?>

    @Option(.path("tls-private-key", "The certificate's private key, as PEM"))
    var tlsPrivateKey: Setting<String?>

    @Option(
        repeating: Setting(
            name: "cors-origin",
            help: "An origin whose pages may use the server; may be repeated; * is any",
            valueName: "origin",
            expected: "an origin",
            read: { $0 }
        )
    )
    var corsOrigin: [Setting<String>]

    @Option(
        repeating: Setting(
            name: "allow-host",
            help: "A name that the server answers to without tokens, beside localhost; may be repeated: "
                + "--allow-host config.test --allow-host config.internal",
            valueName: "name",
            expected: "a name such as config.test, without scheme and port",
            read: { $0.wholeMatch(of: /[A-Za-z0-9._-]+/) == nil ? nil : $0 }
        )
    )
    var allowHost: [Setting<String>]

    @Option(
        repeating: Setting(
            name: "trusted-proxy",
            help: "A proxy whose Forwarded, X-Forwarded-For or PROXY protocol is believed; may be repeated: "
                + "--trusted-proxy 10.0.0.0/8 --trusted-proxy ::1",
            valueName: "address[/bits]",
            expected: "an address or a range such as 10.0.0.0/8",
            read: AddressRange.init
        )
    )
    var trustedProxy: [Setting<AddressRange>]

    @Option(.count("history-days", 90, upTo: 36_500, "The least days that history is kept", "days"))
    var historyDays: Setting<Int>

    @Option(.count("max-connections", ServerLimits().connections, "The most connections"))
    var maxConnections: Setting<Int>

    @Option(
        .count(
            "idle-timeout",
            ServerLimits().idleSeconds,
            upTo: 86_400,
            "How long an idle connection stays open; longer than a proxy in front keeps it",
            "seconds"
        )
    )
    var idleTimeout: Setting<Int>

    @Option(.size("max-body-memory", ServerLimits().allBodyBytes, "The most bytes of requests' bodies in memory"))
    var maxBodyMemory: Setting<Int>

    @Option(.size("max-answer-memory", ServerLimits().allAnswerBytes, "Maximum memory for unshared answers"))
    var maxAnswerMemory: Setting<Int>

    @Option(
        .count(
            "heartbeat",
            ServerLimits().heartbeatSeconds,
            upTo: ServerLimits.longestHeartbeatSeconds,
            "The time between two heartbeats of a stream, 1 to \(ServerLimits.longestHeartbeatSeconds)",
            "seconds"
        )
    )
    var heartbeat: Setting<Int>

    @Option(.size("max-namespace-size", NamespaceQuotas().bytes, "The most bytes of JSON that a namespace may have"))
    var maxNamespaceSize: Setting<Int>

    @Option(.count("max-keys", NamespaceQuotas().keys, "The most keys that a namespace may have"))
    var maxKeys: Setting<Int>

    @Option(.count("max-namespaces", NamespaceQuotas().namespaces, "The most namespaces that may have keys"))
    var maxNamespaces: Setting<Int>

    @Option(.count("drain", 10, upTo: 86_400, "The longest time that a shutdown may take", "seconds"))
    var drain: Setting<Int>

    @Option(.choice("log-level", .info, "The least level that is logged"))
    var logLevel: Setting<Logger.Level>

    @Option(.choice("log-format", .text, "The format of the log"))
    var logFormat: Setting<LogFormat>
}

// Each throws a `ValidationError` that names a flag or a variable.
extension ServerOptions {
    func serverSettings(_ settings: Settings) throws -> ServerSettings {
        var server = ServerSettings()
        switch (try settings.value(tlsCertificate), try settings.value(tlsPrivateKey)) {
        case (let certificate?, let privateKey?):
            server.tls = try ServerCertificate(certificate, privateKey: privateKey)
        case (nil, nil): break
        default: throw ValidationError("TLS needs both --tls-certificate and --tls-private-key.")
        }
        server.corsOrigins = try settings.values(corsOrigin)
        server.allowedHosts = try settings.values(allowHost)
        server.trustedProxies = TrustedProxies(try settings.values(trustedProxy))
        server.limits.connections = try settings.value(maxConnections)
        server.limits.idleSeconds = try settings.value(idleTimeout)
        server.limits.allBodyBytes = try settings.value(maxBodyMemory)
        server.limits.allAnswerBytes = try settings.value(maxAnswerMemory)
        server.limits.heartbeatSeconds = try settings.value(heartbeat)
        server.hubLimits.quotas.bytes = try settings.value(maxNamespaceSize)
        server.hubLimits.quotas.keys = try settings.value(maxKeys)
        server.hubLimits.quotas.namespaces = try settings.value(maxNamespaces)
        return server
    }
}
