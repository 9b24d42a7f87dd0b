// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import HTTPTransport
import Observing
import RemoteConfigTesting
import TestSupport
import Testing

@testable import RemoteConfig

// Waits at the start of a program, and their timeouts.
extension RemoteConfigServiceServerTests {
    private static let gone = ConfigError(.unreachable, "gone")

    /// The waits for a service, once they have begun; each ends with its error.
    private func wait(
        for service: RemoteConfigService,
        _ timeouts: [Duration]
    ) async throws -> [Task<(any Error)?, Never>] {
        let waiting = timeouts.map { timeout in Task { await service.failureOfWait(timeout) } }
        try await until("all wait") { service.engine.callers.firsts.count == timeouts.count }
        return waiting
    }

    @Test(arguments: [false, true]) func readyMeansThatTheSourceHasAnswered(isRunning: Bool) async throws {
        server.publish { $0["a"] = .integer(1) }
        let service = makeService()
        let run = isRunning ? Task { await service.run() } : nil
        try await service.waitUntilReady(timeout: .seconds(1000))
        let first = service.state.current
        #expect(first.snapshot.entries["a"]?.value == .integer(1) && first.status.origin == .source)
        #expect(await service.failureOfWait(.zero) == nil, "it is known now")
        run?.cancel()
        await run?.value
        #expect(server.reads.count == 1)
        #expect(clock.nextDeadline == nil, "no timer is left")
    }

    @Test func cachedValuesStayAtTheEndOfTheTime() async throws {
        server.publish { $0["a"] = .integer(1) }
        try await live(cache: cache) { _ in }
        server.fail { ($0.opening, $0.reading) = (Self.gone, Self.gone) }
        let service = makeService(cache: cache)
        try await service.whileRunning {
            let waiting = try await wait(for: service, [.seconds(2)])
            try await phase(service, .offline)
            #expect(service.engine.callers.firsts.count == 1, "a failure is no end")
            clock.advance(by: .seconds(2))
            #expect(await waiting[0].value as? ConfigError == Self.gone)
            let first = service.state.current
            #expect(first.snapshot.entries["a"]?.value == .integer(1) && first.status.origin == .cache)
        }
    }

    @Test func aSilentSourceIsNamedAsTheProblem() async throws {
        let service = RemoteConfigService(source: FakeSource(delivery: .polled(every: .seconds(30))), clock: clock)
        let waiting = try await wait(for: service, [.milliseconds(1500), .seconds(Int64.max)])
        clock.advance(by: .milliseconds(1500))
        let problem = await waiting[0].value as? ConfigError
        #expect(problem?.code == .unreachable)
        #expect(problem?.message == "no complete response within 1.5 s")
        #expect(await service.failureOfWait(.seconds(-1)) != nil)
        clock.advance(by: .seconds(86_400))
        let last = await waiting[1].value as? ConfigError
        #expect(last?.message == "no complete response within 86400 s")
    }

    @Test func manyWaitAndEachForItsOwnTime() async throws {
        let source = FakeSource(delivery: .polled(every: .seconds(30)))
        let service = RemoteConfigService(source: source, clock: clock)
        let waiting = try await wait(for: service, (1...60).map { .seconds($0 % 3 == 0 ? 2 : 1000) })
        try await until("the source is read") { source.isRead }
        clock.advance(by: .seconds(2))
        for (number, task) in zip(1..., waiting) where number % 3 == 0 {
            #expect(await task.value is ConfigError)
        }
        for (number, task) in zip(1..., waiting) where number % 3 == 1 {
            task.cancel()
            #expect(await task.value is CancellationError)
        }
        try source.answer(1)
        for (number, task) in zip(1..., waiting) where number % 3 == 2 {
            #expect(await task.value == nil)
        }
        #expect(source.readCount == 1, "they share a read")
        try await until("nobody waits") { service.engine.callers.firsts.count == 0 }
        #expect(clock.nextDeadline == nil)
    }

    /// A service that runs and does not reach the server.
    private func offlineRun() async throws -> (RemoteConfigService, Task<Void, Never>) {
        server.fail { ($0.opening, $0.reading) = (Self.gone, Self.gone) }
        let service = makeService()
        let run = Task { await service.run() }
        try await phase(service, .offline)
        return (service, run)
    }

    @Test func waitersEndWithTheServiceOrTheNetwork() async throws {
        let (service, run) = try await offlineRun()
        let first = try await wait(for: service, [.seconds(1000)])
        await service.setOffline(true)
        #expect(await first[0].value as? ConfigError == .setOffline)
        #expect(await service.failureOfWait(.seconds(1000)) as? ConfigError == .setOffline, "nor does it begin to")
        await service.setOffline(false)
        let second = try await wait(for: service, [.seconds(1000)])
        run.cancel()
        await run.value
        #expect(await second[0].value as? ConfigError == .cancelled)
        #expect(clock.nextDeadline == nil)
    }

