// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigRules
import RemoteConfig
import RemoteConfigTesting
import TestSupport
import Testing

/// A source driven by a test: each call has taken effect when it returns, so nothing here waits.
@Suite(.timeLimit(.minutes(5)))
struct TestSourceTests {
    private let source = TestSource(["title": "Hi", "limit": 1])

    @Test func aPublishHasTakenEffectWhenItReturns() async {
        let service = RemoteConfigService(source: source)
        await service.running {
            for number in 0..<100 {
                await source.publish(["limit": .integer(number), "odd": number % 2 == 0 ? nil : true])
                #expect(service.values["limit"] == .integer(number))
                #expect(service.values["odd"] == (number % 2 == 0 ? nil : true))
                #expect(service.values["title"] == "Hi")
            }
            await source.remove("limit", "title", "odd")
            #expect(service.values == [:])
        }
    }

    @Test func publishTakesEffectBeforeTheRunBegins() async throws {
        for number in 0..<50 {
            let service = RemoteConfigService(source: source)
            let run = Task { await service.run() }
            if number % 2 == 0 {
                try await service.waitUntilReady(timeout: .seconds(60))
            } else {
                try await service.refresh()
            }
            await source.publish(["limit": .integer(number + 2)])
            #expect(service.values["limit"] == .integer(number + 2))
            await source.goOffline()
            #expect(service.state.current.status.problem?.code == .unreachable)
            await source.goOnline()
            #expect(service.state.current.status.problem == nil)
            run.cancel()
            await run.value
            await source.publish(["limit": 0])
            #expect(service.values["limit"] == .integer(number + 2), "its run has ended")
        }
    }

    @Test func offlineSourceKeepsPublishesForLater() async {
        let service = RemoteConfigService(source: source)
        await service.running {
            await source.goOffline()
            #expect(service.state.current.status.phase == .offline)
            await source.publish(["limit": 2])
            #expect(service.values["limit"] == 1, "the last good values stay")
            await source.goOnline()
            #expect(service.state.current.status.phase == .streaming)
            #expect(service.values["limit"] == 2)
        }
    }

