package import ConfigModel
internal import NIOSSL
internal import Synchronization

/// The server's certificate and its private key, which can be reloaded while the server runs: open connections keep the
/// certificate that they began with.
package final class ServerCertificate: Sendable {
    /// The certificate and its key, as PEM files.
    package struct Files: Hashable, Sendable {
        package var certificate: String
        package var privateKey: String

        package init(certificate: String, privateKey: String) {
            self.certificate = certificate
            self.privateKey = privateKey
        }
    }

    private let files: Files
    private let stored: Mutex<NIOSSLContext>

    /// - Throws: ``ConfigError`` if the files cannot be used.
    init(_ files: Files) throws(ConfigError) {
        self.files = files
        stored = Mutex(try Self.context(files))
    }

    /// The file of the certificate.
    package var path: String { files.certificate }

    /// Reads the files again, for new connections.
    ///
    /// - Throws: ``ConfigError`` if the files cannot be used; the server keeps the certificate that it has.
    package func reload() throws(ConfigError) {
        let context = try Self.context(files)
        stored.withLock { $0 = context }
    }

    /// The context for a new connection.
    var context: NIOSSLContext { stored.withLock { $0 } }

    private static func context(_ files: Files) throws(ConfigError) -> NIOSSLContext {
        do {
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: try NIOSSLCertificate.fromPEMFile(files.certificate).map { .certificate($0) },
                privateKey: .privateKey(try NIOSSLPrivateKey(file: files.privateKey, format: .pem))
            )
            configuration.minimumTLSVersion = .tlsv12
            configuration.cipherSuiteValues = forwardSecretSuites
            configuration.applicationProtocols = ["http/1.1"]
            return try NIOSSLContext(configuration: configuration)
        } catch {
            throw ConfigError(
                .unreadable,
                "the certificate \(files.certificate) and its key \(files.privateKey) cannot be used; "
                    + "both are PEM files that this user may read",
                underlying: error
            )
        }
    }

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
