// SPDX-License-Identifier: Apache-2.0

public import ConfigStore

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
    /// The protection of the connection.
    public var tls: StoreTLS

    /// Creates an address from its parts.
    ///
    /// - Parameter tls: how the connection is protected; by default it is encrypted, and the server's certificate verified,
    ///   unless the server is on this machine.
    public init(
        user: String,
        host: String = "localhost",
        port: Int = 3306,
        database: String,
        socket: String? = nil,
        tls: StoreTLS? = nil
    ) {
        (self.user, self.database) = (user, database)
        (self.host, self.port, self.socket) = (host, port, socket)
        let isLocal = socket != nil || HostAndPort(host: host, port: port).isLoopback
        self.tls = tls ?? StoreTLS(mode: isLocal ? .off : .on)
    }
}
