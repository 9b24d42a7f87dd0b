// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigRules
import Foundation
import RemoteConfigTesting
import TestSupport
import Testing

@testable import RemoteConfig

/// Values that depend on the user.
@Suite(.timeLimit(.minutes(5)))
struct ContextTests {
    private let folder: TemporaryDirectory
    private let clock = TestClock()

    init() throws { folder = try TemporaryDirectory() }

    private var path: String { folder["config.json"] }
    private static let spanish = EvaluationContext(targetingKey: "user-1", ["language": "es"])
    private static let german = EvaluationContext(targetingKey: "user-1", ["language": "de"])

    private static func rule(_ language: String = "es", in state: String = "ENABLED") -> String {
        """
        {"variants":{"pink":"rose","blue":"navy"},"defaultVariant":"pink","state":"\(state)",\
        "targeting":{"if":[{"==":[{"var":"language"},"\(language)"]},"blue"]}}
        """
    }

    private func write(values: String = #"{"color":"black","size":1}"#, rules: String) throws {
        try #"{"livery":1,"entries":\#(values),"rules":\#(rules)}"#
            .write(toFile: path, atomically: true, encoding: .utf8)
    }

    private func running(
        in context: EvaluationContext?,
        _ body: (RunningService) async throws -> Void
    ) async throws {
        try await RemoteConfigTests.running { center in
            RemoteConfigService(
                source: FileSource(path: path),
                context: context,
                notificationCenter: center
            )
        } body: {
            try await body($0)
        }
    }

