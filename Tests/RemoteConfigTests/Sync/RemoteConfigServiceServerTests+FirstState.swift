// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import HTTPTransport
import RemoteConfigTesting
import TestSupport
import Testing

@testable import RemoteConfig

// What a program waits for at its start, and for how long.
extension RemoteConfigServiceServerTests {
    private static let gone = ConfigError(.unreachable, "gone")

    /// Those who wait, once they do.
    private func wait(for service: RemoteConfigService, _ timeouts: [Duration]) async throws -> [Task<
        FirstState, any Error
    >] {
        let waiting = timeouts.map { timeout in Task { try await service.firstState(timeout: timeout) } }
        try await until("all wait") { await service.engine.runs.firstWaiters.count == timeouts.count }
        return waiting
    }

    @Test(arguments: [false, true]) func theFirstStateIsThatOfTheSource(isRunning: Bool) async throws {
        server.publish { $0["a"] = .integer(1) }
        let service = makeService()
        let run = isRunning ? Task { await service.run() } : nil
        let first = try await service.firstState(timeout: .seconds(1000))
        #expect(first.isFromSource)
        #expect(first.problem == nil)
        #expect(first.snapshot.entries["a"]?.value == .integer(1))
        #expect(first.current.status.origin == .source)
        let again = try await service.firstState(timeout: .zero)
        #expect(again.isFromSource, "it is known now")
        run?.cancel()
        await run?.value
        #expect(server.reads.count == 1)
        #expect(clock.nextDeadline == nil, "no timer is left")
    }

    @Test func atTheEndOfTheTimeTheFirstStateIsWhatTheCacheHolds() async throws {
        server.publish { $0["a"] = .integer(1) }
        try await live(cache: cache) { _ in }
        server.fail { ($0.opening, $0.reading) = (Self.gone, Self.gone) }
        let service = makeService(cache: cache)
        let run = Task { await service.run() }
        let waiting = try await wait(for: service, [.seconds(2)])
        try await phase(service, .offline)
        #expect(await service.engine.runs.firstWaiters.count == 1, "a failure is no end")
        clock.advance(by: .seconds(2))
        let first = try await waiting[0].value
        #expect(!first.isFromSource)
        #expect(first.problem == Self.gone)
        #expect(first.current.status.origin == .cache)
        #expect(first.snapshot.entries["a"]?.value == .integer(1))
        run.cancel()
        await run.value
    }

    @Test func aSourceThatSaysNothingIsNamedAsTheProblem() async throws {
        let service = RemoteConfigService(source: FakeSource(delivery: .polled(every: .seconds(30))), clock: clock)
        let waiting = try await wait(for: service, [.milliseconds(1500), .seconds(Int64.max)])
        clock.advance(by: .milliseconds(1500))
        let problem = try await waiting[0].value.problem
        #expect(problem?.code == .unreachable)
        #expect(problem?.message == "no complete answer within 1.5 s")
        #expect(try await service.firstState(timeout: .seconds(-1)).current.status.origin == .nothing)
        clock.advance(by: .seconds(86_400))
        #expect(try await waiting[1].value.problem?.message == "no complete answer within 86400 s")
    }

    @Test func manyWaitAndEachForItsOwnTime() async throws {
        let source = FakeSource(delivery: .polled(every: .seconds(30)))
        let service = RemoteConfigService(source: source, clock: clock)
        let waiting = try await wait(for: service, (1...60).map { .seconds($0 % 3 == 0 ? 2 : 1000) })
        try await until("the source is read") { source.isRead }
        clock.advance(by: .seconds(2))
        for (number, task) in zip(1..., waiting) where number % 3 == 0 {
            #expect(try await !task.value.isFromSource)
        }
        for (number, task) in zip(1..., waiting) where number % 3 == 1 {
            task.cancel()
            let error = await #expect(throws: ConfigError.self) { try await task.value }
            #expect(error?.code == .cancelled)
        }
        try source.answer(1)
        for (number, task) in zip(1..., waiting) where number % 3 == 2 {
            #expect(try await task.value.isFromSource)
        }
        #expect(source.readCount == 1, "they share a read")
        try await until("nobody waits") { await service.engine.runs.firstWaiters.isEmpty }
        #expect(clock.nextDeadline == nil)
    }

    @Test func nobodyWaitsLongerThanTheServiceOrTheNetworkIsThere() async throws {
        server.fail { ($0.opening, $0.reading) = (Self.gone, Self.gone) }
        let service = makeService()
        let run = Task { await service.run() }
        try await phase(service, .offline)
        let first = try await wait(for: service, [.seconds(1000)])
        await service.setOffline(true)
        #expect(try await first[0].value.problem == .setOffline)
        #expect(try await service.firstState(timeout: .seconds(1000)).problem == .setOffline, "nor does it begin to")
        await service.setOffline(false)
        let second = try await wait(for: service, [.seconds(1000)])
        run.cancel()
        await run.value
        #expect(try await second[0].value.problem?.code == .cancelled)
        #expect(clock.nextDeadline == nil)
    }

    @Test func nobodyWaitsForAServiceThatHasEnded() async throws {
        server.fail { ($0.opening, $0.reading) = (Self.gone, Self.gone) }
        let service = makeService()
        let run = Task { await service.run() }
        try await phase(service, .offline)
        run.cancel()
        await run.value
        let told = Log<FirstState>()
        let waiting = Task { told.append(try await service.firstState(timeout: .seconds(1000))) }
        try await until("the end is told") { !told.entries.isEmpty }
        #expect(told.entries.first?.problem?.code == .cancelled)
        try await waiting.value
        #expect(clock.nextDeadline == nil)

        server.fail { ($0.opening, $0.reading) = (nil, nil) }
        let next = Task { await service.run() }
        try await until("it runs again") { await service.engine.isFollowing }
        let first = try await clock.passing { try await service.firstState(timeout: .seconds(1000)) }
        #expect(first.isFromSource)
        next.cancel()
        await next.value
    }

    @Test func aRefreshWithALimitLeavesTheReadToOthers() async throws {
        let source = FakeSource(delivery: .polled(every: .seconds(30)))
        let service = RemoteConfigService(source: source, clock: clock)
        let patient = Task { await service.refresh() }
        try await until("the source is read") { source.isRead }
        let impatient = Task { await service.refresh(timeout: .seconds(2)) }
        let cancelled = Task { await service.refresh(timeout: .seconds(3)) }
        try await until("both limits are set, beside the notice of a slow read") { clock.callCount == 3 }
        cancelled.cancel()
        #expect(await cancelled.value == .failed(.cancelled))
        clock.advance(by: .seconds(2))
        let late = ConfigError(.unreachable, "no complete answer within 2 s")
        #expect(await impatient.value == .failed(late))
        #expect(source.isRead, "the read goes on")
        try source.answer(1)
        #expect(await patient.value == .changed(keys: ["k"]))
        #expect(service.state.current.snapshot.entries["k"]?.value == .integer(1))
        #expect(clock.nextDeadline == nil)
    }
}
