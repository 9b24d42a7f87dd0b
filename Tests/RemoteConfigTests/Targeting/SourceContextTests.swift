// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigRules
import Foundation
import Observing
import RemoteConfigTesting
import TestSupport
import Testing

@testable import RemoteConfig

/// Values of sources that evaluate for each user: no user sees those of another one.
@Suite(.timeLimit(.minutes(5)))
struct SourceContextTests {
    private let folder: TemporaryDirectory
    private let source = PersonalSource()
    private let clock = TestClock()

    init() throws { folder = try TemporaryDirectory() }

    private var cache: ConfigCache { ConfigCache(app: "test", version: "1", folder: folder["cache"]) }

    /// The source itself, or in layers of layers.
    private static func nested(_ source: any ConfigSource, _ depth: Int) throws -> any ConfigSource {
        try (0..<depth).reduce(source) { source, level in
            LayeredSource([source, BundledSource(try ConfigDocument(values: ["level\(level)": 1]))])
        }
    }

    /// A source that never answers with values.
    private static func failing(_ error: ConfigError, dependsOnContext: Bool = true) -> ScriptedSource {
        var source = ScriptedSource()
        (source.delivery, source.dependsOnContext) = (.polled(every: .seconds(86_400)), dependsOnContext)
        source.reading = { _ throws(ConfigError) in throw error.naming(source: "failing") }
        return source
    }

    private func service(
        _ source: any ConfigSource,
        _ user: String?,
        cache: ConfigCache? = nil,
        activation: ActivationPolicy = .immediate,
        policy: ConnectionPolicy = ConnectionPolicy(),
        isOffline: Bool = false,
        center: NotificationCenter = NotificationCenter()
    ) -> RemoteConfigService {
        RemoteConfigService(
            source: source,
            cache: cache,
            context: user.map { EvaluationContext($0) },
            activation: activation,
            policy: policy,
            isOffline: isOffline,
            notificationCenter: center,
            clock: clock
        )
    }

    private func user(of service: RemoteConfigService) -> EntryValue? {
        service.state.current.snapshot.entries["user"]?.value
    }

    @Test(
        arguments: [
            SourceDelivery.polled(every: .seconds(86_400)), .watched, .streamed(pollingEvery: .seconds(86_400)),
        ],
        [0, 1, 2]
    )
    func readForTheFormerUserIsDropped(_ delivery: SourceDelivery, _ depth: Int) async throws {
        let source = PersonalSource(delivery: delivery)
        let whole = try Self.nested(source, depth)
        try await running {
            service(whole, "user-1", center: $0)
        } body: { running in
            let service = running.service
            let strangers = Log<EntryValue>()
            let subscription = service.state.observed.observe { _, next in
                guard let user = next.snapshot.entries["user"]?.value else { return }
                if user != next.context?.targetingKey.map(EntryValue.string) { strangers.append(user) }
            }
            try await running.shows("user-1", for: "user")
            source.hold()
            source.publish()
            let former = Task { await service.refreshOutcome() }
            try await until("the read is under way") { source.heldCount == 1 }
            #expect(await service.setContext(EvaluationContext("user-2")) == ["user", "version"])
            #expect(user(of: service) == nil, "nothing is known of this user yet")
            #expect(running.value("level0") == (depth == 0 ? nil : 1), "other layers stay")
            // The former read is not waited for.
            try await until("the next read is under way: \(source.reads)") { source.heldCount == 2 }
            #expect(source.reads.last == PersonalSource.Read(user: "user-2", tag: nil))
            let next = Task { await service.refreshOutcome() }
            source.release()
            try await running.shows("user-2", for: "user")
            for outcome in [await former.value, await next.value] {
                if case .failed(let error) = outcome { Issue.record("\(error)") }
            }
            #expect(user(of: service) == "user-2" && strangers.entries.isEmpty, "\(strangers.entries)")
            if delivery != .polled(every: .seconds(86_400)) {
                try await until("it is followed for the user: \(source.followers)") {
                    source.followers.last == "user-2"
                }
            }
            subscription.end()
        }
    }

    @Test(arguments: [0, 1]) func twoServicesOfOneSourceHaveTwoUsers(depth: Int) async throws {
        let whole = try Self.nested(source, depth)
        let (one, other) = (service(whole, "user-1"), service(whole, "user-2"))
        _ = await one.refreshOutcome()
        _ = await other.refreshOutcome()
        source.publish()
        await clock.passing { _ = await one.refreshOutcome() }
        #expect(user(of: one) == "user-1" && user(of: other) == "user-2")
    }

