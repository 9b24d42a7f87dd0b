// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
internal import Files
internal import NIOCore
internal import NIOSSL
internal import Synchronization

/// The server's certificate and its private key, which can be reloaded while the server runs: open connections keep the
/// certificate that they began with.
public final class ServerCertificate: Sendable {
    package let path: String
    private let keyPath: String
    private let stored: Mutex<NIOSSLContext>

    /// Reads a certificate with its chain and its key.
    ///
    /// - Parameters:
    ///   - path: the PEM file with the server's certificate first, then its chain.
    ///   - keyPath: the PEM file with the private key, which others must not be able to read.
    /// - Throws: `ConfigError` if a file cannot be used or the two do not belong together.
    public init(_ path: String, privateKey keyPath: String) throws(ConfigError) {
        (self.path, self.keyPath) = (path, keyPath)
        stored = Mutex(try Self.context(path, keyPath))
    }

    /// Reads the files again, for new connections. If they cannot be used, the server keeps the certificate that it has.
    ///
    /// - Throws: `ConfigError` as ``init(_:privateKey:)`` does.
    public func reload() throws(ConfigError) {
        let context = try Self.context(path, keyPath)
        stored.withLock { $0 = context }
    }

    var context: NIOSSLContext { stored.withLock { $0 } }

    private static func context(_ path: String, _ keyPath: String) throws(ConfigError) -> NIOSSLContext {
        let chain = try parsed(path, "the certificate", "a certificate in PEM form") {
            let chain = try NIOSSLCertificate.fromPEMBytes($0)
            return chain.isEmpty ? nil : chain
        }
        try ConfigError.catching(try PrivateFile.checkIsOfService(keyPath, "the private key"))
        let key = try parsed(keyPath, "the private key", "a private key in PEM form without a password") {
            try NIOSSLPrivateKey(bytes: $0, format: .pem)
        }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) },
            privateKey: .privateKey(key)
        )
        configuration.minimumTLSVersion = .tlsv12
        configuration.cipherSuiteValues = forwardSecretSuites
        configuration.applicationProtocols = ["http/1.1"]
        // The client need not confirm the end (RFC 8446, 6.1).
        configuration.shutdownTimeout = .milliseconds(200)
        do {
            return try NIOSSLContext(configuration: configuration)
        } catch {
            // Both files are valid otherwise: the key does not match the certificate.
            let message = """
                the private key \(keyPath) does not match the certificate \(path); pass the key of the certificate, \
                and put the server's own certificate first in its file
                """
            throw ConfigError(.syntax, message, underlying: error)
        }
    }

    /// The certificates or the key in a PEM file.
    ///
    /// - Parameter content: the expected contents, for the message.
    private static func parsed<Value>(
        _ path: String,
        _ name: String,
        _ content: String,
        _ parse: ([UInt8]) throws -> Value?
    ) throws(ConfigError) -> Value {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try FileContent.bytes(at: path, atMost: maximumBytes)
        } catch {
            throw ConfigError(.unreadable, "cannot read \(name) \(path): \(error.reason)", underlying: error)
        }
        // The message names the expected content, which the error of the library does not.
        guard let value = try? parse(bytes) else {
            throw ConfigError(.syntax, "\(name) \(path) is not \(content)")
        }
        return value
    }

    private static let maximumBytes = 1 << 20

    /// The suites for TLS 1.2, all with forward secrecy: a key that leaks later does not decrypt recorded traffic. TLS 1.3 has
    /// no others.
    private static let forwardSecretSuites: [NIOTLSCipher] = [
        .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256,
        .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
        .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384,
        .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
        .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256,
        .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
    ]
}
