// SPDX-License-Identifier: Apache-2.0

internal import Basics

/// The environment variables `LIVERY_…`: all that either program reads, in one list, so that a name that is not in it is an
/// error.
package enum LiveryVariable: String, CaseIterable, Sendable {
    // Of `livery`, in the order of its help.
    case source, token, server, namespace
    case noMotion = "no-motion"

    // Of `livery-server`, as its options.
    case address, store
    case storePasswordFile = "store-password-file"
    /// The only one that is no option: lists of processes show those.
    case storePassword = "store-password"
    case tokenFile = "token-file"
    case tlsCertificate = "tls-certificate"
    case tlsPrivateKey = "tls-private-key"
    case corsOrigin = "cors-origin"
    case allowHost = "allow-host"
    case trustedProxy = "trusted-proxy"
    case historyDays = "history-days"
    case maxConnections = "max-connections"
    case idleTimeout = "idle-timeout"
    case maxBodyMemory = "max-body-memory"
    case maxAnswerMemory = "max-answer-memory"
    case heartbeat
    case maxNamespaceSize = "max-namespace-size"
    case maxKeys = "max-keys"
    case maxNamespaces = "max-namespaces"
    case drain
    case logLevel = "log-level"
    case logFormat = "log-format"

    /// The description in `livery`'s help; `nil` for a variable of the server, whose options describe it.
    package var summary: String? {
        switch self {
        case .source: "the source, if none is given"
        case .token: "the token for the server, also for the commands"
        case .server: "the server for the commands"
        case .namespace: "the namespace for the commands"
        case .noMotion: "if not empty, same as --no-motion"
        default: nil
        }
    }

    /// The whole name, such as `LIVERY_TOKEN_FILE`.
    package var name: String { Self.prefix + rawValue.replacing("-", with: "_").uppercased() }

    /// The value; `nil` for a variable that is not set or empty.
    package func value(in environment: [String: String]) -> String? {
        environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    private static let prefix = "LIVERY_"

    /// The variables that building and testing Livery reads, which programs that are started there inherit.
    private static let ofDevelopment: Set<String> = [
        "CLIENT_SEED", "CLIENT_STEPS", "FILE_FAULTS", "FLAGD_PYTHON", "GENERATED_REQUESTS", "OPTIMIZED_TARGETS",
        "PACKAGE_VERSION", "PLUGINS", "RECORD_GOLDENS", "REPLICA_CHANGES", "ROOT", "ROUND_TRIPS", "SERVER_KILLS",
        "TERMINAL_ROUNDS", "TESTS", "TRAITS",
    ]
}

// MARK: Errors

extension LiveryVariable {
    /// A message for each variable `LIVERY_…` that neither program reads, in the order of their names. An empty one counts as
    /// not set.
    ///
    /// - Parameter isServer: which of the two programs runs: only its own variables are suggested.
    package static func problems(in environment: [String: String], ofServer isServer: Bool) -> [String] {
        let candidates = environment.filter { name, value in name.utf8.starts(with: prefix.utf8) && !value.isEmpty }
        if candidates.isEmpty { return [] }
        let known = allCases.map(\.name)
        let unknown = candidates.filter { name, value in !known.contains(name) && !belongsToOtherTool(name, value) }
        return unknown.keys.sorted().map { name in
            let advice = suggestion(for: name, ofServer: isServer).map { "did you mean \($0)?" }
            return "unknown environment variable \(name.excerpt(ofScalars: 64)); \(advice ?? "unset it")"
        }
    }

    private static func suggestion(for name: String, ofServer isServer: Bool) -> String? {
        let own = allCases.filter { ($0.summary == nil) == isServer }
        var spellings = own.map { (name: $0.name, variable: $0) }
        // A name like that of a client's token is a misspelt name of the server's tokens, and an address has two parts.
        if isServer {
            spellings.append((token.name, tokenFile))
            for name in ["PORT", "HOST"] { spellings.append((prefix + name, address)) }
        }
        let similar = spellings.map { ($0.variable, distance: $0.name.distance(to: name)) }
        return similar.min { $0.distance < $1.distance }.flatMap { $0.distance <= 3 ? $0.0.name : nil }
    }

    /// Whether a variable is one that Kubernetes sets for a service named `livery` or `livery-…`, or Docker for a link
    /// of such a name, or is for the development of Livery.
    private static func belongsToOtherTool(_ name: String, _ value: String) -> Bool {
        let rest = name.dropFirst(prefix.count)
        if ofDevelopment.contains(String(rest)) { return true }
        // LIVERY_SERVICE_HOST, LIVERY_SERVICE_PORT_HTTP, LIVERY_PORT_3000_TCP_ADDR
        if rest.firstMatch(of: /(^|_)(SERVICE_(HOST|PORT)|PORT_[0-9]+_(TCP|UDP|SCTP))(_|$)/) != nil { return true }
        // LIVERY_NAME=/web/livery, LIVERY_ENV_PATH
        if rest.firstMatch(of: /(^|_)ENV_/) != nil || rest.hasSuffix("NAME") && value.hasPrefix("/") { return true }
        // LIVERY_PORT=tcp://10.0.0.1:3000; a number is a typing error.
        return rest.utf8.reversed().starts(with: "PORT".utf8.reversed()) && value.contains("://")
    }
}