    /// All callers share a read, which belongs to none of them.
    @Test func sourcesAreReadOutsideTheCallersContext() async throws {
        let contexts = Log<String?>()
        @Sendable func note() { contexts.append(EvaluationContext.current?.targetingKey) }
        var source = ScriptedSource(TestSource(["limit": 1]))
        source.reading = { _ throws(ConfigError) in
            note()
            return SourceReading(.document(try ConfigDocument(values: ["limit": 1])))
        }
        source.following = { _, receive throws(ConfigError) in
            note()
            await receive(.hint(.settled))
            for await _ in AsyncStream<Never>.makeStream().stream {}
        }
        let service = service(source, "user-1")
        let layered = self.service(try Self.nested(source, 1), "user-1")
        try await EvaluationContext.$current.withValue(EvaluationContext("user-2")) {
            for service in [service, layered] {
                let count = contexts.entries.count
                try await service.refresh()
                try await service.whileRunning {
                    try await until("it is followed") { service.state.current.status.phase == .streaming }
                    await service.setOffline(true)
                    await service.setOffline(false)
                    await service.setContext(EvaluationContext("user-3"))
                    await service.reconnect()
                    await service.pause()
                    await service.resume()
                    try await until("all is called") { contexts.entries.count >= count + 5 }
                }
            }
        }
        #expect(contexts.entries.allSatisfy { $0 == nil }, "\(contexts.entries)")
    }

    @Test func readForAnotherUserIsNotFresh() async throws {
        let service = service(source, "user-1", policy: ConnectionPolicy(minimumFetchInterval: .seconds(3600)))
        _ = await service.refreshOutcome()
        _ = await service.refreshOutcome()
        await service.setContext(EvaluationContext("user-2"))
        try await service.waitUntilReady(timeout: .seconds(60))
        #expect(service.state.current.snapshot.entries["user"]?.value == "user-2")
        _ = await service.refreshOutcome()
        #expect(source.reads.map(\.user) == ["user-1", "user-2"])
    }

    @Test func oldestContextsLeaveTheCache() async throws {
        let users = (1...40).map { "user-\($0)" }
        let service = service(source, nil, cache: cache)
        for user in users {
            await service.setContext(EvaluationContext(user))
            #expect(await service.refreshOutcome() == .changed(keys: ["user", "version"]))
        }
        #expect(await service.context?.attributes["version"] == "1", "that of the cache's program")
        let kept = users.filter { self.user(of: self.service(source, $0, cache: cache, isOffline: true)) != nil }
        #expect(kept.count == ConfigCache.maximumContexts && kept.last == users.last)
        let files = try folder.contents(of: "cache")
        #expect(files.filter { $0.hasSuffix(".lock") }.count == kept.count)
    }

