// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Observing
import RemoteConfigTesting
import TestSupport
import Testing

@testable import RemoteConfig

/// A program that is set offline sends no requests.
@Suite(.timeLimit(.minutes(5)))
struct RemoteConfigServiceOfflineTests {
    private let clock = TestClock()

    @Test func aServiceMayBeginOffline() async throws {
        let server = FakeServer()
        server.publish { $0["a"] = .integer(1) }
        let service = RemoteConfigService(source: server, isOffline: true, clock: clock)
        #expect(service.state.current.status.isSetOffline)
        #expect(service.state.current.status.phase == .offline)
        let run = Task { await service.run() }
        defer { run.cancel() }
        try await until("it runs") { await service.engine.isFollowing }
        clock.advance(by: .seconds(1000))
        #expect(await service.refreshOutcome() == .failed(.setOffline))
        #expect(server.reads.isEmpty)
        #expect(server.openings.isEmpty)
        #expect(clock.nextDeadline == nil)
        await service.setOffline(false)
        try await until("it is live") { service.state.current.status.phase == .streaming }
        #expect(service.state.current.snapshot.entries["a"]?.value == .integer(1))
        #expect(!service.state.current.status.isSetOffline)
        run.cancel()
        await run.value
    }

    @Test func itMayBeSetBeforeTheServiceRuns() async throws {
        let source = FakeSource()
        let service = RemoteConfigService(source: source, clock: clock)
        await service.setOffline(true)
        let run = Task { await service.run() }
        defer { run.cancel() }
        try await until("it runs") { await service.engine.isFollowing }
        source.hint(.changed)
        #expect(await service.refreshOutcome() == .failed(.setOffline))
        #expect(source.readCount == 0)
        #expect(service.state.current.status.phase == .offline)
        await service.setOffline(false)
        #expect(service.state.current.status.phase == .starting)
        try await until("the hint leads to a read") { source.isRead }
        try source.answer(1)
        try await until("it is live") { service.state.current.status.phase == .streaming }
        await service.setOffline(true)
        #expect(service.state.current.status.phase == .offline)
        let phases = Log<SourceStatus.Phase>()
        let subscription = service.state.observed.observe { former, next in
            if former.status.phase != next.status.phase { phases.append(next.status.phase) }
        }
        await service.setOffline(false)
        #expect(phases.entries.first == .polling, "nothing is followed yet, and what was read counts")
        subscription.end()
        run.cancel()
        await run.value
    }

    @Test func goingOfflineDropsTheReadInFlight() async throws {
        let source = FakeSource(delivery: .polled(every: .seconds(30)), isCancellable: false)
        let service = RemoteConfigService(source: source, clock: clock)
        let first = Task { await service.refreshOutcome() }
        try await until("the source is read") { source.readCount == 1 }
        await service.setOffline(true)
        try source.answer(1)
        #expect(await first.value == .failed(.setOffline))
        #expect(service.state.current.snapshot.revision == 0, "what came is not shown")
        #expect(service.state.current.status.problem == nil, "nor is it anybody's fault")
    }

    @Test func laterRefreshGetsASeparateRead() async throws {
        let source = FakeSource(delivery: .polled(every: .seconds(30)), isCancellable: false)
        let service = RemoteConfigService(source: source, clock: clock)
        let first = Task { await service.refreshOutcome() }
        try await until("the source is read") { source.readCount == 1 }
        await service.setOffline(true)
        await service.setOffline(false)
        let second = Task.immediate { await service.refreshOutcome() }
        try source.answer(1)
        #expect(await first.value == .failed(.setOffline))
        #expect(service.state.current.snapshot.revision == 0, "what came is not shown")
        try await clock.passing {
            try await until("the source is read again") { source.readCount == 2 }
            try source.answer(2)
            #expect(await second.value == .changed(keys: ["k"]))
        }
        #expect(service.state.current.snapshot.entries["k"]?.value == .integer(2))
    }

    /// Whatever is in progress when it is set, no request is sent from then on, and every waiter is notified.
    @Test func settingItAgainAndAgainLosesNothing() async throws {
        let server = FakeServer()
        let service = RemoteConfigService(source: server, clock: clock)
        try await service.whileRunning {
            try await clock.passing {
                for value in 1...200 {
                    server.publish { $0["a"] = .integer(value) }
                    let asking = Task { await service.refreshOutcome() }
                    await service.setOffline(true)
                    let reads = server.reads.count
                    #expect(await service.refreshOutcome() == .failed(.setOffline))
                    if value % 10 == 0 { try await until("the stream is closed") { server.streamCount == 0 } }
                    #expect(server.reads.count == reads)
                    await service.setOffline(false)
                    _ = await asking.value
                }
                try await until("it shows all") { service.state.current.snapshot.cursor == server.cursor }
                try await until("it is live") { service.state.current.status.phase == .streaming }
            }
        }
        #expect(await service.engine.runs.listeners.isEmpty)
    }
}
