// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigRules
import Foundation
import Observing
import RemoteConfigTesting
import TestSupport
import Testing

@testable import RemoteConfig

/// Pauses in the background, and changes of the network.
@Suite(.timeLimit(.minutes(5)))
struct AppLifeTests {
    private let clock = TestClock()
    private let events: AsyncStream<AppEvent>
    private let app: AsyncStream<AppEvent>.Continuation

    init() { (events, app) = AsyncStream.makeStream() }

    private func service(of source: some ConfigSource) -> RemoteConfigService {
        RemoteConfigService(source: source, notificationCenter: NotificationCenter(), clock: clock)
    }

    /// Runs a service that follows the events of the app.
    private func running(
        _ source: some ConfigSource,
        _ body: (RemoteConfigService) async throws -> Void
    ) async throws {
        let service = service(of: source)
        let run = Task { [events] in await service.run(following: events) }
        defer { run.cancel() }
        try await body(service)
        run.cancel()
        await run.value
    }

    private func shows(_ phase: SourceStatus.Phase, _ service: RemoteConfigService) async throws {
        try await until("it is \(phase)") { service.state.current.status.phase == phase }
    }

    /// A source that is polled; it has the number of its read as the value of `k`.
    private func counted(_ reads: Log<Int>) -> ScriptedSource {
        var source = ScriptedSource()
        source.delivery = .polled(every: .seconds(30))
        source.reading = { _ throws(ConfigError) in
            reads.append(0)
            let text = #"{"k":\#(reads.entries.count)}"#
            return SourceReading(.document(try ConfigDocument(json: Array(text.utf8), source: "counted")))
        }
        return source
    }

    @Test func backgroundIsSilentAndForegroundReadsOnce() async throws {
        let server = FakeServer()
        server.publish { $0["a"] = 1 }
        try await running(server) { service in
            try await shows(.streaming, service)
            await service.resume()
            #expect(await !service.engine.schedule.reads.isInFlight, "it was not paused")
            let reads = server.reads.count
            for round in 1...3 {
                app.yield(.enteredBackground)
                try await until("its stream is closed") { server.streamCount == 0 && clock.nextDeadline == nil }
                try await shows(.stopped, service)
                server.publish { $0["a"] = .integer(1 + round) }
                clock.advance(by: .seconds(10_000))
                await service.reconnect()
                #expect(server.reads.count == reads + round - 1)
                #expect(server.openings.count == round)
                #expect(clock.nextDeadline == nil)

                app.yield(.enteredForeground)
                try await shows(.streaming, service)
                try await until("the new value is shown") { service["a"] == .integer(1 + round) }
                #expect(server.reads.count == reads + round)
                #expect(server.openings.count == round + 1)
            }
        }
    }

