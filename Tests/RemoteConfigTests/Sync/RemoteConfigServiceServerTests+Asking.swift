// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import RemoteConfigTesting
import TestSupport
import Testing

@testable import RemoteConfig

// Requests for a read.
extension RemoteConfigServiceServerTests {
    @Test func retryAfterAppliesToEveryCaller() async throws {
        var busy = ConfigError(.unavailable, "busy")
        busy.retryAfter = .seconds(20)
        let failure = busy
        server.fail { ($0.opening, $0.reading) = (failure, failure) }
        let service = makeService()
        for _ in 0..<50 { #expect(await service.refreshOutcome() == .failed(failure)) }
        #expect(server.reads.count == 1)
        #expect(server.openings.isEmpty)
        clock.advance(by: .seconds(30))
        server.fail { ($0.opening, $0.reading) = (nil, nil) }
        #expect(await service.refreshOutcome() == .unchanged)
    }

    @Test func pendingRefreshFailsAtTheEnd() async throws {
        let source = FakeSource(delivery: .polled(every: .seconds(30)))
        let service = RemoteConfigService(source: source, clock: clock)
        let run = Task { await service.run() }
        try await until("the source is read") { source.isRead }
        source.answer(.failure(ConfigError(.unreachable, "gone")))
        try await phase(service, .offline)
        let first = Task { await service.refreshOutcome() }
        try await until("the source is read again") { source.readCount == 2 && source.isRead }
        source.answer(.failure(ConfigError(.unreachable, "gone")))
        _ = await first.value
        let second = Task { await service.refreshOutcome() }
        try await until("the second has to wait") { await service.engine.schedule.reads.isRequested }
        run.cancel()
        await run.value
        #expect(await second.value.failure?.code == .cancelled)
        #expect(source.readCount == 2)
        #expect(clock.nextDeadline == nil)
    }

    @Test func aTaskThatWasCancelledReadsNothing() async throws {
        let source = FakeSource(delivery: .polled(every: .seconds(30)))
        let service = RemoteConfigService(source: source, clock: clock)
        let refresh = Task {
            while !Task.isCancelled { await Task.yield() }
            return await service.refreshOutcome()
        }
        refresh.cancel()
        #expect(await refresh.value.failure?.code == .cancelled)
        #expect(source.readCount == 0)
    }

    @Test func repeatedRefreshReadsOncePerSecond() async throws {
        let service = makeService()
        let start = clock.elapsed
        await clock.passing {
            for _ in 0..<10 { #expect(await service.refreshOutcome() == .unchanged) }
        }
        #expect(server.reads.count == 10)
        #expect(clock.elapsed - start >= .seconds(9))
        let waiting = (0..<50).map { _ in Task { await service.refreshOutcome() } }
        await clock.passing {
            for waiting in waiting { #expect(await waiting.value == .unchanged) }
        }
        #expect(server.reads.count <= 12, "they share")
    }
}

extension RefreshOutcome {
    fileprivate var failure: ConfigError? {
        guard case .failed(let error) = self else { return nil }
        return error
    }
}