    /// 100 rules of some 80,000 steps each.
    @Test func noRuleTakesStepsFromItsNeighbours() async throws {
        let slow = #"{"none":[{"var":"list"},false]}"#
        let keys = (100..<200).map { "k\($0)" }
        let rules = keys.map { key in
            #""\#(key)":{"variants":{"a":1,"b":2},"targeting":{"if":[{"and":[\#(slow),\#(slow)]},"b","a"]}}"#
        }
        try write(
            values: "{\(keys.map { "\"\($0)\":0" }.joined(separator: ","))}",
            rules: "{\(rules.joined(separator: ","))}"
        )
        let context = EvaluationContext(targetingKey: "u", ["list": .array((0..<20_000).map { .integer($0) })])
        try await running(in: context) { running in
            try await running.shows(2, for: "k100")
            #expect(running.value("k199") == 2 && running.current.snapshot.ruleProblems.isEmpty)
        }
    }

    /// A list that doubles 40 times, a rule that names no variant, and one that refers to nothing.
    @Test func aRuleThatFailsIsAProblemOfItsKeyAlone() async throws {
        let doubled =
            #"{"reduce":[\#(Array(repeating: 1, count: 40)),[{"var":"accumulator"},{"var":"accumulator"}],"x"]}"#
        let failing = [
            "doubling": #"{"if":[{"==":[\#(doubled),"z"]},"y","x"]}"#, "nameless": #"{"var":"language"}"#,
            "unreadable": #"{"$ref":"nothing"}"#,
        ]
        let rules = failing.map { #""\#($0.key)":{"variants":{"x":1,"y":2},"targeting":\#($0.value)}"# }
        let values = #"{"color":"black","doubling":0,"nameless":0,"unreadable":0}"#
        try write(values: values, rules: #"{"color":\#(Self.rule()),\#(rules.joined(separator: ","))}"#)
        try await running(in: Self.spanish) { running in
            try await running.shows("navy", for: "color")
            let problems = running.current.snapshot.ruleProblems
            #expect(problems.map(\.key) == ["doubling", "nameless", "unreadable"])
            #expect(problems.allSatisfy { $0.code == .invalidRule && $0.source == path && $0.location != nil })
            #expect(
                problems[0].message.contains("more than")
                    && problems[1].message.contains("'es', which is not a variant")
            )
            #expect(failing.keys.allSatisfy { running.value($0) == 0 })
            #expect(running.current.explanation(forKey: "doubling")?.evaluation.error != nil)
            await running.service.setContext(nil)
            #expect(running.current.snapshot.ruleProblems.isEmpty, "without a context no rule is evaluated")
            await running.service.setContext(Self.spanish)
            #expect(running.current.snapshot.ruleProblems == problems)
            try write(values: values, rules: #"{"color":\#(Self.rule()),\#(rules[0])}"#)
            try await until("two rules are gone") { running.current.snapshot.ruleProblems.count == 1 }
            try write(values: values, rules: "{}")
            try await until("all rules are gone") { running.current.snapshot.ruleProblems.isEmpty }
        }
    }

    @Test func ruleProblemsFollowTheContext() async throws {
        let rule = #"{"variants":{"es":"black"},"targeting":{"var":"language"}}"#
        try write(values: #"{"color":"black"}"#, rules: #"{"color":\#(rule)}"#)
        let service = RemoteConfigService(source: FileSource(path: path), context: Self.spanish)
        var problem: ConfigError? { service.state.current.ruleProblem(forKey: "color") }
        _ = await service.refreshOutcome()
        #expect(problem == nil)
        #expect(await service.setContext(Self.german) == [], "the value stays")
        #expect(problem?.message.contains("'de', which is not a variant") == true)
        #expect(await service.setContext(Self.spanish) == [])
        #expect(problem == nil)
    }

    /// Rules are evaluated again only if they depend on what differs.
    @Test func anotherContextGivesWhatANewServiceGives() async throws {
        let split = { (share: Int) in #"{"fractional":[["a",\#(share)],["b",\#(60 - share)],["none",20]]}"# }
        let rules = (0..<60).map { number in
            let condition = #"{"==":[{"var":"attribute\#(number % 3)"},\#(number % 2)]}"#
            let variants = #""variants":{"a":"a","b":"b","c":"c"},"defaultVariant":"a""#
            return #""k\#(number)":{\#(variants),"targeting":{"if":[\#(condition),"c",\#(split(number))]}}"#
        }
        try write(values: #"{"k1":"own","k2":"own"}"#, rules: "{\(rules.joined(separator: ","))}")
        func context(_ user: Int, _ values: Int...) -> EvaluationContext {
            let attributes = values.enumerated().map { ("attribute\($0)", EntryValue.integer($1)) }
            return EvaluationContext(targetingKey: "user-\(user)", Dictionary(attributes) { $1 })
        }
        func state(_ service: RemoteConfigService) -> ([String: EntryValue], [ConfigError]) {
            let snapshot = service.state.current.snapshot
            return (snapshot.entries.mapValues(\.value), snapshot.ruleProblems)
        }
        let service = RemoteConfigService(source: FileSource(path: path), context: context(0))
        _ = await service.refreshOutcome()
        for next in [
            context(1), context(1, 1), context(2, 1), context(2, 0, 1), context(2, 0, 1), context(3, 0, 1, 0),
            context(3),
            context(4, 1), context(1, 1),
        ] {
            let before = state(service).0
            let keys = await service.setContext(next)
            let other = RemoteConfigService(source: FileSource(path: path), context: next)
            _ = await other.refreshOutcome()
            let (values, problems) = state(service)
            #expect(values == state(other).0 && problems == state(other).1 && !problems.isEmpty)
            #expect(keys == Set(before.keys).union(values.keys).filter { before[$0] != values[$0] }.sorted())
        }
    }

    @Test func aChangeOfARuleIsOneOfTheValue() async throws {
        try write(rules: #"{"color":\#(Self.rule())}"#)
        try await running(in: Self.german) { running in
            try await running.shows("rose", for: "color")
            try write(rules: #"{"color":\#(Self.rule("de"))}"#)
            try await running.shows("navy", for: "color")
            try write(rules: #"{"color":\#(Self.rule("de", in: "DISABLED"))}"#)
            try await running.shows("black", for: "color")
            try write(rules: #"{"color":{"variants":{"a":"grey"},"targeting":{"$ref":"x"}}}"#)
            try await until("the rule is read: \(running.current)") { running.current.rule(forKey: "color") == nil }
            #expect(running.value("color") == "black", "a rule that cannot be read changes nothing")
            try write(
                rules: #"{"color":{"variants":{"a":"grey"},"targeting":{"$ref":"x"}},"$evaluators":{"x":{"no":1}}}"#
            )
            try await until("the cause is reported") {
                let message = running.current.snapshot.ruleProblems.first?.message
                return message?.contains("invalid shared evaluators: ") == true
            }
            try write(
                rules:
                    #"{"color":{"variants":{"a":"grey"},"targeting":{"$ref":"x"}},"$evaluators":{"x":{"cat":["a"]}}}"#
            )
            try await running.shows("grey", for: "color")
            try write(rules: "{}")
            try await running.shows("black", for: "color")
            #expect(running.updates.entries.allSatisfy { $0.changedKeys == ["color"] || $0.changedKeys.count == 2 })
        }
    }

    @Test func anExplanationNamesTheBranches() async throws {
        try write(rules: #"{"color":\#(Self.rule())}"#)
        try await running(in: Self.spanish) { running in
            try await running.shows("navy", for: "color")
            let explanation = try #require(running.current.explanation(forKey: "color"))
            #expect(explanation.evaluation.variant == "blue")
            #expect(explanation.evaluation.reason == .targetingMatch)
            #expect(explanation.steps.map(\.pointer) == ["/targeting/if/0/=="])
            #expect(running.current.explanation(forKey: "size") == nil)
            await running.service.setContext(nil)
            #expect(running.current.explanation(forKey: "color") == nil)
        }
    }

    @Test(
        arguments: [
            ("es_ES.UTF-8", "es", "ES"), ("de", "de", nil), ("sr-Latn-RS", "sr", "RS"), ("C", nil, nil),
            ("POSIX", nil, nil),
            ("C.UTF-8", nil, nil), ("", nil, nil), ("ca_ES@valencia", "ca", "ES"), ("EN_us", "en", "US"),
            ("12_34", nil, nil),
        ] as [(String, String?, String?)]
    )
    func standardAttributesComeFromTheProgram(locale: String, language: String?, region: String?) {
        let context = EvaluationContext(targetingKey: "u", ["platform": "toaster"])
            .withStandardAttributes(programVersion: "2.1.0", locale: locale)
        #expect(context.targetingKey == "u")
        #expect(context.attributes["language"] == language.map(EntryValue.string))
        #expect(context.attributes["region"] == region.map(EntryValue.string))
        #expect(context.attributes["version"] == "2.1.0")
        #expect(context.attributes["platform"] == "toaster", "the given attribute counts")
        let standard = EvaluationContext().withStandardAttributes(programVersion: nil, locale: nil)
        #expect(["linux", "macos"].contains(standard.attributes["platform"]))
        #expect(standard.attributes["version"] == nil)
    }
}