    @Test(arguments: [0, 1]) func otherLayersShowTheSameToEachUser(depth: Int) async throws {
        let makeSource = {
            try Self.nested(LayeredSource([PersonalSource(), FileSource(path: folder["f.json"])]), depth)
        }
        let first = service(try makeSource(), "user-1", cache: cache)
        for (user, value) in [("user-1", 1), ("user-2", 2)] {
            try folder.replace("f.json", with: #"{"k":\#(value)}"#)
            await first.setContext(EvaluationContext(user))
            await clock.passing { _ = await first.refreshOutcome() }
        }
        for name in ["user-1", "user-3"] {
            let next = service(try makeSource(), name, cache: cache, activation: .onDemand, isOffline: true)
            #expect(user(of: next) == (name == "user-1" ? "user-1" : nil))
            for other in [name, "user-2", "user-4", "user-1"] {
                await next.setContext(EvaluationContext(other))
                #expect(next.state.current.snapshot.entries["k"]?.value == 2, "\(name), then \(other)")
                #expect(user(of: next) == (other < "user-3" ? .string(other) : nil))
            }
        }
    }

    @Test func watchIsStartingUntilTheNextUserIsRead() async throws {
        let source = PersonalSource(delivery: .watched)
        try await running {
            service(source, "user-1", center: $0)
        } body: { running in
            try await until("it is live") { running.current.status.phase == .streaming }
            source.hold()
            await running.service.setContext(EvaluationContext("user-2"))
            #expect(running.current.status.phase == .starting)
            source.release()
            try await until("it is live again") { running.current.status.phase == .streaming }
            #expect(running.value("user") == "user-2")
        }
    }

    @Test(arguments: [0, 1, 2]) func pausedSourceShowsItsProblemToTheNextUser(depth: Int) async throws {
        var busy = ConfigError(.unavailable, "busy")
        busy.retryAfter = .seconds(3600)
        let source = (0..<depth).reduce(Self.failing(busy) as any ConfigSource) { source, _ in LayeredSource([source]) }
        try await running {
            service(source, "user-1", center: $0)
        } body: { running in
            try await until("it is offline") { running.current.status.phase == .offline }
            await running.service.setContext(EvaluationContext("user-2"))
            #expect(running.current.status.phase == .offline)
            #expect(running.problem?.code == .unavailable)
        }
    }

    @Test func endingListenerLeavesTheNextUsersReadAlone() async throws {
        let (base, followers) = (FakeSource(), Log<String?>())
        var source = ScriptedSource(base)
        source.dependsOnContext = true
        source.following = { known, _ throws(ConfigError) in
            followers.append(known.context?.targetingKey)
            for await _ in AsyncStream<Never>.makeStream().stream {}
        }
        try await running {
            service(source, "user-1", center: $0)
        } body: { running in
            try await until("it is followed") { followers.entries.count == 1 }
            await running.service.setContext(EvaluationContext("user-2"))
            try await until("it is followed again") {
                followers.entries.count == 2 && base.readCount > 0
            }
            #expect(base.isRead, "the read goes on")
            try base.answer(1)
            try await running.shows(1)
        }
    }

    @Test(arguments: [false, true]) func onlyFirstAnswersNeedNoActivation(dependsOnContext: Bool) async throws {
        let unreachable = ConfigError(.unreachable, "no network")
        let other = Self.failing(unreachable, dependsOnContext: dependsOnContext)
        let service = service(LayeredSource([source, other]), "user-1", activation: .onDemand)
        func version() -> EntryValue? { service.state.current.snapshot.entries["version"]?.value }
        _ = await service.refreshOutcome()
        await service.activate()
        await service.setContext(EvaluationContext("user-2"))
        await clock.passing { _ = await service.refreshOutcome() }
        #expect(user(of: service) == "user-2" && version() == 1)
        source.publish()
        await clock.passing { _ = await service.refreshOutcome() }
        #expect(version() == 1 && service.state.current.status.hasStagedChanges)
        await service.activate()
        #expect(version() == 2)
        await service.setContext(EvaluationContext("user-3"))
        #expect(user(of: service) == nil)
        await clock.passing { _ = await service.refreshOutcome() }
        #expect(user(of: service) == "user-3")
    }

    @Test(arguments: [0, 1]) func stagedValuesOfOtherLayersStayStaged(depth: Int) async throws {
        let rule = #"{"variants":{"a":1,"b":2},"defaultVariant":"a","targeting":{"if":[{"var":"vip"},"b"]}}"#
        try folder.replace("f.json", with: #"{"livery":1,"entries":{"k":1}}"#)
        let layers = LayeredSource([source, FileSource(path: folder["f.json"])])
        let service = service(try Self.nested(layers, depth), "user-1", activation: .onDemand)
        var shown: EntryValue? { service.state.current.snapshot.entries["k"]?.value }
        await clock.passing { _ = await service.refreshOutcome() }
        await service.activate()
        try folder.replace("f.json", with: #"{"livery":1,"entries":{"k":1,"new":1},"rules":{"k":\#(rule)}}"#)
        await clock.passing { _ = await service.refreshOutcome() }
        #expect(shown == 1 && service.state.current.status.hasStagedChanges)
        await service.setContext(EvaluationContext(targetingKey: "user-2", ["vip": true]))
        #expect(shown == 1 && user(of: service) == nil)
        #expect(service.state.current.snapshot.entries["new"] == nil)
        await clock.passing { _ = await service.refreshOutcome() }
        #expect(shown == 1 && user(of: service) == "user-2")
        #expect(service.state.current.snapshot.entries["new"] == nil && service.state.current.status.hasStagedChanges)
        #expect(await service.activate() == ["k", "new"])
        #expect(shown == 2)
    }
}
