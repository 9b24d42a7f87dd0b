// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Configuration
import Logging
import Observing
import RemoteConfigTesting
import TestSupport
import Testing

@testable import RemoteConfig

#if ServiceLifecycle
    import ServiceLifecycle
#endif

/// The service's rules, over a source that the test controls.
@Suite(.timeLimit(.minutes(5)))
struct RemoteConfigServiceTests {
    private let source = FakeSource()

    @Test func observersMayCallTheEngine() async throws {
        let source = TestSource(["k": 1])
        let service = RemoteConfigService(source: source)
        let (engine, seen) = (service.engine, Log<UInt64>())
        let subscription = service.state.observed.observe { _, next in
            let fetched = engine.assumeIsolated { $0.synced.fetched.revision }
            #expect(fetched == next.snapshot.revision)
            seen.append(fetched)
        }
        await service.running { await source.publish(["k": 2]) }
        #expect(seen.entries.contains(2))
        subscription.end()
    }

    @Test func nothingIsReadUntilThereIsAReason() async throws {
        try await following(source) { running in
            #expect(running.current.status.phase == .starting)
            #expect(running.current.status.source == "fake")
            #expect(running.current.snapshot == .empty)
            #expect(source.readCount == 0)
        }
    }

    @Test func errorsAreShownOnceTheSourceHasSettled() async throws {
        let fault = ConfigError(.syntax, "broken")
        try await following(source) { running in
            source.hint(.changed)
            try await until("the source is read") { source.isRead }
            source.answer(.failure(fault))
            source.hint(.settled)
            try await until("the source is read again") { source.readCount == 2 && source.isRead }
            #expect(running.current.status.phase == .starting)
            source.answer(.failure(fault))
            try await until("the fault is shown") { running.problem == fault }
            #expect(running.current.status.phase == .streaming && running.current.status.hasFailed)
            try await until("the fault is announced") { running.statuses.entries.count == 1 }
        }
    }

    @Test func errorsAreDroppedWhenTheSourceChangesAgain() async throws {
        try await following(source) { running in
            source.move(isSettled: false)
            source.hint(.settled)
            try await until("the source is read") { source.isRead }
            source.answer(.failure(ConfigError(.syntax, "half-way")))
            try await until("the source is asked whether it rests") { source.restQuestions == 1 }
            source.move(isSettled: true)
            source.hint(.settled)
            try await until("the source is read again") { source.readCount == 2 && source.isRead }
            #expect(running.problem == nil)
            source.answer(.failure(ConfigError(.syntax, "broken")))
            try await until("the fault is shown") { running.problem?.message == "broken" }
            try await until("the fault is announced") { running.statuses.entries.count == 1 }
        }
    }

