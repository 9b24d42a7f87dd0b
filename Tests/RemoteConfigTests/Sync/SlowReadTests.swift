// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import RemoteConfig
import RemoteConfigTesting
import TestSupport
import Testing

/// A source that answers, but not at once.
@Suite(.timeLimit(.minutes(5)))
struct SlowReadTests {
    private let clock = TestClock()

    @Test func aReadThatTakesLongIsShownUntilItEnds() async throws {
        let source = TestSource(["a": 1], pollingEvery: .seconds(60), clock: clock)
        source.latency = .seconds(5)
        let service = RemoteConfigService(source: source, clock: clock)
        var since: Timestamp? { service.state.current.status.readingSince }
        for outcome in [
            RefreshOutcome.changed(keys: ["a"]), .failed(ConfigError(.unavailable, "busy", source: "test")),
        ] {
            let start = clock.date
            let read = Task { await service.refreshOutcome() }
            try await until("the source is read") { source.readCount > 0 && clock.callCount > 1 }
            #expect(since == nil, "not at once")
            clock.advance(by: .milliseconds(600))
            try await until("the read is shown") { since == start }
            clock.advance(by: .seconds(5))
            #expect(await read.value == outcome)
            #expect(since == nil)
            await source.fail(ConfigError(.unavailable, "busy"))
            clock.advance(by: .seconds(10))
        }
    }

    @Test func aQuickReadIsNotShown() async throws {
        let source = TestSource(["a": 1], pollingEvery: .seconds(60), clock: clock)
        let service = RemoteConfigService(source: source, clock: clock)
        _ = await service.refreshOutcome()
        clock.advance(by: .seconds(5))
        await service.setOffline(true)
        #expect(service.state.current.status.readingSince == nil)
    }
}
