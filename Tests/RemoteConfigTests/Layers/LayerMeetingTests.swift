// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigRules
import Configuration
import InMemoryLogging
import Logging
import RemoteConfigTesting
import TestSupport
import Testing

@testable import RemoteConfig

/// Layers and bundled defaults, combined with rules, objects, contexts and types.
@Suite(.timeLimit(.minutes(5)))
struct LayerMeetingTests {
    private func document(_ json: String) throws -> ConfigDocument {
        try ConfigDocument(json: Array(json.utf8), source: "document")
    }

    /// A service of an upper and a lower document: two layers, or a source and a bundled default.
    private func service(
        _ upper: String,
        over lower: String,
        isLayered: Bool,
        context: EvaluationContext? = nil
    ) async throws -> RemoteConfigService {
        let sources = [
            BundledSource(try document(upper), name: "upper"), BundledSource(try document(lower), name: "lower"),
        ]
        let service =
            isLayered
            ? RemoteConfigService(source: LayeredSource(sources), context: context, notificationCenter: nil)
            : RemoteConfigService(
                source: sources[0],
                bundledDefault: try document(lower),
                context: context,
                notificationCenter: nil
            )
        try await service.refresh()
        return service
    }

    private static func flag(_ evaluator: String) -> String {
        #"{"variants":{"on":true,"off":false},"defaultVariant":"off","targeting":{"if":[{"$ref":"\#(evaluator)"},"on"]}}"#
    }

    @Test(arguments: [false, true]) func rulesReferToTheirOwnLayer(isLayered: Bool) async throws {
        func layer(_ key: String, _ domain: String) -> String {
            #"{"livery":1,"entries":{"\#(key)":false},"rules":{"\#(key)":\#(Self.flag("staff")),"#
                + #""$evaluators":{"staff":{"ends_with":[{"var":"email"},"\#(domain)"]}}}}"#
        }
        let service = try await service(
            layer("upper", "@upper.example"),
            over: layer("lower", "@lower.example"),
            isLayered: isLayered,
            context: EvaluationContext(targetingKey: "u", ["email": "a@lower.example"])
        )
        #expect(service["upper"] == false && service["lower"] == true)
        let other = EvaluationContext(targetingKey: "v", ["email": "a@upper.example"])
        #expect(service.values(for: other)["upper"] == true && service.values(for: other)["lower"] == false)
        #expect(service.state.problems.isEmpty)
    }

    private struct Part: Codable, Equatable { var b: Int, c: Int }

    /// Whichever side writes the object whole.
    @Test(arguments: [false, true], [false, true]) func membersOfObjectsAreMergedAtAnyDepth(
        isLayered: Bool,
        isWholeAbove: Bool
    ) async throws {
        let whole = #"{"livery":1,"entries":{"a":{"b":\#(isWholeAbove ? 5 : 1)\#(isWholeAbove ? "" : #","c":2"#)}}}"#
        let parts = isWholeAbove ? #"{"a":{"b":1,"c":2}}"# : #"{"a":{"b":5}}"#
        let service = try await service(
            isWholeAbove ? whole : parts,
            over: isWholeAbove ? parts : whole,
            isLayered: isLayered
        )
        #expect(service["a"] == ["b": 5, "c": 2] && service["a.b"] == 5)
        #expect(try service.value(forKey: "a", as: Part.self) == Part(b: 5, c: 2))
        let config = ConfigReader(provider: RemoteConfigProvider(service: service))
        #expect(try config.value(forKey: "a", as: Part.self) == Part(b: 5, c: 2))
        #expect(config.int(forKey: "a.b") == 5)
        #expect(service.values(for: EvaluationContext(targetingKey: "u"))["a"] == ["b": 5, "c": 2])
        var observed = service.observe("a", as: Part.self).makeAsyncIterator()
        #expect(await observed.next(isolation: #isolation) == Part(b: 5, c: 2))
    }

