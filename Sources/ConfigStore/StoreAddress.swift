// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
internal import Files

/// Where a server's store is: a file of its own, or a database that several servers share.
///
/// ```
/// livery.sqlite                                        a path: SQLite
/// mariadb://livery@db.example:3306/config              MariaDB, encrypted
/// mariadb://livery@localhost/config?socket=/run/mysqld/mysqld.sock
/// etcd://a.example:2379,b.example:2379/livery          etcd, encrypted
/// ```
///
/// An address never contains a password, since lists of processes and logs show it.
public enum StoreAddress: Hashable, Sendable {
    /// SQLite in the file at a path.
    case sqlite(path: String)
    /// A MariaDB server's database.
    case mariaDB(MariaDBAddress)
    /// An etcd cluster's keys with a prefix.
    case etcd(EtcdAddress)
}

/// A database of a MariaDB server.
public struct MariaDBAddress: Hashable, Sendable {
    /// The database's user.
    public var user: String
    /// The server's name or address, without brackets.
    public var host: String
    /// The server's port.
    public var port: Int
    /// The database's name.
    public var database: String
    /// The path of the server's Unix socket, which overrides host and port.
    public var socket: String?
    /// How the connection is protected.
    public var tls: StoreTLS

    /// Creates an address from its parts.
    public init(
        user: String,
        host: String = "localhost",
        port: Int = 3306,
        database: String,
        socket: String? = nil,
        tls: StoreTLS = StoreTLS()
    ) {
        (self.user, self.database, self.tls) = (user, database, tls)
        (self.host, self.port, self.socket) = (host, port, socket)
    }
}

/// The keys of an etcd cluster that have a prefix.
public struct EtcdAddress: Hashable, Sendable {
    /// Where the members of the cluster listen for clients; any of them can answer.
    public var members: [HostAndPort]
    /// The user, where the cluster has users.
    public var user: String?
    /// The prefix of the keys, without the slashes around it.
    public var prefix: String
    /// How the connections are protected.
    public var tls: StoreTLS

    /// Creates an address from its parts.
    public init(members: [HostAndPort], user: String? = nil, prefix: String = "livery", tls: StoreTLS = StoreTLS()) {
        self.members = members
        self.user = user
        self.prefix = prefix
        self.tls = tls
    }
}

/// How the connections to a shared store are protected.
public struct StoreTLS: Hashable, Sendable {
    /// Whether connections are encrypted, and which server is trusted.
    public enum Mode: String, CaseIterable, Hashable, Sendable {
        /// Encrypted; the server's certificate is verified, and must name the host.
        case on
        /// Encrypted, but the certificate is not verified: safe from eavesdroppers, not from impostors.
        case unverified
        /// Not encrypted.
        case off
    }

    /// Whether connections are encrypted, and which server is trusted.
    public var mode: Mode
    /// The PEM file of the authorities that certificates are verified against; the system's if `nil`.
    public var authorities: String?
    /// The client certificate, where the server asks for one.
    public var identity: Identity?

    /// A certificate and its private key, as PEM files.
    public struct Identity: Hashable, Sendable {
        /// The path of the certificate.
        public var certificate: String
        /// The path of its key.
        public var privateKey: String

        /// Creates it from its parts.
        public init(certificate: String, privateKey: String) {
            self.certificate = certificate
            self.privateKey = privateKey
        }
    }

    /// Creates settings from their parts.
    public init(mode: Mode = .off, authorities: String? = nil, identity: Identity? = nil) {
        self.mode = mode
        self.authorities = authorities
        self.identity = identity
    }
}

extension StoreTLS {
    /// The files, by the options that name them.
    private var files: [(path: String?, option: String)] {
        [(authorities, "ca"), (identity?.certificate, "cert"), (identity?.privateKey, "key")]
    }

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
                "cannot read \(path): \(error.reason.lowercased()); check ?\(option)= in --store",
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
            throw ConfigError(.unreadable, "the password file \(path) is not UTF-8")
        }
        self.init(String(text.prefix { !$0.isNewline }))
        guard !self.text.isEmpty else {
            throw ConfigError(.unreadable, "the password file \(path) begins with an empty line")
        }
    }
}

extension StorePassword: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Not the password.
    public var description: String { "(a password)" }
    /// Not the password.
    public var debugDescription: String { description }
    /// Not the password.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
