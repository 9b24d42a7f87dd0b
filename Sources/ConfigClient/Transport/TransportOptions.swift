// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
internal import Files
package import HTTPTransport

/// How a source connects to its server if the defaults do not fit: trusted certificates, client credentials, proxy and socket.
///
/// ```swift
/// let options = try TransportOptions(
///     certificateAuthority: .file("/etc/shop/ca.pem"),
///     pinnedPublicKeys: ["sha256//rmX0sXkkSYzTbcTHvuLdZwvR1PrFx4gjpZ0DN9WLpRk="],
///     headers: ["X-Tenant": "shop"]
/// )
/// let source = try ServerSource(url: url, options: options)
/// ```
///
/// Pinned keys, client certificate, headers and Unix socket are meant for the origin of the source's address: after a
/// redirect to another origin, none of them is used. The authority and the proxy apply to all. An option that the
/// machine's libcurl does not support fails each attempt with `invalidOption`; none is ignored silently. On iOS, tvOS,
/// watchOS and visionOS, where URLSession connects, that is the case for pinned keys, client certificates, proxies and
/// Unix sockets.
public struct TransportOptions: Sendable {
    package let settings: TransportSettings

    /// PEM (RFC 7468), which begins with a line such as `-----BEGIN CERTIFICATE-----`; at most 1 MiB.
    public enum PEM: Sendable {
        /// The path of a file. It is read again for each connection, so it may be replaced.
        case file(String)
        /// The text as UTF-8.
        case bytes([UInt8])
    }

    /// The default: the system's trusted authorities, and the proxy of the environment.
    public static let standard = TransportOptions(settings: TransportSettings(userAgent: userAgent))

    private static let userAgent = "livery/\(SemanticVersion.livery)"

    private init(settings: TransportSettings) { self.settings = settings }

    /// Checks options; nothing is connected to yet.
    ///
    /// - Parameters:
    ///   - certificateAuthority: the certificate authorities to trust in place of the system's.
    ///   - pinnedPublicKeys: `sha256//` and the SHA-256 of a public key (SubjectPublicKeyInfo) in base64, as curl and
    ///     RFC 7469 spell it. The server's key must be one of them, and its certificate must be trusted as well; a
    ///     second one is for the key that comes next. A connection without encryption is refused. This prints one:
    ///     `openssl x509 -in cert.pem -pubkey -noout | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary
    ///     | base64`.
    ///   - clientCertificate: the certificate of the client, followed by those between it and the authority. Unencrypted
    ///     connections are rejected.
    ///   - privateKey: the private key of the client; `nil` if it is in the same PEM text as the certificate.
    ///   - keyPassword: opens the private key, if it is encrypted.
    ///   - proxy: an HTTP proxy such as `http://name:password@proxy.example.org:3128`, in place of the one that the
    ///     environment names, and for all hosts. Without encryption it may see all but the token, which is not sent
    ///     then, unless to a host that may see it without encryption anyway.
    ///   - headers: additional fields for each request, such as `X-Tenant`. Unlike a token, they are sent over unencrypted
    ///     connections too. Fields that the connection or the library sets are rejected, and so is `Authorization`, which a
    ///     ``TokenProvider`` supplies.
    ///   - unixSocket: the absolute path of a socket to connect to; the address then only names the server. A token
    ///     does not leave the machine and needs no encryption.
    /// - Throws: `invalidOption` and `unreadable`, with the next step. No error contains a secret.
    public init(
        certificateAuthority: PEM? = nil,
        pinnedPublicKeys: [String] = [],
        clientCertificate: PEM? = nil,
        privateKey: PEM? = nil,
        keyPassword: String? = nil,
        proxy: String? = nil,
        headers: [String: String] = [:],
        unixSocket: String? = nil
    ) throws(ConfigError) {
        var settings = TransportSettings(userAgent: Self.userAgent)
        settings.certificateAuthority = try certificateAuthority?.checked(as: .authority)
        settings.pinnedPublicKeys = try PinRule.checked(pinnedPublicKeys)
        settings.clientIdentity = try clientCertificate.map { certificate throws(ConfigError) in
            TransportSettings.ClientIdentity(
                certificate: try certificate.checked(as: .clientCertificate),
                key: try (privateKey ?? certificate).checked(as: .privateKey(isOpened: keyPassword != nil)),
                password: keyPassword
            )
        }
        if clientCertificate == nil, privateKey != nil || keyPassword != nil {
            throw ConfigError(.invalidOption, "a private key needs its client certificate; pass both")
        }
        settings.proxy = try proxy.map { text throws(ConfigError) in try ProxyAddress.checked(text) }
        settings.headers = try HeaderRule.checked(headers)
        settings.unixSocket = try unixSocket.map { path throws(ConfigError) in try SocketPath.checked(path) }
        if proxy != nil, unixSocket != nil {
            throw ConfigError(.invalidOption, "a Unix socket and a proxy are mutually exclusive; remove one")
        }
        self.init(settings: settings)
    }
}

extension TransportOptions {
    /// The identity of a source that is reached in this way: behind each socket there may be another server, and a
    /// server may answer each header field, client certificate and account in another way. These may be secret, so that
    /// only their hash is part of it.
    ///
    /// - Parameter account: Whose token it is, for a server whose values depend on that.
    package func identity(of source: String, account: String? = nil) -> String {
        var secrets = settings.headers.fields.map { "\($0.name.lowercased()): \($0.value)" }.sorted()
        if let certificate = settings.clientIdentity?.name { secrets.append("certificate \(certificate)") }
        if let account { secrets.append("account \(account)") }
        let hash = secrets.isEmpty ? nil : SHA256.hexadecimal(of: secrets.joined(separator: "\n"))
        return ([settings.unixSocket, hash].compactMap(\.self) + [source]).joined(separator: " ")
    }
}

extension TransportOptions: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The option names, without their values.
    public var description: String {
        let parts = [
            settings.certificateAuthority.map { _ in "certificate authority" },
            settings.pinnedPublicKeys.isEmpty ? nil : "\(settings.pinnedPublicKeys.count) pinned public keys",
            settings.clientIdentity.map { _ in "client certificate" },
            settings.proxy.map { "proxy \($0.name)" },
            settings.headers.fields.isEmpty ? nil : "headers \(settings.headers.fields.map(\.name))",
            settings.unixSocket.map { "Unix socket \($0)" },
        ]
        return "TransportOptions(\(parts.compactMap(\.self).joined(separator: ", ")))"
    }

    /// The ``description``.
    public var debugDescription: String { description }
    /// No children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension TransportOptions.PEM: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The path, or how many bytes there are.
    public var description: String {
        switch self {
        case .file(let path): path
        case .bytes(let bytes): "PEM of \(bytes.count) bytes"
        }
    }
    /// The ``description``.
    public var debugDescription: String { description }
    /// No children.
    public var customMirror: Mirror { Mirror(self, children: []) }

    fileprivate func checked(as part: PEMRule.Part) throws(ConfigError) -> TransportSettings.Material {
        switch self {
        case .file(let path):
            try PEMRule.check(PEMRule.read(path, part), as: part, source: path)
            return .file(AbsolutePath(path).text)
        case .bytes(let bytes):
            try PEMRule.check(bytes, as: part, source: nil)
            return .bytes(bytes)
        }
    }
}