    /// In one document it is an error, with its place.
    @Test func aValueWithKeysBelowItIsAConflictInOneLayer() async throws {
        let upper = #"{"livery":1,"entries":{"a":{"b":1},"a.b":2}}"#
        let service = try await service(upper, over: "{}", isLayered: true)
        let error = #expect(throws: ConfigModel.ConfigError.self) {
            try service.value(forKey: "a", as: [String: Int].self)
        }
        #expect(error?.message.contains("conflict") == true && error?.location != nil)
    }

    private enum Way: CaseIterable { case value, state, context, reader, property, observed }

    private func color(of service: RemoteConfigService, _ way: Way) async -> RGBColor? {
        switch way {
        case .value: return service.value(forKey: "color", default: RGBColor(0))
        case .state: return service.state.current.value(forKey: "color", default: RGBColor(0))
        case .context:
            return service.values(for: EvaluationContext(targetingKey: "u")).value(
                forKey: "color",
                default: RGBColor(0)
            )
        case .reader:
            return ConfigReader(provider: RemoteConfigProvider(service: service))
                .value(forKey: "color", default: RGBColor(0))
        case .property: return RemoteValue(wrappedValue: RGBColor(0), "color", in: service.state).wrappedValue
        case .observed:
            var colors = service.observe("color", as: RGBColor.self).makeAsyncIterator()
            return await colors.next(isolation: #isolation) ?? nil
        }
    }

    /// The first page's promise.
    @Test(arguments: [false, true]) func valueOfAnotherTypeCountsAsMissingInItsLayer(isLayered: Bool) async throws {
        for way in Way.allCases {
            let service = try await service(
                #"{"color":"pink"}"#,
                over: ##"{"color":"#FFB6C1"}"##,
                isLayered: isLayered
            )
            #expect(await color(of: service, way) == RGBColor(0xFFB6C1), "\(way)")
            let problem = try #require(service.state.problems.first, "\(way)")
            #expect(problem.key == "color" && problem.source == "upper" && problem.code == .typeMismatch)
            #expect(service["color"] == "pink", "untyped, it is what the topmost layer has")
            // Without a layer below, the default of the code counts.
            let alone = try await self.service(#"{"color":"pink"}"#, over: "{}", isLayered: isLayered)
            #expect(await color(of: alone, way) == (way == .observed ? nil : RGBColor(0)), "\(way)")
        }
    }

    @Test func kindsOfAReaderFallThroughToTheNextLayer() async throws {
        let service = try await service(
            #"{"n":"many","s":1,"b":"yes","list":["a"]}"#,
            over: #"{"n":7,"s":"text","b":true,"list":[1,2]}"#,
            isLayered: true
        )
        let config = ConfigReader(provider: RemoteConfigProvider(service: service))
        #expect(config.int(forKey: "n") == 7 && config.string(forKey: "s") == "text")
        #expect(config.bool(forKey: "b") == true && config.intArray(forKey: "list") == [1, 2])
        #expect(config.snapshot().int(forKey: "n") == 7)
        #expect(Set(service.state.problems.map(\.key)) == ["n", "s", "b", "list"])
    }

    /// A change below a value that cannot be read reaches observers that use the lower value.
    @Test func changesOfALowerLayerReachItsReaders() async throws {
        let (upper, lower) = (TestSource(["n": "many"]), TestSource(["n": 1]))
        let service = RemoteConfigService(source: LayeredSource([upper, lower]), notificationCenter: nil)
        try await service.whileRunning {
            try await until("both are read") { service.value(forKey: "n", default: 0) == 1 }
            var numbers = service.observe("n", as: Int.self).makeAsyncIterator()
            #expect(await numbers.next(isolation: #isolation) == 1)
            let config = ConfigReader(provider: RemoteConfigProvider(service: service))
            try await config.watchInt(forKey: "n", default: 0) { updates in
                var updates = updates.makeAsyncIterator()
                #expect(await updates.next(isolation: #isolation) == 1)
                await lower.publish(["n": 2])
                #expect(await numbers.next(isolation: #isolation) == 2)
                #expect(await updates.next(isolation: #isolation) == 2)
            }
            #expect(service["n"] == "many")
        }
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
        let bad = ScriptedLayer("bad")
        bad.fail(ConfigError(.unavailable, "no answer"))
        let service = RemoteConfigService(
            source: LayeredSource([bad, TestSource(["a": 1])]),
            logger: Logger(label: "test") { _ in log }
        )
        _ = await service.refreshOutcome()
        #expect(service.state.current.status.problem?.source == "bad")
        #expect(log.entries.count { $0.message == "source error" } == 1)
    }
}
