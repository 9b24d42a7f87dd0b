// SPDX-License-Identifier: Apache-2.0

public import ConfigStore

/// The keys of an etcd cluster that have a prefix.
public struct EtcdAddress: Hashable, Sendable {
    /// The client addresses of the cluster's members; any of them can answer.
    public var members: [HostAndPort]
    /// The user, where the cluster has users.
    public var user: String?
    /// The prefix of the keys, without the slashes around it.
    public var prefix: String
    /// The protection of the connections.
    public var tls: StoreTLS

    /// Creates an address from its parts.
    ///
    /// - Parameter tls: how the connections are protected; by default they are encrypted, and the members' certificates
    ///   verified, unless all members are on this machine.
    public init(members: [HostAndPort], user: String? = nil, prefix: String = "livery", tls: StoreTLS? = nil) {
        (self.members, self.user, self.prefix) = (members, user, prefix)
        self.tls = tls ?? StoreTLS(mode: members.allSatisfy(\.isLoopback) ? .off : .on)
    }
}
