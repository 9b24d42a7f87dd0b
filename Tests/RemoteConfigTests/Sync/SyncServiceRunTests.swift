// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigRules
import Essentials
import Foundation
import RemoteConfigTesting
import Synchronization
import TestSupport
import Testing

@testable import RemoteConfig

/// How runs begin, end and follow one another.
@Suite(.timeLimit(.minutes(5)))
struct SyncServiceRunTests {
    private let clock = TestClock()

    private func service(of source: some ConfigSource, isOffline: Bool = false) -> SyncService {
        SyncService(source: source, isOffline: isOffline, notificationCenter: NotificationCenter(), clock: clock)
    }

    @Test func stopLeavesTheReadOfTheNextRunAlone() async throws {
        let (base, gate) = (TestSource(["limit": 1]), Gate())
        let service = service(of: LingeringSource(base: base, gate: gate))
        let first = Task { await service.run() }
        try await until("the first run is live") { service.state.current.status.phase == .live }
        first.cancel()
        try await until("it is being stopped") { await !service.isFollowing }
        await base.publish(["limit": 2])
        let second = Task { await service.run() }
        try await until("the second run has begun") { await service.isFollowing }
        // The listener of the first run ends now, and that of the second one begins.
        gate.open()
        try await until("the second run shows the newest value") { service.values["limit"] == 2 }
        #expect(service.state.current.status.phase == .live)
        await first.value
        second.cancel()
        await second.value
    }

    private enum Beginning: CaseIterable { case read, failed, offline, fresh }

