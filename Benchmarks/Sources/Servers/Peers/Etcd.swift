// SPDX-License-Identifier: Apache-2.0

import TestSupport

/// A member of an etcd cluster with its own data.
struct Etcd {
    let process: ServerProcess

    /// Starts an etcd of one member.
    init() throws {
        self = try Etcd(at: Place(), in: nil)
    }

    /// Starts the members of a cluster, which answer once most of them are there.
    static func cluster(of count: Int) throws -> [ServerProcess] {
        if count == 1 { return [try Etcd().process] }
        let places = try (0..<count).map { _ in try Place() }
        let cluster = places.enumerated().map { "m\($0)=\($1.peer)" }.joined(separator: ",")
        let members = try places.enumerated().map { number, place in
            try Etcd(at: place, in: (name: "m\(number)", all: cluster), isAwaited: number == count - 1)
        }
        return members.map(\.process)
    }

    private struct Place {
        let port: Int
        let peer: String

        init() throws {
            port = try freePort()
            peer = "http://127.0.0.1:\(try freePort())"
        }
    }

    private init(at place: Place, in cluster: (name: String, all: String)?, isAwaited: Bool = true) throws {
        let folder = try TemporaryDirectory(prefix: "bench")
        let client = "http://127.0.0.1:\(place.port)"
        let (name, all) = cluster ?? ("default", "default=\(place.peer)")
        let arguments = [
            "--name", name, "--data-dir", folder["data"], "--log-level", "error",
            "--listen-client-urls", client, "--advertise-client-urls", client,
            "--listen-peer-urls", place.peer, "--initial-advertise-peer-urls", place.peer,
            "--initial-cluster", all,
        ]
        process = try ServerProcess("etcd", port: place.port, in: folder, Command("etcd", arguments)) {
            try !isAwaited || HTTPCall(port: place.port, "/health").isAnswered()
        }
    }
}
