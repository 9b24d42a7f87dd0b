// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// A livery-server with its own store.
struct LiveryServerProcess {
    let process: ServerProcess

    /// The arguments for a store in this folder.
    static func command(port: Int, folder: TemporaryDirectory) throws -> Command {
        try command(port: port, store: folder["livery.sqlite"])
    }

    private static func command(port: Int, store: String) throws -> Command {
        let arguments = ["--address", "127.0.0.1:\(port)", "--store", store, "--log-level", "error"]
        return Command(try builtProduct(named: "livery-server"), arguments)
    }

    /// Starts a server on a store that it is given, without entries.
    static func start(storingIn store: String) throws -> ServerProcess {
        let port = try freePort()
        return try ServerProcess(
            "livery",
            port: port,
            in: nil,
            command(port: port, store: store),
            answering: "/v1/default/config"
        )
    }

    /// Starts the server with a number of entries.
    init(entries count: Int) throws {
        let folder = try TemporaryDirectory(prefix: "bench")
        let port = try freePort()
        let command = try Self.command(port: port, folder: folder)
        process = try ServerProcess("livery", port: port, in: folder, command, answering: "/v1/default/config")
        for patch in SampleEntries(count: count).patches {
            let file = try folder.write(patch, to: "patch.json")
            let options = ["-X", "PATCH", "-H", "Content-Type: application/json", "--data-binary", "@\(file)"]
            _ = try HTTPCall(port: port, "/v1/default/entries", options).body()
        }
    }

    /// The path of the delta that has nothing in it.
    func emptyDelta() throws -> String {
        // The tag begins with the epoch and the revision.
        let cursor = try HTTPCall(port: process.port, "/v1/default/config").field("etag")
            .trimmingCharacters(in: ["\""]).prefix { $0 != "-" }.split(separator: ":")
        guard cursor.count == 2 else { throw BenchmarkFailure("livery-server has no entity tag of epoch and revision") }
        return "/v1/default/config?epoch=\(cursor[0])&after=\(cursor[1])"
    }
}
