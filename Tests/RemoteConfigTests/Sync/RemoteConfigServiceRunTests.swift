// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigRules
import Essentials
import Observing
import RemoteConfigTesting
import TestSupport
import Testing

@testable import RemoteConfig

/// The start, end and succession of runs.
@Suite(.timeLimit(.minutes(5)))
struct RemoteConfigServiceRunTests {
    private let clock = TestClock()

    @Test func droppedServiceEndsItsRead() async throws {
        let ended = Log<Bool>()
        var source = ScriptedSource()
        source.reading = { _ throws(ConfigError) in
            for await _ in AsyncStream<Never>.makeStream().stream {}
            ended.append(Task.isCancelled)
            throw .cancelled
        }
        _ = await RemoteConfigService(source: source).refreshOutcome(timeout: .milliseconds(1))
        try await until("the read has ended") { ended.entries == [true] }
    }

    @Test func stopLeavesTheReadOfTheNextRunAlone() async throws {
        let (base, gate) = (TestSource(["limit": 1]), Gate())
        var source = ScriptedSource(base)
        source.following = { known, receive throws(ConfigError) in
            try await base.follow(after: known, receive)
            await gate.pass()
        }
        let service = RemoteConfigService(source: source, clock: clock)
        let first = Task { await service.run() }
        try await until("the first run is live") { service.state.current.status.phase == .streaming }
        first.cancel()
        try await until("it is being stopped") { await !service.engine.isFollowing }
        await base.publish(["limit": 2])
        let second = Task { await service.run() }
        try await until("the second run has begun") { await service.engine.isFollowing }
        // The listener of the first run ends now, and that of the second one begins.
        gate.open()
        try await until("the second run shows the newest value") { service.values["limit"] == 2 }
        #expect(service.state.current.status.phase == .streaming)
        await first.value
        second.cancel()
        await second.value
    }

    /// A source that cannot be watched until the log has an entry.
    private func unwatchable(_ base: TestSource, until repaired: Log<Bool>) -> ScriptedSource {
        var source = ScriptedSource(base)
        source.following = { known, receive throws(ConfigError) in
            if repaired.entries.isEmpty { throw ConfigError(.unreadable, "cannot watch") }
            try await base.follow(after: known, receive)
        }
        return source
    }

    private enum Beginning: CaseIterable { case read, failed, offline, fresh }

    @Test(arguments: Beginning.allCases)
    private func bodyBeginsOnceTheStateIsShown(_ beginning: Beginning) async throws {
        let source = TestSource(["limit": 1], pollingEvery: .seconds(60), clock: clock)
        let (service, shown) = (RemoteConfigService(source: source, clock: clock), Log<SourceStatus>())
        let unreachable = ConfigError(.unreachable, "no network")
        switch beginning {
        case .read: break
        case .failed: await source.fail(unreachable)
        case .offline: source.latency = .seconds(5)
        case .fresh: #expect(await service.refreshOutcome() == .changed(keys: ["limit"]))
        }
        let run = Task { await service.run { shown.append(service.state.current.status) } }
        if beginning == .offline {
            try await until("the source is read") { source.readCount == 1 }
            await service.setOffline(true)
        }
        try await until("the body begins") { !shown.entries.isEmpty }
        run.cancel()
        await run.value
        let status = try #require(shown.entries.first)
        switch beginning {
        case .read, .fresh: #expect(status.phase == .polling)
        case .failed:
            #expect(status.phase == .offline)
            #expect(status.problem?.code == .unreachable)
        case .offline:
            #expect(status.phase == .offline)
            #expect(status.isSetOffline)
        }
        #expect(shown.entries.count == 1)
    }

    @Test(arguments: [nil, ConfigError(.unavailable, "overloaded")], [nil, Duration.seconds(60)])
    func valuesAreShownTogetherWithThePhase(problem: ConfigError?, polling: Duration?) async throws {
        let source = TestSource(["limit": 1], pollingEvery: polling, clock: clock)
        if let problem { await source.fail(problem) }
        let (service, shown) = (RemoteConfigService(source: source, clock: clock), Log<SourceStatus>())
        let subscription = service.state.observed.observe { if $1.status.origin == .source { shown.append($1.status) } }
        await service.running {
            await source.goOnline()
            await clock.passing { _ = await service.refreshOutcome() }
        }
        let first = try #require(shown.entries.first)
        #expect(first.phase == (polling == nil ? .streaming : .polling) && first.problem == nil)
        subscription.end()
    }

    @Test func laterBodyBeginsOnceANewContextIsRead() async throws {
        let (source, phases) = (PersonalSource(), Log<SourceStatus.Phase>())
        let service = RemoteConfigService(source: source, clock: clock)
        try await service.running {
            source.hold()
            await service.setContext(EvaluationContext("user-2"))
            let run = Task { await service.run { phases.append(service.state.current.status.phase) } }
            try await until("the second run and the read have begun") {
                service.engine.callers.runs.count > 0 && source.heldCount == 1
            }
            #expect(phases.entries.isEmpty)
            source.release()
            try await until("the body begins") { !phases.entries.isEmpty }
            run.cancel()
            await run.value
        }
        #expect(phases.entries == [.polling])
    }

