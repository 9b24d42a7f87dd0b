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
            #expect(try await onDedicatedThread { try writes.legacyValue() } == "\(value)", "round \(round)")
        }
    }
}

/// A server that is stopped again and again, whose file is then copied or put back.
private final class Writes: @unchecked Sendable {
    // Used by one thread at a time.
    private var server: RunningServer
    private var chances: SeededGenerator
    /// The value of the key `value`, and that in the copy.
    private var (present, copied) = (0, 0)
    private let port: Int
    private let folder: TemporaryDirectory
    private var legacy: LegacyClient
    private static let targets = ["/v1/default/config", "/v1/default/entries/value", "/default.json"]

    var address: String { "http://127.0.0.1:\(port)" }

    init(seed: UInt64) throws {
        server = try RunningServer()
        (port, folder, chances) = (server.port, server.folder, SeededGenerator(seed: seed))
        legacy = LegacyClient(port: port)
        _ = try server.set("value", "0")
        try restart(after: "cp livery.sqlite copy")
    }

    private func restart(after command: String) throws {
        #expect(try server.stop() == .exited(0))
        let output = try Command.shell(command, workingDirectory: folder.path).run()
        #expect(output.status.isSuccess, "\(output)")
        server = try RunningServer(port: port, folder: folder)
    }

    /// Writes a value that no other write has, often after the older copy was put back, and sometimes to another key.
    ///
    /// - Returns: the value of the key `value`.
    func next(_ value: Int) throws -> Int {
        switch chances.next() % 4 {
        case 0:
            copied = present
            try restart(after: "cp livery.sqlite copy")
        case 1: break
        default:
            present = copied
            try restart(after: "cp copy livery.sqlite")
        }
        let isOther = chances.next() % 3 == 0
        if !isOther { present = value }
        #expect([200, 201].contains(try server.set(isOther ? "other" : "value", "\(value)")))
        return present
    }

    /// The value of the legacy client after it has requested the rows that changed since.
    func legacyValue() throws -> String? {
        try legacy.fetch()
        return legacy.values["value"]
    }

    /// The statuses for a client that has the current state.
    func statusesWithoutChange() throws -> [Int] {
        try Self.targets.map { target in
            let tag = try #require(try server.ask("GET", target)["etag"])
            return try server.ask("GET", target, ["If-None-Match: \(tag)"]).status
        }
    }
}
