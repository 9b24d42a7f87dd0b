package import ConfigModel
internal import NIOSSL
internal import Synchronization

/// The certificate of a server and its key, which can be read again while the server runs: connections that are open keep
/// the one that they began with.
package final class ServerCertificate: Sendable {
    private let files: ServerSettings.TLSFiles
    private let stored: Mutex<NIOSSLContext>

    /// - Throws: ``ConfigError`` if the files cannot be used.
    init(_ files: ServerSettings.TLSFiles) throws(ConfigError) {
        self.files = files
        stored = Mutex(try Self.context(files))
    }

    /// The file of the certificate.
    package var path: String { files.certificate }

    /// Reads the files again, for the connections that come from now on.
    ///
    /// - Throws: ``ConfigError`` if the files cannot be used; the server goes on with what it has.
    package func reload() throws(ConfigError) {
        let context = try Self.context(files)
        stored.withLock { $0 = context }
    }

    /// What a new connection begins with.
    var context: NIOSSLContext { stored.withLock { $0 } }

    private static func context(_ files: ServerSettings.TLSFiles) throws(ConfigError) -> NIOSSLContext {
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

    /// What TLS 1.2 may use: whoever gets hold of the key later cannot read what was recorded before. TLS 1.3 has nothing
    /// else.
    private static let forwardSecretSuites: [NIOTLSCipher] = [
        .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256,
        .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
        .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384,
        .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
        .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256,
        .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
    ]
}