    @Test(arguments: Beginning.allCases)
    private func bodyBeginsOnceTheStateIsShown(_ beginning: Beginning) async throws {
        let source = TestSource(["limit": 1], pollingEvery: .seconds(60), clock: clock)
        let (service, shown) = (service(of: source), Log<SyncStatus>())
        let unreachable = ConfigError(.unreachable, "no network")
        switch beginning {
        case .read: break
        case .failed: await source.fail(unreachable)
        case .offline: source.latency = .seconds(5)
        case .fresh: #expect(await service.refresh() == .changed(keys: ["limit"]))
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

    @Test func laterBodyBeginsOnceANewContextIsRead() async throws {
        let (source, phases) = (PersonalSource(), Log<SyncStatus.Phase>())
        let service = service(of: source)
        try await service.running {
            source.hold()
            await service.setContext(EvaluationContext("user-2"))
            let run = Task { await service.run { phases.append(service.state.current.status.phase) } }
            try await until("the second run and the read have begun") {
                await service.hasRunWaiters && source.heldCount == 1
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
        let service = service(of: source)
        for number in 1...3 {
            await service.running { #expect(service.state.current.status.phase != .stopped) }
            #expect(service.state.current.status.phase == .stopped)
            #expect(service.state.current.status.nextAttemptAt == nil)
            await source.publish(["limit": .integer(number * 10)])
            await clock.passing { _ = await service.refresh() }
            #expect(service.values["limit"] == .integer(number * 10))
            #expect(service.state.current.status.phase == .stopped, "nothing follows the source")
        }
        await service.setOffline(true)
        #expect(service.state.current.status.phase == .offline)
        await service.setOffline(false)
        #expect(service.state.current.status.phase == .stopped)
    }

    @Test func watchThatFailsIsShownAndTriedAgain() async throws {
        let base = TestSource(["limit": 1])
        let source = UnwatchableSource(base: base)
        let service = service(of: source)
        try await service.running {
            let status = service.state.current.status
            #expect(status.phase == .error)
            #expect(status.problem == ConfigError(.unreadable, "cannot watch", source: "test"))
            #expect(status.nextAttemptAt != nil)
            source.isBroken.withLock { $0 = false }
            let due = try #require(clock.nextDeadline)
            clock.advance(by: due.elapsed - clock.elapsed)
            try await until("it is live") { service.state.current.status.phase == .live }
            #expect(service.state.current.status.problem == nil)
            #expect(service.state.current.status.nextAttemptAt == nil)
            #expect(clock.nextDeadline == nil)
            await base.publish(["limit": 2])
            #expect(service.values["limit"] == 2)
        }
    }

    @Test func readLeavesARetryOfTheWatchAlone() async throws {
        let source = UnwatchableSource(base: TestSource(["limit": 1]))
        let service = service(of: source)
        var status: SyncStatus { service.state.current.status }
        try await service.running {
            #expect(await service.refresh() == .changed(keys: ["limit"]))
            #expect(status.phase == .polling)
            #expect(status.problem == ConfigError(.unreadable, "cannot watch", source: "test"))
            #expect(status.nextAttemptAt != nil)
            source.isBroken.withLock { $0 = false }
            let due = try #require(clock.nextDeadline)
            clock.advance(by: due.elapsed - clock.elapsed)
            try await until("it is live: \(status)") { status.phase == .live }
            #expect(status.problem == nil)
            #expect(status.nextAttemptAt == nil)
        }
    }

    @Test func watchThatEndsSoonIsTriedAgainLater() async throws {
        let (source, clock) = (BreakingSource(), ManualClock())
        let service = SyncService(source: source, notificationCenter: NotificationCenter(), clock: clock, jitter: { 1 })
        var pauses: [Duration] = []
        try await service.running {
            for attempt in 1...5 {
                try await until("it is followed and read: \(service.state.current.status)") {
                    source.followCount.withLock { $0 == attempt }
                }
                if attempt == 5 { clock.advance(by: .seconds(60)) }
                source.end()
                try await until("the watch has ended") { clock.nextCall != nil }
                let pause = try #require(clock.nextCall) - clock.now
                pauses.append(pause)
                clock.advance(by: pause)
            }
        }
        #expect(pauses == [1, 2, 4, 8, 1].map { pauses[0] * $0 }, "a watch that lasts ends the failures")
        #expect(pauses[0] > .zero)
    }

    @Test func watchedSourceWithoutReportsIsReadOnce() async throws {
        let base = TestSource(["limit": 1])
        let service = service(of: SilentSource(base: base))
        await service.running {
            #expect(service.values["limit"] == 1)
            #expect(service.state.current.status.phase == .live)
        }
        #expect(base.readCount == 1)
    }

    @Test func refreshReturnsWhileReadsFollowOneAnother() async throws {
        let source = ChattySource()
        let service = service(of: source)
        await service.running { #expect(await service.refresh() == .unchanged) }
    }

    @Test func sourceEndsOnTheLastOfflineState() async throws {
        let source = SwitchedSource()
        let service = service(of: source)
        await service.setOffline(true)
        try await until("the source is being set offline") { source.switches.entries == ["begin true"] }
        await service.setOffline(false)
        source.gate.open()
        try await until("it is set online") { source.switches.entries.last == "end false" }
        #expect(source.switches.entries == ["begin true", "end true", "begin false", "end false"])
    }
}

/// A barrier that lets everyone pass once it is open, cancelled or not.
private final class Gate: Sendable {
    private let (stream, continuation) = AsyncStream.makeStream(of: Never.self)

    func open() { continuation.finish() }

    func pass() async {
        await Task { [stream] in
            for await _ in stream {}
        }.value
    }
}

/// A source whose listeners end late.
private struct LingeringSource: ConfigSource {
    let base: TestSource
    let gate: Gate
    var name: String { base.name }
    var delivery: SourceDelivery { base.delivery }

    func read(after known: SourcePosition) async throws(ConfigError) -> SourceReading {
        try await base.read(after: known)
    }

    func follow(after known: SourcePosition, _ receive: SourceReceiver) async throws(ConfigError) {
        try await base.follow(after: known, receive)
        await gate.pass()
    }
}

/// A source that cannot be watched for a while.
private final class UnwatchableSource: ConfigSource {
    let isBroken = Mutex(true)
    private let base: TestSource
    var name: String { base.name }
    var delivery: SourceDelivery { base.delivery }

    init(base: TestSource) { self.base = base }

    func read(after known: SourcePosition) async throws(ConfigError) -> SourceReading {
        try await base.read(after: known)
    }

    func follow(after known: SourcePosition, _ receive: SourceReceiver) async throws(ConfigError) {
        if isBroken.withLock(\.self) { throw ConfigError(.unreadable, "cannot watch") }
        try await base.follow(after: known, receive)
    }
}

/// A source that hints once each time it is followed, and fails when the test ends that.
private final class BreakingSource: ConfigSource {
    let name = "breaking"
    let delivery = SourceDelivery.watched
    /// How often it was followed and read.
    let followCount = Mutex(0)
    private let ends = AsyncStream.makeStream(of: Void.self)

    func end() { ends.continuation.yield() }

    func read(after known: SourcePosition) async throws(ConfigError) -> SourceReading {
        SourceReading(.document(try ConfigDocument(values: ["limit": 1])))
    }

    func follow(after known: SourcePosition, _ receive: SourceReceiver) async throws(ConfigError) {
        await receive(.hint(.settled))
        followCount.withLock { $0 += 1 }
        for await _ in ends.stream { throw ConfigError(.unreadable, "the watch has ended") }
    }
}

/// A source that is watched and has nothing to report.
private struct SilentSource: ConfigSource {
    let base: TestSource
    var name: String { base.name }
    let delivery = SourceDelivery.watched

    func read(after known: SourcePosition) async throws(ConfigError) -> SourceReading {
        try await base.read(after: known)
    }
}

/// A source that hints all the time, and keeps other sources.
private struct ChattySource: ConfigSource {
    let name = "chatty"
    let delivery = SourceDelivery.watched

    func read(after known: SourcePosition) async throws(ConfigError) -> SourceReading {
        SourceReading(.document(try ConfigDocument(json: Array(#"{"k":1}"#.utf8), source: name)))
    }

    func follow(after known: SourcePosition, _ receive: SourceReceiver) async throws(ConfigError) {
        while !Task.isCancelled { await receive(.hint(.settled)) }
    }

    func refresh() async -> Bool { true }
}

/// A source that takes long to be set offline for the first time.
private final class SwitchedSource: ConfigSource {
    let name = "switched"
    let delivery = SourceDelivery.watched
    let gate = Gate()
    let switches = Log<String>()

    func read(after known: SourcePosition) async throws(ConfigError) -> SourceReading { SourceReading(.unchanged) }

    func setOffline(_ isOffline: Bool) async {
        switches.append("begin \(isOffline)")
        if isOffline { await gate.pass() }
        switches.append("end \(isOffline)")
    }
}

extension SyncService {
    fileprivate nonisolated var values: [String: EntryValue] { state.current.snapshot.entries.mapValues(\.value) }
}