    @Test func endedServiceIsNotWaitedFor() async throws {
        let (service, run) = try await offlineRun()
        run.cancel()
        await run.value
        #expect(await service.failureOfWait(.seconds(1000)) as? ConfigError == .cancelled)
        #expect(clock.nextDeadline == nil)

        server.fail { ($0.opening, $0.reading) = (nil, nil) }
        let next = Task { await service.run() }
        try await until("it runs again") { await service.engine.isFollowing }
        try await clock.passing { try await service.waitUntilReady(timeout: .seconds(1000)) }
        next.cancel()
        await next.value
    }

    @Test func aRefreshWithALimitLeavesTheReadToOthers() async throws {
        let source = FakeSource(delivery: .polled(every: .seconds(30)))
        let service = RemoteConfigService(source: source, clock: clock)
        let patient = Task { await service.refreshOutcome() }
        try await until("the source is read") { source.isRead }
        let impatient = Task { await service.refreshOutcome(timeout: .seconds(2)) }
        let cancelled = Task { await service.refreshOutcome(timeout: .seconds(3)) }
        try await until("both limits are set, beside the notice of a slow read") { clock.callCount == 3 }
        cancelled.cancel()
        #expect(await cancelled.value == .failed(.cancelled))
        await #expect(throws: CancellationError.self) {
            let refresh = Task { try await service.refresh() }
            refresh.cancel()
            _ = try await refresh.value
        }
        clock.advance(by: .seconds(2))
        let late = ConfigError(.unreachable, "no complete response within 2 s")
        #expect(await impatient.value == .failed(late))
        #expect(source.isRead, "the read goes on")
        try source.answer(1)
        #expect(await patient.value == .changed(keys: ["k"]))
        #expect(service.state.current.snapshot.entries["k"]?.value == .integer(1))
        #expect(clock.nextDeadline == nil)
    }

    /// A caller that does not wait until the read in flight has ended.
    enum Impatience: CaseIterable, Sendable {
        case refresh, lateRefresh, cancelledRefresh, wait, lateWait, cancelledWait
    }

    @Test(arguments: [SourceDelivery.watched, .polled(every: .seconds(30))], Impatience.allCases)
    func callersThatStopWaitingLeaveNothing(delivery: SourceDelivery, _ impatience: Impatience) async throws {
        let source = FakeSource(delivery: delivery, isCancellable: false)
        let service = RemoteConfigService(source: source, clock: clock)
        let patient = Task { await service.refreshOutcome() }
        try await until("the source is read") { source.isRead }
        let (timers, callers) = (clock.callCount, service.engine.callers)
        switch impatience {
        case .refresh:
            let late = RefreshOutcome.failed(ConfigError(.unreachable, "no complete response within 0 s"))
            for _ in 0..<10_000 { #expect(await service.refreshOutcome(timeout: .zero) == late) }
        case .wait: for _ in 0..<10_000 { #expect(await service.failureOfWait(.zero) is ConfigError) }
        case .lateRefresh, .cancelledRefresh, .lateWait, .cancelledWait:
            let isRefresh = [.lateRefresh, .cancelledRefresh].contains(impatience)
            let tasks = (0..<1000).map { _ in
                Task {
                    if isRefresh { return await service.refreshOutcome(timeout: .seconds(0.1)) != .unchanged }
                    return await service.failureOfWait(.seconds(0.1)) != nil
                }
            }
            try await until("all wait") { clock.callCount == timers + tasks.count }
            #expect(callers.outcomes.count + callers.firsts.count == tasks.count + 1)
            if [.lateRefresh, .lateWait].contains(impatience) { clock.advance(by: .seconds(0.1)) }
            for task in tasks {
                task.cancel()
                #expect(await task.value)
            }
        }
        #expect(callers.outcomes.count == 1 && callers.firsts.count == 0)
        #expect(clock.callCount == timers)
        try source.answer(1)
        #expect(await patient.value == .changed(keys: ["k"]))
        #expect(callers.outcomes.count == 0)
        #expect(source.readCount <= 2, "they share a read")
    }

    @Test func refreshAfterAnAbandonedReadHasItsOwn() async throws {
        for delivery in [SourceDelivery.watched, .polled(every: .seconds(30))] {
            let source = FakeSource(delivery: delivery, isCancellable: false)
            let service = RemoteConfigService(source: source, clock: clock)
            let run = Task { await service.run() }
            let former = Task { await service.refreshOutcome() }
            try await until("a caller waits") { source.isRead && service.engine.callers.outcomes.count == 1 }
            run.cancel()
            try await until("the service ends") { await !service.engine.isFollowing }
            let next = Task { await service.refreshOutcome() }
            try await until("both wait") { service.engine.callers.outcomes.count == 2 }
            _ = await service.refreshOutcome(timeout: .zero)
            source.answer(.failure(ConfigError(.unreadable, "cancelled")))
            try await clock.passing {
                try await until("the source is read again") { source.readCount == 2 && source.isRead }
                try source.answer(1)
                #expect(await next.value == .changed(keys: ["k"]))
                _ = await former.value
            }
            await run.value
        }
    }
}
