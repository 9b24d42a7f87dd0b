// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigHub
import ConfigServer
import ConfigStore
import Logging

/// The options of a server, apart from those of its store. The defaults are those of the types that they are for, if these
/// have any.
struct ServeOptions: ParsableArguments {
    @Option(.path("token-file", "Token file, created with 'livery-server token create'"))
    var tokenFile: Setting<String?>

    @Option(.path("tls-certificate", "TLS certificate with its chain, in PEM"))
    var tlsCertificate: Setting<String?>

    @Option(.path("tls-private-key", "Private key of the certificate, in PEM"))
    var tlsPrivateKey: Setting<String?>

    @Option(
        repeating: Setting(
            name: "cors-origin",
            help: "Allow pages of this origin (CORS); repeatable; * allows any",
            valueName: "origin",
            expected: "an origin",
            read: { $0 }
        )
    )
    var corsOrigin: [Setting<String>]

    @Option(
        repeating: Setting(
            name: "allow-host",
            help: "Accept this host name without tokens, in addition to localhost; repeatable: "
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
            help: "Trust Forwarded, X-Forwarded-For and the PROXY protocol from this proxy; repeatable: "
                + "--trusted-proxy 10.0.0.0/8 --trusted-proxy ::1",
            valueName: "address[/bits]",
            expected: "an address or a range such as 10.0.0.0/8",
            read: AddressRange.init
        )
    )
    var trustedProxy: [Setting<AddressRange>]

    @Option(.count("history-days", 90, upTo: 36_500, "Minimum history retention", "days"))
    var historyDays: Setting<Int>

    @Option(.count("max-connections", ServerLimits().connections, "Maximum number of connections"))
    var maxConnections: Setting<Int>

    @Option(
        .count(
            "idle-timeout",
            ServerLimits().idleSeconds,
            upTo: 86_400,
            "Timeout of idle connections; must exceed the timeout of a proxy in front",
            "seconds"
        )
    )
    var idleTimeout: Setting<Int>

    @Option(.size("max-body-memory", ServerLimits().allBodyBytes, "Maximum memory for request bodies"))
    var maxBodyMemory: Setting<Int>

    @Option(.size("max-answer-memory", ServerLimits().allAnswerBytes, "Maximum memory for unshared responses"))
    var maxAnswerMemory: Setting<Int>

    @Option(
        .count(
            "heartbeat",
            ServerLimits().heartbeatSeconds,
            upTo: ServerLimits.longestHeartbeatSeconds,
            "Interval between the heartbeats of a stream, 1 to \(ServerLimits.longestHeartbeatSeconds)",
            "seconds"
        )
    )
    var heartbeat: Setting<Int>

    @Option(.size("max-namespace-size", NamespaceQuotas().bytes, "Maximum size of a namespace, in bytes of JSON"))
    var maxNamespaceSize: Setting<Int>

    @Option(.count("max-keys", NamespaceQuotas().keys, "Maximum number of keys in a namespace"))
    var maxKeys: Setting<Int>

    @Option(.count("max-namespaces", NamespaceQuotas().namespaces, "Maximum number of namespaces with keys"))
    var maxNamespaces: Setting<Int>

    @Option(.count("drain", 10, upTo: 86_400, "Maximum duration of a shutdown", "seconds"))
    var drain: Setting<Int>

    @Option(.choice("log-level", .info, "Minimum log level"))
    var logLevel: Setting<Logger.Level>

    @Option(.choice("log-format", .text, "Log format"))
    var logFormat: Setting<LogFormat>
}

// Each throws a `ValidationError` that names a flag or a variable.
extension ServeOptions {
    func serverSettings(_ settings: Settings) throws -> ServerSettings {
        var server = ServerSettings()
        switch (try settings.value(tlsCertificate), try settings.value(tlsPrivateKey)) {
        case (let certificate?, let privateKey?):
            server.tls = try ServerCertificate(certificate, privateKey: privateKey)
        case (nil, nil): break
        default: throw ValidationError("--tls-certificate and --tls-private-key must be used together.")
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
