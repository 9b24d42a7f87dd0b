// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Foundation
import RemoteConfig
import TestSupport
import Testing

/// A real file over a real server over what the program brings along.
@Suite(.timeLimit(.minutes(5)))
struct LayerTests {
    @Test func aFileOverAServerOverTheBundledDefaultOutlivesTheServer() async throws {
        let server = try await onDedicatedThread { try RunningServer.startedForAgain() }
        let (port, home) = (server.port, server.folder)
        let folder = try TemporaryDirectory()
        try folder.replace("override.json", with: "{\n \"a\": \"file\"}")
        #expect(try server.set("a", #""server""#) == 201 && server.set("b", #""server""#) == 201)

        let file = FileSource(path: folder["override.json"])
        let remote = try ServerSource(url: try requireURL(server.address), pollingInterval: .milliseconds(200))
        let bundled = try ConfigDocument(values: ["a": "bundled", "b": "bundled", "c": "bundled"])
        let cache = ConfigCache(folder: folder["cache"], programVersion: "1")
        let makeService = {
            SyncService(source: LayeredSource([file, remote, BundledSource(bundled)]), cache: cache)
        }
        let service = makeService()
        let run = Task { await service.run() }
        try await shows(service, ["a": "file", "b": "server", "c": "bundled"]) {
            $0.phase == .live && $0.problem == nil
        }
        #expect(sources(service) == ["a": file.name, "b": remote.name, "c": "bundled default"])
        #expect(service.state.current.snapshot.entries["a"]?.location == TextLocation(line: 2, column: 7))

        // A change of the server arrives through its stream.
        #expect(try server.set("b", #""changed""#) == 200)
        try await shows(service, ["a": "file", "b": "changed", "c": "bundled"]) { $0.problem == nil }

        try await onDedicatedThread { _ = try server.stop(signal: SIGKILL) }
        try await shows(service, ["a": "file", "b": "changed", "c": "bundled"]) {
            $0.problem?.source == remote.name && $0.problem?.code == .unreachable && $0.phase == .polling
        }
        // The other layers are followed all the same.
        try folder.replace("override.json", with: #"{"c": "file"}"#)
        try await shows(service, ["a": "server", "b": "changed", "c": "file"]) { $0.problem?.source == remote.name }

        // A program that starts meanwhile has the server's last values.
        run.cancel()
        await run.value
        let second = makeService()
        #expect(values(second) == ["a": "server", "b": "changed", "c": "file"])
        let secondRun = Task { await second.run() }
        try await shows(second, ["a": "server", "b": "changed", "c": "file"]) { $0.problem?.source == remote.name }
        #expect(sources(second) == ["a": remote.name, "b": remote.name, "c": file.name])

        let again = try await onDedicatedThread { try RunningServer(port: port, folder: home) }
        #expect(try again.set("b", #""back""#) == 200)
        try await shows(second, ["a": "server", "b": "back", "c": "file"]) { $0.phase == .live && $0.problem == nil }
        secondRun.cancel()
        await secondRun.value
    }

    private func values(_ service: SyncService) -> [String: String] {
        service.state.current.snapshot.entries.mapValues { String(configValue: $0.value) ?? "\($0.value)" }
    }

    private func sources(_ service: SyncService) -> [String: String] {
        service.state.current.snapshot.entries.mapValues(\.source)
    }

    private func shows(
        _ service: SyncService,
        _ expected: [String: String],
        and isSo: @escaping @Sendable (SyncStatus) -> Bool
    ) async throws {
        try await until("\(expected) is shown instead of \(service.state.current)") {
            values(service) == expected && isSo(service.state.current.status)
        }
    }
}
