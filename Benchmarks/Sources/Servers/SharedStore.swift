// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// livery-servers, and the store that they have in common.
struct SharedStore {
    let servers: [ServerProcess]
    /// Resources that must exist as long as the servers.
    private let store: [any Sendable]

    private init(on address: String, servers count: Int, keeping store: [any Sendable]) throws {
        servers = try (0..<count).map { _ in try LiveryServerProcess.start(storingIn: address) }
        self.store = store
        for patch in SampleEntries(count: 3).patches {
            let options = ["-X", "PATCH", "-H", "Content-Type: application/json", "--data-binary", patch]
            _ = try HTTPCall(port: servers[0].port, "/v1/default/entries", options).body()
        }
    }

    /// One server on a file.
    static func sqlite() throws -> SharedStore {
        let folder = try TemporaryDirectory(prefix: "bench")
        return try SharedStore(on: folder["livery.sqlite"], servers: 1, keeping: [folder])
    }

    /// Three servers on a MariaDB with Debian's defaults.
    static func mariaDB() throws -> SharedStore {
        let database = try RunningMariaDB.withDefaults()
        let address = "mariadb://root@localhost/\(try database.makeDatabase())?socket=\(database.socket)"
        return try SharedStore(on: address, servers: 3, keeping: [database])
    }

    /// Three servers on an etcd.
    static func etcd(members count: Int) throws -> SharedStore {
        let members = try Etcd.cluster(of: count)
        let hosts = members.map { "127.0.0.1:\($0.port)" }.joined(separator: ",")
        return try SharedStore(on: "etcd://\(hosts)/livery?tls=off", servers: 3, keeping: members)
    }
}