    @Test func aFailureIsShownAsItIsGiven() async {
        let service = RemoteConfigService(source: source)
        await service.running {
            await source.fail(ConfigError(.unauthorized, "another token is needed"))
            #expect(service.state.current.status.hasFailed)
            #expect(service.state.current.status.problem?.code == .unauthorized)
            #expect(service.state.current.status.problem?.description == "test: another token is needed")
            #expect(
                await service.refreshOutcome()
                    == .failed(ConfigError(.unauthorized, "another token is needed", source: "test"))
            )
        }
    }

    @Test func eachRunReadsTheSourceBeforeItsBodyBegins() async {
        let service = RemoteConfigService(source: source)
        _ = await service.refreshOutcome()
        for number in 1...50 {
            await source.publish(["limit": .integer(number)])
            await service.running {
                #expect(service.values["limit"] == .integer(number), "it was read in this run")
                await source.publish(["limit": .integer(-number)])
                #expect(service.values["limit"] == .integer(-number), "and is followed")
            }
        }
    }

    @Test func aRunThatHasNothingToReadBeginsAtOnce() async {
        let clock = TestClock()
        let source = TestSource(["limit": 1], pollingEvery: .seconds(60), clock: clock)
        let service = RemoteConfigService(source: source, clock: clock)
        for _ in 0..<3 { await service.running { #expect(service.values["limit"] == 1) } }
        #expect(source.readCount == 1, "what was read shortly before is not read again")
        await service.setOffline(true)
        await service.running { #expect(service.state.current.status.isSetOffline) }
    }

    @Test func cancelledCallerDoesNotWaitForARead() async throws {
        let (clock, returned) = (TestClock(), Log<Bool>())
        let source = TestSource(["limit": 1], clock: clock)
        let service = RemoteConfigService(source: source, clock: clock)
        try await service.running {
            source.latency = .seconds(5)
            await source.publish(["limit": 2])
            let waiting = Task {
                await source.settled()
                returned.append(true)
            }
            try await until("the source is read") { clock.nextDeadline != nil }
            #expect(returned.entries.isEmpty)
            waiting.cancel()
            try await until("it waits no longer") { !returned.entries.isEmpty }
            #expect(service.values["limit"] == 1)
        }
    }

    @Test func invalidKeyIsAnErrorOfTheSource() async {
        let service = RemoteConfigService(source: source)
        await service.running {
            await source.publish(["a..b": 1])
            #expect(service.state.current.status.problem?.code == .invalidKey)
            #expect(service.values["limit"] == 1)
        }
    }

    @Test func objectsAreBranchesUnlessTheSourceIsExact() async {
        let values: [String: EntryValue] = ["theme": ["dark": true, "font": ["size": 12]], "tags": [["x": 1]]]
        let flat: [String: EntryValue] = ["theme.dark": true, "theme.font.size": 12, "tags": [["x": 1]]]
        for (isExact, expected) in [(false, flat), (true, values)] {
            let source = TestSource(values, isExact: isExact)
            let service = RemoteConfigService(source: source)
            await service.running {
                #expect(service.values == expected)
                await source.publish(["theme": ["dark": false]])
                #expect(service.values[isExact ? "theme" : "theme.dark"] == (isExact ? ["dark": false] : false))
            }
            let state = ConfigState(preview: values, isExact: isExact)
            #expect(state.current.snapshot.entries.mapValues(\.value) == expected)
        }
    }

    @Test func aKeyIsReplacedHoweverItWasPublished() async {
        let source = TestSource(["a": ["b": 1, "c": ["d": 2, "e": 3]], "ab": 4])
        let service = RemoteConfigService(source: source)
        await service.running {
            await source.publish(["a.b": 5])
            #expect(service.values == ["a.b": 5, "a.c.d": 2, "a.c.e": 3, "ab": 4])
            await source.publish(["a": ["c": ["d": 6]]])
            #expect(service.values == ["a.b": 5, "a.c.d": 6, "a.c.e": 3, "ab": 4])
            await source.remove("a.c.e")
            #expect(service.values == ["a.b": 5, "a.c.d": 6, "ab": 4])
            await source.publish(["a.c": 7])
            #expect(service.values == ["a.b": 5, "a.c": 7, "ab": 4])
            await source.publish(["a.c.d": 8])
            #expect(service.values == ["a.b": 5, "a.c.d": 8, "ab": 4])
            await source.publish(["a": ["b": 9], "a.b": 10])
            #expect(service.state.current.status.problem?.code == .duplicateKey)
            await source.remove("a")
            #expect(service.values == ["ab": 4])
        }
    }

    @Test func rulesAreTestedInAContextByAClock() async {
        let rule: EntryValue = [
            "variants": ["many": 9], "targeting": ["if": [["==": [["var": "plan"], "pro"]], "many"]],
        ]
        let source = TestSource(["limit": 1], rules: ["limit": rule])
        let service = RemoteConfigService(
            source: source,
            context: EvaluationContext(["plan": "pro"]),
            clock: TestClock()
        )
        await service.running {
            #expect(service.values == ["limit": 9])
            await service.setContext(EvaluationContext(["plan": "free"]))
            #expect(service.values == ["limit": 1])
            await source.publish(rules: ["limit": nil])
            await service.setContext(EvaluationContext(["plan": "pro"]))
            #expect(service.values == ["limit": 1])
            await source.publish(rules: ["a..b": rule])
            #expect(service.state.current.status.problem?.code == .invalidKey)
        }
    }

    @Test func aServiceThatIsSetOfflineIsNotWaitedFor() async {
        let service = RemoteConfigService(source: source)
        await service.running {
            await service.setOffline(true)
            await source.publish(["limit": 2])
            #expect(service.values["limit"] == 1)
            await service.setOffline(false)
            for await limit in service.state.observe("limit", as: Int.self) where limit == 2 { break }
            #expect(!service.state.current.status.isSetOffline)
        }
    }

    @Test func aPolledSourceIsReadAsTheClockGoes() async {
        let clock = TestClock()
        let source = TestSource(["limit": 1], pollingEvery: .seconds(60), clock: clock)
        let service = RemoteConfigService(source: source, clock: clock)
        await service.running {
            let start = clock.elapsed
            await source.publish(["limit": 2])
            #expect(service.values["limit"] == 1)
            await clock.passing {
                for await limit in service.state.observe("limit", as: Int.self) where limit == 2 { break }
            }
            #expect(clock.elapsed - start >= .seconds(60))
            #expect(service.state.current.status.phase == .polling)
            #expect(service.state.current.status.lastChangeAt.map { $0.milliseconds >= 1_577_836_860_000 } == true)
        }
    }
}

extension RemoteConfigService {
    nonisolated var values: [String: EntryValue] { state.current.snapshot.entries.mapValues(\.value) }
}