    @Test(arguments: [nil, Duration.seconds(60)])
    func endOfTheLastRunIsShown(polling: Duration?) async throws {
        let source = TestSource(["limit": 1], pollingEvery: polling, clock: clock)
        let service = RemoteConfigService(source: source, clock: clock)
        for number in 1...3 {
            await service.running { #expect(service.state.current.status.phase != .stopped) }
            #expect(service.state.current.status.phase == .stopped)
            #expect(service.state.current.status.nextAttemptAt == nil)
            await source.publish(["limit": .integer(number * 10)])
            await clock.passing { _ = await service.refreshOutcome() }
            #expect(service.values["limit"] == .integer(number * 10))
            #expect(service.state.current.status.phase == .stopped, "nothing follows the source")
        }
        await service.setOffline(true)
        #expect(service.state.current.status.phase == .offline)
        await service.setOffline(false)
        #expect(service.state.current.status.phase == .stopped)
    }

    @Test func watchThatFailsIsShownAndTriedAgain() async throws {
        let (base, repaired) = (TestSource(["limit": 1]), Log<Bool>())
        let service = RemoteConfigService(source: unwatchable(base, until: repaired), clock: clock)
        try await service.running {
            let status = service.state.current.status
            #expect(status.phase == .polling && status.hasFailed)
            #expect(status.problem == ConfigError(.unreadable, "cannot watch", source: "test"))
            #expect(status.nextAttemptAt != nil)
            repaired.append(true)
            let due = try #require(clock.nextDeadline)
            clock.advance(by: due - clock.elapsed)
            try await until("it is live") { service.state.current.status.phase == .streaming }
            #expect(service.state.current.status.problem == nil)
            #expect(service.state.current.status.nextAttemptAt == nil)
            #expect(clock.nextDeadline == nil)
            await base.publish(["limit": 2])
            #expect(service.values["limit"] == 2)
        }
    }

    @Test func phasesAreTrueWhenAnnounced() async throws {
        let (base, follows, announced) = (TestSource(["limit": 1]), Log<Int>(), Log<String>())
        var source = ScriptedSource(base)
        source.following = { known, receive throws(ConfigError) in
            follows.append(1)
            // The end of this may come after the beginning of the next.
            defer { follows.append(-1) }
            try await base.follow(after: known, receive)
        }
        let service = RemoteConfigService(source: source, clock: clock)
        let subscription = service.state.observed.observe { former, next in
            guard former.status.phase != next.status.phase else { return }
            announced.append("\(next.status.phase), followed: \(follows.entries.reduce(0, +) > 0)")
        }
        try await service.refresh()
        try await service.running {
            await service.setOffline(true)
            #expect(service.state.current.status.phase == .offline)
            await service.setOffline(false)
            try await until("it streams again") { service.state.current.status.phase == .streaming }
        }
        #expect(announced.entries.first == "polling, followed: false", "the service has only read it")
        #expect(announced.entries.contains("streaming, followed: true"))
        #expect(!announced.entries.contains("streaming, followed: false"))
        #expect(announced.entries.last?.hasPrefix("stopped") == true)
        subscription.end()
    }

    @Test(arguments: [false, true]) func watchedSourceWithoutReportsIsReadOnce(isRefreshed: Bool) async throws {
        let base = TestSource(["limit": 1])
        var source = ScriptedSource(base)
        source.following = { _, _ throws(ConfigError) in }
        let service = RemoteConfigService(source: source, clock: clock)
        if isRefreshed { try await service.refresh() }
        for _ in 1...2 {
            await service.running {
                #expect(service.values["limit"] == 1)
                #expect(service.state.current.status.phase == .streaming)
            }
            #expect(service.state.current.status.phase == .stopped)
        }
        #expect(base.readCount == 1)
    }

    @Test func refreshReturnsWhileReadsFollowOneAnother() async throws {
        var source = ScriptedSource()
        source.following = { _, receive throws(ConfigError) in
            while !Task.isCancelled { await receive(.hint(.settled)) }
        }
        let service = RemoteConfigService(source: source, clock: clock)
        await service.running { #expect(await service.refreshOutcome() == .unchanged) }
    }

    /// Dropping its result drops no failure.
    @Test(arguments: [Duration?.none, .seconds(60)]) func failedRefreshThrows(timeout: Duration?) async throws {
        let source = TestSource(["limit": 1])
        let service = RemoteConfigService(source: source, clock: clock)
        await source.fail(ConfigError(.unreadable, "no access"))
        let error = await #expect(throws: ConfigError.self) { try await service.refresh(timeout: timeout) }
        #expect(error?.code == .unreadable)
        await source.goOnline()
        try await service.refresh(timeout: timeout)
        #expect(service.value(forKey: "limit", default: 0) == 1)
        await service.setOffline(true)
        let offline = await #expect(throws: ConfigError.self) { try await service.refresh(timeout: timeout) }
        #expect(offline?.code == .offline)
    }
}

extension RemoteConfigService {
    fileprivate nonisolated var values: [String: EntryValue] { state.current.snapshot.entries.mapValues(\.value) }
}