    @Test func fileIsNotWatchedDuringAPause() async throws {
        let folder = try TemporaryDirectory()
        try folder.overwrite(#"{"k": 1}"#, at: "config.json")
        try await running(FileSource(path: folder["config.json"])) { service in
            try await shows(.streaming, service)
            await service.pause()
            try folder.overwrite(#"{"k": 2}"#, at: "config.json")
            #expect(service.state.current.status.phase == .stopped && service["k"] == 1)
            #expect(clock.nextDeadline == nil)
            await service.resume()
            try await until("the new value is shown") { service["k"] == 2 }
            try await shows(.streaming, service)
        }
    }

    @Test func layersPauseAndAreReadOnceEach() async throws {
        let (first, second) = (Log<Int>(), Log<Int>())
        try await running(LayeredSource([counted(first), counted(second)])) { service in
            try await until("all are read") { service["k"] == 1 && clock.callCount == 2 }
            await service.pause()
            #expect(clock.nextDeadline == nil)
            clock.advance(by: .seconds(10))
            await service.resume()
            try await until("all are read again") {
                service["k"] == 2 && second.entries.count == 2 && clock.callCount == 2
            }
            #expect(first.entries.count == 2)
        }
    }

    @Test func backgroundTaskReadsWithoutFollowing() async throws {
        let server = FakeServer()
        try await running(server) { service in
            try await shows(.streaming, service)
            await service.pause()
            server.publish { $0["a"] = 1 }
            clock.advance(by: .seconds(100))
            #expect(try await service.refresh() == ["a"])
            #expect(clock.nextDeadline == nil && server.openings.count == 1)
            #expect(service.state.current.status.phase == .stopped)
        }
    }

    @Test func waitOutlastsAPauseBeforeTheRun() async throws {
        let source = FakeSource(delivery: .polled(every: .seconds(30)))
        let service = service(of: source)
        await service.pause()
        try await service.whileRunning {
            let wait = Task { try await service.waitUntilReady(timeout: .seconds(60)) }
            try await until("the caller waits") { service.engine.callers.firsts.count > 0 }
            #expect(source.readCount == 0)
            await service.resume()
            try await until("the source is read") { source.isRead }
            // Its read is cancelled, and that does not count as an answer.
            await service.pause()
            await service.resume()
            try await until("the source is read again") { source.readCount == 2 && source.isRead }
            try source.answer(1)
            try await wait.value
        }
    }

    @Test func runThatEndsInTheBackgroundLeavesNoPause() async throws {
        let server = FakeServer()
        let service = service(of: server)
        for round in 1...3 {
            let (events, app) = AsyncStream.makeStream(of: AppEvent.self)
            let run = Task { await service.run(following: events) }
            try await shows(.streaming, service)
            app.yield(.enteredBackground)
            try await until("it is paused, round \(round)") { await service.engine.runs.isPaused }
            run.cancel()
            await run.value
            #expect(await !service.engine.runs.isPaused)
            clock.advance(by: .seconds(10))
        }
        await service.pause()
        let run = Task { await service.run() }
        run.cancel()
        await run.value
        #expect(await service.engine.runs.isPaused, "a pause by the program stays")
    }

    @Test(
        arguments: [
            (nil, NetworkPath(isUsable: true, interface: "en0"), false),
            (NetworkPath(isUsable: false), NetworkPath(isUsable: true, interface: "en0"), true),
            (NetworkPath(isUsable: true, interface: "en0"), NetworkPath(isUsable: true, interface: "pdp_ip0"), true),
            (
                NetworkPath(isUsable: true, interface: "en0", gateways: ["10.0.0.1"]),
                NetworkPath(isUsable: true, interface: "en0", gateways: ["10.1.0.1"]), true
            ),
            (NetworkPath(isUsable: true, interface: "en0"), NetworkPath(isUsable: true, interface: "en0"), false),
            (NetworkPath(isUsable: true, interface: "en0"), NetworkPath(isUsable: false), false),
        ] as [(NetworkPath?, NetworkPath, Bool)]
    )
    func replacedNetworkIsNew(_ former: NetworkPath?, _ path: NetworkPath, _ isNew: Bool) {
        #expect(path.isNew(after: former) == isNew)
    }

    @Test func pausedServiceThatEndsEndsWaits() async throws {
        let service = service(of: FakeSource())
        await service.pause()
        let run = Task { await service.run() }
        let wait = Task { await service.failureOfWait(.seconds(60)) }
        try await until("the caller waits") { service.engine.callers.firsts.count > 0 }
        run.cancel()
        await run.value
        #expect((await wait.value as? ConfigModel.ConfigError)?.code == .cancelled)
    }

    @Test func returningNetworkEndsAPauseBetweenAttempts() async throws {
        let server = FakeServer()
        server.fail { $0.reading = ConfigError(.unreachable, "no network") }
        server.fail { $0.opening = ConfigError(.unreachable, "no network") }
        try await running(server) { service in
            try await shows(.offline, service)
            server.fail { $0 = FakeServer.Faults() }
            app.yield(.networkReturned)
            try await shows(.streaming, service)
            let (reads, openings) = (server.reads.count, server.openings.count)
            // Requests are at least a second apart.
            clock.advance(by: .seconds(1))
            app.yield(.networkReturned)
            try await until("the stream is another one") { server.openings.count == openings + 1 }
            try await shows(.streaming, service)
            #expect(server.reads.count == reads + 1 && server.streamCount == 1)
        }
    }

    @Test func offlineServiceReadsNothingAfterAPause() async throws {
        let (gate, reads) = (Gate(), Log<Int>())
        let source = ScriptedSource(["k": 1], behind: gate, reads)
        try await running(source) { service in
            try await until("the source is read") { reads.entries.count == 1 }
            let pause = Task { await service.pause() }
            try await until("it is paused") { await !service.engine.isFollowing }
            await service.setOffline(true)
            await service.resume()
            for _ in 0..<3 { _ = await service.context }
            #expect(reads.entries.count == 1)
            gate.open()
            await pause.value
            await service.setOffline(false)
            try await clock.passing { try await service.waitUntilReady(timeout: .seconds(60)) }
            #expect(reads.entries.count == 2 && service["k"] == 1)
        }
    }

    /// An app may report more than once that it enters the background.
    @Test func eachPauseEndsOnceNothingFollowsTheSource() async throws {
        let (base, gate, ended) = (TestSource(["k": 1]), Gate(), Log<Int>())
        var source = ScriptedSource(base)
        source.following = { known, receive throws(ConfigError) in
            try await base.follow(after: known, receive)
            await gate.pass()
            ended.append(0)
        }
        try await running(source) { service in
            try await shows(.streaming, service)
            let pauses = (0..<2).map { _ in
                Task {
                    await service.pause()
                    #expect(ended.entries.count == 1)
                }
            }
            try await until("it is paused") { await !service.engine.isFollowing }
            for _ in 0..<3 { _ = await service.context }
            gate.open()
            for pause in pauses { await pause.value }
        }
    }

    @Test(arguments: [SourceDelivery.watched, .polled(every: .seconds(30))])
    func pausesAndResumesAtOnceEndInARun(_ delivery: SourceDelivery) async throws {
        let base = TestSource(["k": 1])
        var source = ScriptedSource(base)
        source.delivery = delivery
        for _ in 0..<20 {
            try await running(source) { service in
                try await until("it is read") { service["k"] == 1 }
                await withTaskGroup { group in
                    for _ in 0..<20 {
                        group.addTask {
                            await service.pause()
                            await service.resume()
                        }
                    }
                }
                #expect(service.state.current.status.phase != .stopped)
            }
        }
    }

    @Test func readOfTheFormerNetworkIsRepeated() async throws {
        let (base, reads) = (TestSource(["k": 1]), Log<Int>())
        var source = ScriptedSource(base)
        source.delivery = .polled(every: .seconds(30))
        source.reading = { known throws(ConfigError) in
            reads.append(0)
            if reads.entries.count == 1 { for await _ in AsyncStream<Never>.makeStream().stream {} }
            return try await base.read(after: known)
        }
        try await running(source) { service in
            try await until("the source is read") { reads.entries.count == 1 }
            let caller = Task.immediate { try await service.refresh() }
            app.yield(.networkReturned)
            #expect(try await caller.value == ["k"])
            #expect(reads.entries.count == 2)
        }
    }

    @Test func watchedSourceIsFollowedAgainAtOnce() async throws {
        let follows = Log<Int>()
        var source = ScriptedSource()
        source.following = { _, _ throws(ConfigError) in
            follows.append(0)
            if follows.entries.count == 1 { throw ConfigError(.unreachable, "no network") }
            for await _ in AsyncStream<Never>.makeStream().stream {}
        }
        try await running(source) { service in
            try await until("it waits for the next attempt") { service.state.current.status.nextAttemptAt != nil }
            app.yield(.networkReturned)
            try await until("it is followed") { follows.entries.count == 2 }
        }
    }
}
