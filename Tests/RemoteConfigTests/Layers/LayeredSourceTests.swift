// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigRules
import Configuration
import Foundation
import InMemoryLogging
import Logging
import RemoteConfigTesting
import TestSupport
import Testing

@testable import RemoteConfig

@Suite(.timeLimit(.minutes(5)))
struct LayeredSourceTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func file(_ name: String, _ json: String? = nil) throws -> FileSource {
        if let json { try folder.replace(name, with: json) }
        return FileSource(path: folder[name])
    }

    private func polled(_ name: String, _ values: [String: EntryValue] = [:]) -> TestSource {
        TestSource(values, name: name, pollingEvery: .seconds(300))
    }

    private func bundled(_ values: KeyValuePairs<String, EntryValue>) throws -> BundledSource {
        BundledSource(try ConfigDocument(values: values))
    }

    @Test func eachEntryNamesItsLayerAndItsPlaceThere() async throws {
        let over = try file("over.json", "{\n  \"a\": 1}")
        let source = LayeredSource([over, try bundled(["a": 3, "c": 3])])
        try await following(source) { running in
            try await running.shows(.integer(1), for: "a")
            let entries = running.current.snapshot.entries
            #expect(entries["a"]?.source == over.name)
            #expect(entries["a"]?.location == TextLocation(line: 2, column: 8))
            #expect(entries["c"]?.source == "bundled default")
            #expect(entries["c"]?.location == nil)
            // A getter's error names the layer as well.
            let error = #expect(throws: ConfigModel.ConfigError.self) {
                try RemoteConfigProvider(state: running.service.state).content("a", .string)
            }
            #expect(error?.source == over.name && error?.location == TextLocation(line: 2, column: 8))
        }
    }

    @Test func failingLayerIsReportedAndKeepsGoodValues() async throws {
        let over = try file("over.json", #"{"a": 1}"#)
        let source = LayeredSource([over, try file("base.json", #"{"b": 2}"#)])
        try await following(source) { running in
            try await running.shows(.integer(1), for: "a")
            try folder.replace("over.json", with: "{")
            try await until("the layer's problem is reported") { running.problem?.source == over.name }
            #expect(running.problem?.code == .syntax)
            #expect(running.value("a") == .integer(1))
            try folder.replace("base.json", with: #"{"b": 3}"#)
            try await running.shows(.integer(3), for: "b")
            #expect(running.problem?.code == .syntax && running.current.status.phase == .streaming)
            try folder.replace("over.json", with: #"{"a": 4}"#)
            try await running.shows(.integer(4), for: "a")
            try await until("the problem is over") {
                running.problem == nil && running.current.status.phase == .streaming
            }
        }
    }

    @Test func unreadLayersShowTopmostProblem() async throws {
        let source = LayeredSource([try file("none.json"), try file("bad.json", "{")])
        try await following(source) { running in
            try await until("the first layer is missing") { running.problem?.code == .notFound }
            #expect(running.problem?.source == folder["none.json"])
            #expect(running.current.status.phase == .offline && running.current.status.origin == .nothing)
            try folder.replace("none.json", with: #"{"a": 1}"#)
            try await running.shows(.integer(1), for: "a")
            try await until("the second is reported") { running.problem?.source == folder["bad.json"] }
        }
    }

    @Test(arguments: [0, 1]) func noLayersAreAnEmptyConfiguration(depth: Int) async throws {
        let source = (0..<depth).reduce(LayeredSource([])) { source, _ in LayeredSource([source]) }
        #expect(await RemoteConfigService(source: source).refreshOutcome() == .unchanged)
        try await following(source) { running in
            try await running.service.waitUntilReady(timeout: .seconds(60))
            try await until("it is live") { running.current.status.phase == .streaming }
            #expect(running.current.snapshot.entries.isEmpty && running.problem == nil)
        }
    }

    @Test func nothingWaitsForALayerThatDoesNotAnswer() async throws {
        let silent = FakeSource(delivery: .polled(every: .seconds(30)))
        let source = LayeredSource([silent, try bundled(["k": 3, "b": 3])])
        try await following(source) { running in
            try await running.shows(.integer(3), for: "k")
            try await until("the other layer was read") { running.current.status.phase == .polling }
            #expect(running.problem == nil)
            try await until("the layer is read") { silent.isRead }
            try silent.answer(1)
            try await running.shows(.integer(1), for: "k")
            #expect(running.current.snapshot.entries["k"]?.source == "fake")
        }
    }

    @Test(arguments: [false, true]) func readyMeansThatTheNetworkHasAnswered(isRunning: Bool) async throws {
        let remote = FakeSource(delivery: .polled(every: .seconds(30)))
        let service = RemoteConfigService(source: LayeredSource([remote, try bundled(["k": 3])]))
        let run = isRunning ? Task { await service.run() } : nil
        #expect(await service.failureOfWait(.milliseconds(50)) != nil)
        #expect(service.state.current.status.origin != .source)
        let waiting = Task { try await service.waitUntilReady(timeout: .seconds(60)) }
        try await until("the layer is read") { remote.isRead }
        try remote.answer(1)
        try await waiting.value
        #expect(service.state.current.status.origin == .source)
        #expect(service.state.current.snapshot.entries["k"]?.value == .integer(1))
        run?.cancel()
        await run?.value
    }

    @Test func refreshReadsEveryLayerAndReportsChanges() async throws {
        let (upper, lower) = (polled("upper"), polled("lower"))
        let service = RemoteConfigService(source: LayeredSource([upper, lower]))
        await upper.publish(["a": 1])
        await lower.publish(["a": 2, "b": 2])
        #expect(await service.refreshOutcome() == .changed(keys: ["a", "b"]))
        await lower.publish(["a": 3, "b": 3])
        #expect(await service.refreshOutcome() == .changed(keys: ["b"]))
        #expect(await service.refreshOutcome() == .unchanged)
        await lower.fail(ConfigError(.unavailable, "closed"))
        await upper.publish(["a": 4])
        #expect(await service.refreshOutcome() == .changed(keys: ["a"]))
        #expect(service.state.current.status.problem?.code == .unavailable)
        #expect(service.state.current.status.problem?.source == "lower")
    }

    @Test func refreshReportsChangesDuringItsReads() async throws {
        let (upper, lower) = (polled("upper", ["a": 1]), polled("lower", ["b": 1]))
        try await following(LayeredSource([upper, lower])) { running in
            try await running.shows(.integer(1), for: "b")
            try await running.shows(.integer(1), for: "a")
            for round in 2..<5 {
                await upper.publish(["a": .integer(round)])
                await lower.publish(["b": .integer(round)])
                #expect(await running.service.refreshOutcome() == .changed(keys: ["a", "b"]))
            }
        }
    }

    @Test func pauseLeavesEveryLayerAlone() async throws {
        let source = LayeredSource([try file("over.json", #"{"a": 1}"#), try bundled(["a": 3])])
        try await following(source) { running in
            try await running.shows(.integer(1), for: "a")
            await running.service.setOffline(true)
            try folder.replace("over.json", with: #"{"a": 2}"#)
            let witness = Log<Bool>()
            try await following(FileSource(path: folder["over.json"])) { other in
                try await other.shows(.integer(2), for: "a")
                witness.append(true)
            }
            #expect(running.value("a") == .integer(1) && !witness.entries.isEmpty)
            await running.service.setOffline(false)
            try await running.shows(.integer(2), for: "a")
            try folder.replace("over.json", with: #"{"a": 5}"#)
            try await running.shows(.integer(5), for: "a")
        }
    }

    @Test func sharedLayersEndWithTheLastService() async throws {
        let (base, follows) = (TestSource(["a": 1]), Log<Int>())
        var layer = ScriptedSource(base)
        layer.following = { _, receive throws(ConfigModel.ConfigError) in
            follows.append(1)
            await receive(.hint(.settled))
            for await _ in AsyncStream<Never>.makeStream().stream {}
            follows.append(-1)
        }
        var followerCount: Int { follows.entries.reduce(0, +) }
        let source = LayeredSource([layer, try file("base.json", #"{"k": 1}"#)])
        try await following(source) { one in
            try await one.shows(.integer(1))
            try await following(source) { other in
                try await other.shows(.integer(1))
                try await until("each follows it with its own cache and context") { followerCount == 2 }
            }
            #expect(followerCount == 1, "one of them runs still")
            try folder.replace("base.json", with: #"{"k": 2}"#)
            try await one.shows(.integer(2))
            try await until("it is live") { one.current.status.phase == .streaming }
        }
        #expect(followerCount == 0)
    }

    @Test func wrappedLayersAreReadAndFollowed() async throws {
        let remote = polled("remote", ["a": 2, "b": 2])
        let layers = [try file("over.json", #"{"a": 1}"#), remote, try bundled(["c": 3])] as [any ConfigSource]
        let source = WrappedSource(base: LayeredSource(layers))
        try await following(source) { running in
            try await running.shows(.integer(1), for: "a")
            try await running.shows(.integer(2), for: "b")
            try await running.shows(.integer(3), for: "c")
            try folder.replace("over.json", with: #"{"a": 4}"#)
            try await running.shows(.integer(4), for: "a")
        }
        let other = RemoteConfigService(
            source: source,
            cache: ConfigCache(app: "test", version: "1", folder: folder["cache"])
        )
        #expect(await other.refreshOutcome() == .changed(keys: ["a", "b"]))
        let files = try folder.contents(of: "cache")
        // Each layer has a file but what the program carries.
        #expect(files.count { $0.hasSuffix(".cache") } == 2)
    }

    @Test(arguments: [1, 3]) func stagedValuesKeepTheirOrigin(remote value: Int) async throws {
        let remote = FakeSource(delivery: .polled(every: .seconds(30)))
        let source = LayeredSource([remote, try bundled(["k": 3])])
        let service = RemoteConfigService(source: source, activation: .onDemand)
        try await service.whileRunning {
            var status: SourceStatus { service.state.current.status }
            #expect(status.origin == .bundledDefault, "that layer is there at once")
            try await until("the layer is read") { remote.isRead }
            try remote.answer(value)
            // Current values need not wait.
            if value != 3 {
                try await until("something waits again") { status.hasStagedChanges }
                #expect(status.origin == .bundledDefault)
                await service.activate()
            }
            try await until("every layer has answered") { status.origin == .source }
            #expect(service.state.current.snapshot.entries["k"]?.value == .integer(value))
        }
    }

    @Test func eachLayerStartsFromItsCache() async throws {
        let cache = ConfigCache(app: "test", version: "1", folder: folder["cache"])
        let server = polled("server", ["a": 1, "b": 1])
        let over = try file("over.json", #"{"a": 2}"#)
        let first = RemoteConfigService(source: LayeredSource([over, server]), cache: cache)
        #expect(await first.refreshOutcome() == .changed(keys: ["a", "b"]))

        let gone = polled("server")
        await gone.fail(ConfigError(.unreachable, "no answer"))
        try folder.replace("over.json", with: "{}")
        let second = RemoteConfigService(source: LayeredSource([over, gone]), cache: cache)
        // Every layer starts with its values, then reads: one has lost its key, one keeps its values.
        #expect(second.state.current.status.origin == .cache)
        #expect(second.state.current.snapshot.entries["a"]?.value == .integer(2))
        #expect(await second.refreshOutcome() == .changed(keys: ["a"]))
        #expect(second.state.current.snapshot.entries["a"]?.value == .integer(1))
        #expect(second.state.current.snapshot.entries["b"]?.source == "server")
        #expect(second.state.current.status.problem?.code == .unreachable)
    }

    /// Also where the answer for the next user is the one that was cached.
    @Test(arguments: 0..<12) func anEqualAnswerForAnotherUserIsAnAnswer(_ round: Int) async throws {
        let service = RemoteConfigService(
            source: LayeredSource([PersonalSource(), TestSource(["other": 1])]),
            context: EvaluationContext("user-0"),
            notificationCenter: nil
        )
        try await service.whileRunning {
            try await service.waitUntilReady(timeout: .seconds(60))
            for user in [1, 0, 1, 0] {
                await service.setContext(EvaluationContext("user-\(user)"))
                try await service.waitUntilReady(timeout: .seconds(60))
                #expect(service["user"] == .string("user-\(user)"))
            }
        }
    }

    @Test func layersLogAnErrorOnce() async throws {
        let log = InMemoryLogHandler()
        let bad = polled("bad")
        await bad.fail(ConfigError(.unavailable, "no answer"))
        let service = RemoteConfigService(
            source: LayeredSource([bad, TestSource(["a": 1])]),
            logger: Logger(label: "test") { _ in log }
        )
        _ = await service.refreshOutcome()
        #expect(service.state.current.status.problem?.source == "bad")
        #expect(log.entries.count { $0.message == "source error" } == 1)
    }

    @Test func namesAndIdentityCombineTheLayers() throws {
        let layers = [polled("upper"), polled("lower")]
        #expect(LayeredSource(layers).name == "upper over lower")
        #expect(LayeredSource(layers, name: "mine").name == "mine")
        #expect(LayeredSource(layers).identity == LayeredSource(layers, name: "mine").identity)
        #expect(LayeredSource(layers).identity != LayeredSource(layers.reversed()).identity)
    }
}

/// A source as an app writes it, over another one.
private struct WrappedSource: ConfigSource {
    let base: LayeredSource

    var name: String { "wrapped \(base.name)" }
    var delivery: SourceDelivery { base.delivery }
    var wrapped: (any ConfigSource)? { base }

    func read(after known: SourcePosition) async throws(ConfigModel.ConfigError) -> SourceReading {
        try await base.read(after: known)
    }

}