    @Test(arguments: [false, true]) func aHintDuringAReadLeadsToAnotherRead(isRefresh: Bool) async throws {
        try await following(source) { running in
            let refresh = isRefresh ? Task { await running.service.refreshOutcome() } : nil
            if !isRefresh { source.hint(.changed) }
            try await until("the source is read") { source.isRead }
            source.hint(.changed)
            try source.answer(1)
            if let refresh { #expect(await refresh.value == .changed(keys: ["k"])) }
            try await until("the source is read again") { source.readCount == 2 && source.isRead }
            try source.answer(2)
            try await running.shows(.integer(2))
        }
    }

    @Test func aRefreshJoinsTheReadUnderWay() async throws {
        let service = RemoteConfigService(source: source)
        let refreshes = await started(5, of: service)
        #expect(source.readCount == 1)
        try source.answer(1)
        for refresh in refreshes { #expect(await refresh.value == .changed(keys: ["k"])) }
        #expect(source.readCount == 1)
        async let again = service.refreshOutcome()
        try await until("the source is read again") { source.isRead }
        try source.answer(1)
        #expect(await again == .unchanged)
    }

    @Test func refreshThrowsTheFailureOfItsRead() async throws {
        let fault = ConfigError(.syntax, "broken")
        try await following(source) { running in
            source.hint(.changed)
            try await until("the source is read") { source.isRead }
            let refreshes = await started(1, of: running.service)
            #expect(source.readCount == 1)
            source.answer(.failure(fault))
            for refresh in refreshes { #expect(await refresh.value == .failed(fault)) }
            #expect(running.problem == fault)
        }
    }

    /// Two at once could end in the wrong order, and the older state would stay.
    @Test func thereIsNeverMoreThanOneReadAtOnce() async throws {
        try await following(source) { running in
            let refreshes = (0..<4).map { _ in
                Task {
                    for _ in 0..<50 { _ = await running.service.refreshOutcome() }
                }
            }
            let hints = Task {
                for _ in 0..<200 {
                    source.hint(.changed)
                    await Task.yield()
                }
            }
            let answers = Task {
                for value in 1... {
                    if Task.isCancelled { return }
                    try source.answer(value)
                    await Task.yield()
                }
            }
            for refresh in refreshes { await refresh.value }
            await hints.value
            answers.cancel()
            try await answers.value
            #expect(source.maximumConcurrency == 1)
            #expect(source.readCount > 50)
        }
    }

    @Test func theClockDatesChanges() async throws {
        let time = Log<Int64>()
        var settings = ServiceSettings()
        settings.now = { Timestamp(milliseconds: Int64(time.entries.count)) }
        let service = RemoteConfigService(source: source, settings)
        for (value, tick) in [(1, Int64(1)), (1, 2), (2, 3)] {
            time.append(tick)
            async let refreshed = service.refreshOutcome()
            try await until("the source is read") { source.isRead }
            try source.answer(value)
            _ = await refreshed
        }
        #expect(service.state.current.status.lastChangeAt == Timestamp(milliseconds: 3))
        #expect(service.state.current.snapshot.entries["k"]?.changedAt == Timestamp(milliseconds: 3))
        #expect(service.state.current.snapshot.revision == 2)
    }

    /// Starts refreshes and returns when the service knows of all of them.
    private func started(_ count: Int, of service: RemoteConfigService) async -> [Task<RefreshOutcome, Never>] {
        let refreshes = (0..<count).map { _ in Task { await service.refreshOutcome() } }
        while service.engine.callers.outcomes.count < count || !source.isRead { await Task.yield() }
        // A request joins a read only in the turn in which the service reads the source.
        await service.engine.takeTurn()
        return refreshes
    }
}

/// The end of the service.
@Suite(.timeLimit(.minutes(5)))
struct RemoteConfigServiceEndingTests {
    private let source = FakeSource()

    @Test func runEndsAtOnceWhenItIsCancelledBeforehand() async {
        let run = Task { await RemoteConfigService(source: source).run() }
        run.cancel()
        await run.value
    }

    @Test func runEndsDuringARead() async throws {
        let service = RemoteConfigService(source: source)
        try await service.whileRunning {
            source.hint(.settled)
            try await until("the source is read") { source.isRead }
        }
        #expect(service.state.current.status.problem == nil, "an end is no fault of the source")
    }

    @Test func runEndsDuringARefresh() async throws {
        let service = RemoteConfigService(source: source)
        let refresh = Task { await service.refreshOutcome() }
        try await until("the source is read") { source.isRead }
        await service.whileRunning {
            source.hint(.changed)
            await service.engine.takeTurn()
        }
        source.answer(.failure(ConfigError(.unreadable, "late")))
        _ = await refresh.value
    }

    #if ServiceLifecycle
        private struct Loop: Service {
            let service: RemoteConfigService
            let began = Log<Bool>()
            let body: @Sendable (RemoteConfigService, Log<Bool>) async throws -> Void

            func run() async throws { try await body(service, began) }
        }

        private static func group(_ services: [any Service]) -> ServiceGroup {
            ServiceGroup(services: services, logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
        }

        private static let sequences: [@Sendable (RemoteConfigService, Log<Bool>) async throws -> Void] = [
            { service, began in for await _ in service.state.observe() { began.append(true) } },
            { service, began in for await _ in service.observe("limit", as: Int.self) { began.append(true) } },
            { service, began in for await _ in service.observe({ $0.revision }) { began.append(true) } },
            { service, began in
                let messages = service.messages()
                began.append(true)
                for await _ in messages {}
            },
            { service, began in
                let exposures = service.exposures()
                began.append(true)
                for await _ in exposures {}
            },
            { service, began in
                try await RemoteConfigProvider(service: service).watchValue(forKey: ["limit"], type: .int) {
                    for await _ in $0 { began.append(true) }
                }
            },
            { service, began in
                try await RemoteConfigProvider(service: service).watchSnapshot {
                    for await _ in $0 { began.append(true) }
                }
            },
        ]

        @Test(arguments: Self.sequences.indices) func sequencesEndOnAGracefulShutdown(_ index: Int) async throws {
            let service = RemoteConfigService(source: TestSource(["limit": 1]), notificationCenter: nil)
            let loop = Loop(service: service, body: Self.sequences[index])
            let group = Self.group([loop])
            let run = Task { try await group.run() }
            try await until("it is iterated") { !loop.began.entries.isEmpty }
            await group.triggerGracefulShutdown()
            try await run.value
        }

        @Test func layersAreFollowedAfterTheShutdownOfAnotherRun() async throws {
            let source = TestSource(["limit": 1])
            let layered = LayeredSource([source, TestSource(["limit": 0], name: "below")])
            let service = RemoteConfigService(source: layered, notificationCenter: nil)
            let group = Self.group([service])
            let first = Task { try await group.run() }
            try await service.waitUntilReady(timeout: .seconds(60))
            try await until("it runs") { service.state.current.status.phase == .streaming }
            await service.running {
                await group.triggerGracefulShutdown()
                _ = await first.result
                await source.publish(["limit": 2])
                do {
                    try await until("the layers are followed") { service.value(forKey: "limit", default: 0) == 2 }
                } catch {
                    Issue.record(error)
                }
            }
        }

        @Test(arguments: [false, true]) func runEndsOnAGracefulShutdown(duringARead: Bool) async throws {
            let service = RemoteConfigService(source: source)
            let group = ServiceGroup(
                services: [service],
                logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
            )
            let run = Task { try await group.run() }
            source.hint(.changed)
            try await until("the source is read") { source.isRead }
            if !duringARead {
                try source.answer(1)
                try await until("the state is there") { service.state.current.snapshot.revision == 1 }
            }
            await group.triggerGracefulShutdown()
            // The requested end of a service is not an error.
            try await run.value
        }
    #endif

    @Test func runEndsWhileAFileIsFollowed() async throws {
        let folder = try TemporaryDirectory()
        for _ in 0..<100 {
            let service = RemoteConfigService(source: FileSource(path: folder["c.json"]))
            await service.whileRunning {
                await Task.yield()
            }
        }
    }
}

extension SyncEngine {
    /// Waits until the service has taken the calls that were made before.
    fileprivate func takeTurn() {}
}
