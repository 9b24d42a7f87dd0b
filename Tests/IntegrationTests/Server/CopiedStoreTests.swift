// SPDX-License-Identifier: Apache-2.0

import Foundation
import RemoteConfig
import TestSupport
import Testing

/// An older copy of a store that is put back: its next revisions have the numbers of lost ones, and other contents.
@Suite(.timeLimit(.minutes(5)))
struct CopiedStoreTests {
    @Test(arguments: [1, 2, 3] as [UInt64])
    func noClientStaysOnValuesThatTheServerDoesNotHave(seed: UInt64) async throws {
        let writes = try Writes(seed: seed)
        let url = try #require(URL(string: writes.address))
        let sources: [any ConfigSource] = [
            try ServerSource(url: url), DocumentSource(url: url.appending(path: "default.json")),
            try OFREPSource(url: url),
        ]
        let services = sources.map { RemoteConfigService(source: $0) }
        for round in 0..<12 {
            let value = try await onDedicatedThread { try writes.next(round + 1) }
            for service in services {
                try await service.refresh()
                #expect(service.value(forKey: "value", default: -1) == value, "round \(round), \(service)")
            }
            #expect(try await onDedicatedThread { try writes.statusesWithoutChange() } == [304, 304, 304])
        }
    }
}

/// A server that is stopped again and again, whose file is then copied or put back.
private final class Writes: @unchecked Sendable {
    // Used by one thread at a time.
    private var server: RunningServer
    private var chances: SeededGenerator
    private let port: Int
    private let folder: TemporaryDirectory
    private static let targets = ["/v1/default/config", "/v1/default/entries/value", "/default.json"]

    var address: String { "http://127.0.0.1:\(port)" }

    init(seed: UInt64) throws {
        server = try RunningServer()
        (port, folder, chances) = (server.port, server.folder, SeededGenerator(seed: seed))
        _ = try server.set("value", "0")
        try restart(after: "cp livery.sqlite copy")
    }

    private func restart(after command: String) throws {
        #expect(try server.stop() == .exited(0))
        let output = try Command.shell(command, workingDirectory: folder.path).run()
        #expect(output.status.isSuccess, "\(output)")
        server = try RunningServer(port: port, folder: folder)
    }

    /// Writes a value that no other write has, often after the older copy was put back.
    func next(_ value: Int) throws -> Int {
        switch chances.next() % 4 {
        case 0: try restart(after: "cp livery.sqlite copy")
        case 1: break
        default: try restart(after: "cp copy livery.sqlite")
        }
        #expect(try server.set("value", "\(value)") == 200)
        return value
    }

    /// The statuses for a client that has the current state.
    func statusesWithoutChange() throws -> [Int] {
        try Self.targets.map { target in
            let tag = try #require(try server.ask("GET", target)["etag"])
            return try server.ask("GET", target, ["If-None-Match: \(tag)"]).status
        }
    }
}
