// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Foundation
import RemoteConfig
import TestSupport
import Testing

/// A program that fetches all the time and shows what it has when it likes, with a real server and real files.
@Suite(.timeLimit(.minutes(5)))
struct StagingTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory(prefix: "staging") }

    private func service(
        of server: RunningServer,
        _ activation: SyncActivation,
        isOffline: Bool = false
    ) throws -> SyncService {
        SyncService(
            source: try ServerSource(url: try requireURL(server.address)),
            cache: ConfigCache(folder: folder["cache"], programVersion: "1"),
            activation: activation,
            isOffline: isOffline,
            notificationCenter: NotificationCenter()
        )
    }

    @Test func aServerHearsNothingOfAProgramThatIsSetOffline() async throws {
        let server = try await onDedicatedThread { try RunningServer() }
        let load = try await WriteLoad(to: server.address)
        let proxy = try FaultyProxy(before: server.port, seed: 1, oneOf: 1)
        proxy.behave()
        let source = try ServerSource(url: try requireURL("http://127.0.0.1:\(proxy.port)"))
        let service = SyncService(source: source, notificationCenter: NotificationCenter())
        let run = Task { await service.run() }
        defer { run.cancel() }
        try await load.publish(set: ["a": .integer(1)])
        try await until("it is live") { service.state.current.status.phase == .live }
        // The stream may have asked for a read, which would be under way.
        _ = await service.refresh()

        await service.setOffline(true)
        let requests = proxy.requestCount
        try await load.publish(set: ["a": .integer(2)])
        guard case .failed(let error) = await service.refresh() else {
            Issue.record("it asks")
            return
        }
        #expect(error.code == .offline)
        #expect(try await service.firstState(timeout: .zero).isFromSource, "it has answered before")
        #expect(shown(by: service) == ["a": .integer(1)])
        #expect(proxy.requestCount == requests)

        await service.setOffline(false)
        try await until("it shows all") { shown(by: service) == ["a": .integer(2)] }
        try await until("the stream is open again") { service.state.current.status.statistics.reconnects == 1 }
        let statistics = service.state.current.status.statistics
        #expect(statistics.bytesReceived > 0)
        #expect(statistics.consecutiveFailures == 0)
        run.cancel()
        await run.value
    }

    private func shown(by service: SyncService) -> [String: EntryValue] {
        service.state.current.snapshot.entries.mapValues(\.value)
    }

    @Test func anAppShowsWholeRevisionsWhenItComesToTheForeground() async throws {
        let server = try await onDedicatedThread { try RunningServer() }
        let load = try await WriteLoad(to: server.address)
        try await load.publish(set: ["screen.title": .string("one"), "screen.text": .string("one")])
        let service = try service(of: server, .onDemand)
        let run = Task { await service.run() }
        defer { run.cancel() }
        let first = try await service.firstState(timeout: .seconds(60))
        #expect(first.isFromSource)
        #expect(first.current.status.hasStagedChanges)
        #expect(first.snapshot.entries.isEmpty)
        #expect(await service.activate()?.changedKeys == ["screen.text", "screen.title"])

        try await until("it is live") { service.state.current.status.phase == .live }
        try await load.publish(set: ["screen.title": .string("two"), "screen.text": .string("two")])
        try await until("the event has come") { service.state.current.status.hasStagedChanges }
        #expect(shown(by: service) == ["screen.title": .string("one"), "screen.text": .string("one")])
        let update = try #require(await service.activate())
        #expect(update.values(forKey: "screen.title") == (.string("one"), .string("two")))
        #expect(shown(by: service) == ["screen.title": .string("two"), "screen.text": .string("two")])

        try await load.publish(set: ["screen.title": .string("three")], unset: ["screen.text"])
        try await until("the event has come") { service.state.current.status.hasStagedChanges }
        run.cancel()
        await run.value
        #expect(shown(by: service)["screen.title"] == .string("two"), "an end is no activation")

        // The next launch shows it before it has asked anybody.
        let next = try self.service(of: server, .nextLaunch, isOffline: true)
        #expect(shown(by: next) == ["screen.title": .string("three")])
        #expect(try await next.firstState(timeout: .seconds(60)).problem?.code == .offline)
        await next.setOffline(false)
        #expect(await next.refresh(timeout: .seconds(60)) == .unchanged)
    }
}
