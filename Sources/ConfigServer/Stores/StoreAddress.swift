/// Where a server's store is: a file of its own, or a database that several servers share.
///
/// ```
/// livery.sqlite                                        a path: SQLite
/// mariadb://livery@db.example:3306/config              MariaDB, encrypted
/// mariadb://livery@localhost/config?socket=/run/mysqld/mysqld.sock
/// etcd://a.example:2379,b.example:2379/livery          etcd, encrypted
/// ```
///
/// No address has a password in it: addresses are seen in lists of processes and in logs.
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
    /// The path of the server's Unix socket, which goes before host and port.
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
        self.user = user
        self.host = host
        self.port = port
        self.database = database
        self.socket = socket
        self.tls = tls
    }
}

/// A part of what an etcd cluster keeps.
public struct EtcdAddress: Hashable, Sendable {
    /// The cluster's members, any of which can be asked: hosts, without brackets, and ports.
    public var members: [Member]
    /// The user, where the cluster knows users.
    public var user: String?
    /// What the keys begin with, without the slashes around it.
    public var prefix: String
    /// How the connections are protected.
    public var tls: StoreTLS

    /// Where a member listens for clients.
    public struct Member: Hashable, Sendable {
        /// A name or an address, without brackets.
        public var host: String
        /// The port.
        public var port: Int

        /// Creates it from its parts.
        public init(host: String, port: Int) {
            self.host = host
            self.port = port
        }
    }

    /// Creates an address from its parts.
    public init(members: [Member], user: String? = nil, prefix: String = "livery", tls: StoreTLS = StoreTLS()) {
        self.members = members
        self.user = user
        self.prefix = prefix
        self.tls = tls
    }
}

/// How the connections to a shared store are protected.
public struct StoreTLS: Hashable, Sendable {
    /// Whether they are encrypted, and to whom.
    public enum Mode: String, CaseIterable, Hashable, Sendable {
        /// Encrypted; the server's certificate is checked, and that it is the host's.
        case on
        /// Encrypted, to whoever answers: nobody can listen, but anybody can pretend to be the server.
        case unverified
        /// For all to read.
        case off
    }

    /// Whether the connections are encrypted, and to whom.
    public var mode: Mode
    /// The file of the authorities that certificates are checked against, as PEM; the system's if `nil`.
    public var authorities: String?
    /// The files of the certificate that the server asks of its clients and of that one's key, as PEM.
    public var identity: Identity?

    /// A certificate and its private key.
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
