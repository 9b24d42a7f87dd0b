// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigWire
import Foundation
import Logging
import Observing
import RemoteConfigTesting
import TestSupport
import Testing

@testable import RemoteConfig

/// The service over a server and a clock that the test controls.
@Suite(.timeLimit(.minutes(5)))
struct RemoteConfigServiceServerTests {
    let server = FakeServer()
    let clock = TestClock()
    let folder: TemporaryDirectory
    let warnings = Log<String>()

    init() throws { folder = try TemporaryDirectory() }

    func makeService(
        cache: ConfigCache? = nil,
        activation: ActivationPolicy = .immediate,
        policy: ConnectionPolicy = ConnectionPolicy(),
        isOffline: Bool = false
    ) -> RemoteConfigService {
        RemoteConfigService(
            source: server,
            cache: cache,
            activation: activation,
            policy: policy,
            isOffline: isOffline,
            notificationCenter: NotificationCenter(),
            logger: .noting(in: warnings),
            clock: clock
        )
    }

    var cache: ConfigCache { ConfigCache(app: "test", version: "1", folder: folder["cache"]) }

    /// Runs a service that has become live: it shows what the server has, or has fetched it to be activated.
    func live(
        activation: ActivationPolicy = .immediate,
        cache: ConfigCache? = nil,
        _ body: (RemoteConfigService) async throws -> Void
    ) async throws {
        let service = makeService(cache: cache, activation: activation)
        try await service.whileRunning {
            try await fetches(service)
            if activation == .immediate { try await shows(service) }
            try await phase(service, .streaming)
            try await body(service)
        }
        #expect(server.streamCount == 0)
        #expect(clock.nextDeadline == nil, "no timer is left")
        #expect(service.state.current.status.phase == .stopped)
        #expect(await service.engine.runs.listeners.isEmpty)
    }

    /// Waits until the service has fetched what the server has.
    func fetches(_ service: RemoteConfigService) async throws {
        try await until("it is at \(server.cursor)") { await service.engine.synced.cache.mark.cursor == server.cursor }
        #expect(await service.engine.synced.fetched.entries.mapValues(\.value) == server.values)
        #expect(await service.engine.synced.fetched.digest == ConfigDigest(server.values.map { ($0.key, $0.value) }))
    }

    /// Waits until the service shows what the server has.
    func shows(_ service: RemoteConfigService) async throws {
        try await until("\(service.state.current) is at \(server.cursor)") {
            service.state.current.snapshot.cursor == server.cursor
        }
        #expect(service.state.current.snapshot.entries.mapValues(\.value) == server.values)
    }

    func phase(_ service: RemoteConfigService, _ phase: SourceStatus.Phase) async throws {
        try await until("\(service.state.current.status) is \(phase)") { service.state.current.status.phase == phase }
    }

    @Test func aRunThatReadsNothingBeginsOnceTheStreamIsOpen() async throws {
        server.publish { $0["a"] = .integer(1) }
        let service = makeService()
        await service.running { #expect(service.state.current.snapshot.cursor == server.cursor) }
        for _ in 0..<20 {
            await service.running { #expect(service.state.current.status.phase == .streaming) }
        }
        #expect(server.reads.count == 1, "the stream has everything")
    }

    @Test func runStartsWithoutAServer() async throws {
        server.publish { $0["a"] = .integer(1) }
        let service = makeService()
        _ = await service.refreshOutcome()
        let gone = ConfigError(.unreachable, "gone")
        server.fail { ($0.opening, $0.reading) = (gone, gone) }
        for _ in 0..<20 {
            await service.running { #expect(service.state.current.status.problem == gone) }
        }
    }

    @Test func aSnapshotThatContradictsItselfIsRefused() async throws {
        server.publish { $0["a"] = .integer(1) }
        let snapshot = ServerSnapshot(
            cursor: RevisionCursor(epoch: Epoch(rawValue: 1), revision: 5),
            digest: ConfigDigest(),
            entries: ["a": .integer(9)]
        )
        #expect(throws: ConfigError.self) {
            try EntrySnapshot.empty.updated(with: snapshot, from: "s", at: Timestamp(milliseconds: 0))
        }
    }

    @Test func afterAWholeStateChangesAreRequestedAgain() async throws {
        server.publish { $0["a"] = .integer(1) }
        try await live { service in
            let count = server.reads.count
            server.send(.reset(server.cursor, ConfigDigest()))
            try await clock.passing {
                try await until("it is read as a whole") { server.reads.count > count }
                _ = await service.refreshOutcome()
            }
            #expect(server.reads[count].cursor == nil)
            #expect(server.reads.last?.cursor == server.cursor)
        }
    }

    @Test func lostServerIsOfflineWithRetryTime() async throws {
        server.publish { $0["a"] = .integer(1) }
        try await live { service in
            let gone = ConfigError(.unreachable, "nobody answers")
            server.fail { ($0.opening, $0.reading) = (gone, gone) }
            let phases = Log<SourceStatus.Phase>()
            let subscription = service.state.observed.observe { phases.append($1.status.phase) }
            server.cut()
            try await until("the stream has ended") { await service.engine.schedule.stream.number == nil }
            clock.advance(by: .milliseconds(100))
            try await phase(service, .offline)
            #expect(!phases.entries.contains(.polling), "nothing was polled")
            subscription.end()
            #expect(service.state.current.status.nextAttemptAt != nil)
            #expect(service.state.current.snapshot.entries["a"]?.value == .integer(1), "the last good values stay")
            #expect(await service.refreshOutcome() == .failed(gone))
            let reads = server.reads.count
            clock.advance(by: .seconds(1))
            try await until("it is tried again") { server.reads.count > reads }
            server.publish { $0["a"] = .integer(2) }
            server.fail { ($0.opening, $0.reading) = (nil, nil) }
            #expect(await service.refreshOutcome() == .changed(keys: ["a"]))
            try await phase(service, .streaming)
            #expect(service.state.current.status.nextAttemptAt == nil)
        }
    }

    @Test func theFirstSignAfterASleepIsNotShownAsLive() async throws {
        server.publish { $0["a"] = .integer(1) }
        try await live { service in
            server.fail { $0.reading = ConfigError(.unreachable, "gone") }
            let phases = Log<SourceStatus.Phase>()
            let subscription = service.state.observed.observe { former, next in
                if next.status != former.status { phases.append(next.status.phase) }
            }
            clock.suspend(for: .seconds(600))
            server.beat()
            try await until("the failure is shown") { phases.entries.count >= 2 }
            #expect(phases.entries.prefix(2) == [.polling, .offline])
            subscription.end()
        }
    }

    @Test func offlineServiceOpensNoStream() async throws {
        server.publish { $0["a"] = .integer(1) }
        try await live { service in
            await service.setOffline(true)
            #expect(service.state.current.status.isSetOffline)
            try await until("the stream is closed") { server.streamCount == 0 }
            #expect(service.state.current.status.phase == .offline)
            #expect(service.state.current.status.nextAttemptAt == nil)
            #expect(clock.nextDeadline == nil, "an idle program sleeps")
            let (reads, openings) = (server.reads.count, server.openings.count)
            server.publish { $0["a"] = .integer(2) }
            clock.advance(by: .seconds(1000))
            #expect(await service.refreshOutcome() == .failed(.setOffline))
            #expect(await service.refreshOutcome(timeout: .seconds(5)) == .failed(.setOffline))
            #expect(server.reads.count == reads)
            #expect(server.openings.count == openings)
            await service.setOffline(false)
            try await shows(service)
            try await phase(service, .streaming)
            #expect(!service.state.current.status.isSetOffline)
        }
    }
}
