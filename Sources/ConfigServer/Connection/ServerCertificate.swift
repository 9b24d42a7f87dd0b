// SPDX-License-Identifier: Apache-2.0

package import ConfigModel
internal import Files
internal import NIOSSL
internal import Synchronization

/// The server's certificate and its private key, which can be reloaded while the server runs: open connections keep the
/// certificate that they began with.
package final class ServerCertificate: Sendable {
    package let path: String
    private let keyPath: String
    private let stored: Mutex<NIOSSLContext>

    /// Reads a certificate with its chain and its key, as PEM files.
    package init(_ path: String, privateKey keyPath: String) throws(ConfigError) {
        (self.path, self.keyPath) = (path, keyPath)
        stored = Mutex(try Self.context(path, keyPath))
    }

    /// Reads the files again, for new connections. If they cannot be used, the server keeps the certificate that it has.
    package func reload() throws(ConfigError) {
        let context = try Self.context(path, keyPath)
        stored.withLock { $0 = context }
    }

    var context: NIOSSLContext { stored.withLock { $0 } }

    private static func context(_ path: String, _ keyPath: String) throws(ConfigError) -> NIOSSLContext {
        do {
            let chain = try NIOSSLCertificate.fromPEMBytes(FileContent.bytes(at: path, atMost: maximumBytes))
            let key = try FileContent.bytes(at: keyPath, atMost: maximumBytes)
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain.map { .certificate($0) },
                privateKey: .privateKey(try NIOSSLPrivateKey(bytes: key, format: .pem))
            )
            configuration.minimumTLSVersion = .tlsv12
            configuration.cipherSuiteValues = forwardSecretSuites
            configuration.applicationProtocols = ["http/1.1"]
            return try NIOSSLContext(configuration: configuration)
        } catch {
            throw ConfigError(
                .unreadable,
                "the certificate \(path) and its key \(keyPath) cannot be used; "
                    + "both are PEM files that this user may read",
                underlying: error
            )
        }
    }

    private static let maximumBytes = 1 << 20

    /// The suites for TLS 1.2, all with forward secrecy: a key that leaks later does not decrypt what was recorded before.
    /// TLS 1.3 has no others.
    private static let forwardSecretSuites: [NIOTLSCipher] = [
        .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256,
        .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
        .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384,
        .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
        .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256,
        .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
    ]
}
