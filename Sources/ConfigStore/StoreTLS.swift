// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
internal import Files

/// The protection of connections to a shared store.
public struct StoreTLS: Hashable, Sendable {
    /// Whether connections are encrypted, and which server is trusted.
    public enum Mode: String, CaseIterable, Hashable, Sendable {
        /// Encrypted; the server's certificate is verified, and must name the host.
        case on
        /// Encrypted, but the certificate is not verified: safe from eavesdroppers, not from impostors.
        case unverified
        /// Unencrypted.
        case off
    }

    /// Whether connections are encrypted, and which server is trusted.
    public var mode: Mode
    /// The PEM file of the authorities that certificates are verified against; the system's if `nil`.
    public var authorities: String?
    /// The client certificate, if the server requires one.
    public var identity: Identity?

    /// A certificate and its private key, as PEM files.
    public struct Identity: Hashable, Sendable {
        /// The path of the certificate.
        public var certificate: String
        /// The path of its key.
        public var privateKey: String

        /// Creates it from its parts.
        public init(certificate: String, privateKey: String) {
            (self.certificate, self.privateKey) = (certificate, privateKey)
        }
    }

    /// Creates settings from their parts.
    public init(mode: Mode, authorities: String? = nil, identity: Identity? = nil) {
        (self.mode, self.authorities, self.identity) = (mode, authorities, identity)
    }
}

extension StoreTLS {
    /// Reads one of the files. A pipe is refused, since a reader would wait for its other end.
    ///
    /// - Parameter option: the option that names it.
    package func bytes(of path: String, _ option: String) throws(StoreError) -> [UInt8] {
        if option == "key" {
            do throws(ConfigError) {
                try checkPrivateKey()
            } catch {
                throw StoreError(.unavailable, error.message, reason: .certificate, underlying: error)
            }
        }
        do throws(FileError) {
            return try FileContent(reading: path, atMost: 1 << 20).bytes
        } catch {
            throw StoreError(
                .unavailable,
                "cannot read \(path): \(error.reason.lowercased()); check the TLS setting \(option)",
                reason: .certificate,
                underlying: error
            )
        }
    }

    /// Checks that no other user than its owner and the groups of this process may use the private key.
    /// - Throws: `insecure`.
    package func checkPrivateKey() throws(ConfigError) {
        guard let path = identity?.privateKey else { return }
        try ConfigError.catching(try PrivateFile.checkIsOfService(path, "the private key"))
    }

    /// Checks that all files can be read, for a library that reads them by their paths.
    package func checkFiles() throws(StoreError) {
        let files = [(authorities, "ca"), (identity?.certificate, "cert"), (identity?.privateKey, "key")]
        for case (let path?, let option) in files { _ = try bytes(of: path, option) }
    }
}

/// The password of a shared store, which no message and no log shows.
public struct StorePassword: Hashable, Sendable {
    /// The password itself, for the connection.
    package let text: String

    /// Creates a password.
    public init(_ text: String) {
        self.text = text
    }

    /// Reads the first line of a file.
    ///
    /// - Throws: `ConfigError` if the file cannot be read, begins with an empty line, or is readable by
    ///   others than its owner and the groups of this process.
    public init(file path: String) throws(ConfigError) {
        try ConfigError.catching(try PrivateFile.checkIsOfService(path, "the password file"))
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try FileContent.bytes(at: path, atMost: 65_536)
        } catch {
            throw ConfigError(.unreadable, "cannot read the password file \(path): \(error)", underlying: error)
        }
        guard let text = String(validating: bytes.prefix(4096), as: UTF8.self) else {
            throw ConfigError(.unreadable, "the password file \(path) is not valid UTF-8")
        }
        self.init(String(text.prefix { !$0.isNewline }))
        guard !self.text.isEmpty else {
            throw ConfigError(.unreadable, "the first line of the password file \(path) is empty")
        }
    }
}

extension StorePassword: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A placeholder for the password.
    public var description: String { "(a password)" }
    /// A placeholder for the password.
    public var debugDescription: String { description }
    /// A placeholder for the password.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
