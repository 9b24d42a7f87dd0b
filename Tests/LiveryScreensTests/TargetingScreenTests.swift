// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigRules
import Programs
import TerminalUI
import TestSupport
import Testing

@testable import LiveryScreens
@testable import RemoteConfig

/// The screen of a program whose values depend on the user.
struct TargetingScreenTests {
    private static let document = ##"""
        {"livery": 1, "entries": {"app.background.color": "#000000"}, "rules": {"app.background.color": {
            "variants": {"pink": "#FFB6C1", "blue": "#0000FF"}, "defaultVariant": "pink",
            "targeting": {"if": [{"==": [{"var": "language"}, "es"]}, "blue"]}}}}
        """##

    /// A service that has only the values in the program, and is offline.
    private func service(of document: String = document, in context: EvaluationContext?) throws -> RemoteConfigService {
        RemoteConfigService(
            source: FileSource(path: "/nowhere/config.json"),
            bundledDefault: try ConfigDocument(json: Array(document.utf8), source: "bundled default"),
            context: context,
            isOffline: true
        )
    }

    private func model(of service: RemoteConfigService, by config: DemoConfig) -> DemoModel {
        DemoModel(
            size: Size(columns: 200, rows: 40),
            look: .test(.direct),
            state: config.state(of: service.state.current)
        )
    }

    @Test func aRuleThatFailsIsShownWithItsReason() throws {
        let document = ##"""
            {"livery": 1, "entries": {"app.background.color": "#FFB6C1", "limit": 1}, "rules": {
                "limit": {"variants": {"few": 1, "many": 9}, "targeting": {"var": "language"}}}}
            """##
        let service = try service(of: document, in: EvaluationContext(["language": "es"]))
        let reason = "'es', which is not a variant"
        let report = PlainReport(service.state.current)
        let lines = report.text(clock: .utc).split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("problem:     bundled default:") && $0.contains(reason) })
        #expect(lines.contains("background:  #FFB6C1") && lines.contains("key:         limit = 1"))
        #expect(report.json().contains(reason))
        var model = model(of: service, by: DemoConfig(state: service.state))
        #expect(model.problems.contains { $0.key == "limit" && $0.message.contains(reason) })
        model.press("i", "Down")
        #expect(model.inspectorLines.contains { $0.contains("limit") && $0.contains("✖ 1") })
        model.press("Enter")
        #expect(model.inspectorLines.contains { $0.contains("✖ rule failed") })
    }

    @Test func keysOfRulesAloneAreListed() throws {
        let document = ##"""
            {"livery": 1, "entries": {"a": 1, "z": 2}, "rules": {
                "m": {"variants": {"few": 1, "many": 9}, "targeting": {"if": [true, "few", "many"]}}}}
            """##
        let service = try service(of: document, in: nil)
        var model = model(of: service, by: DemoConfig(state: service.state))
        model.press("i", "Down")
        #expect(model.inspector?.keyList.rows.texts == ["a", "m", "z"])
        #expect(model.inspectorLines.contains { $0.contains("m") && $0.contains("◇ rule, no default value") })
        model.press("Enter", "3")
        #expect(model.inspectorLines.contains { $0.contains("default value, no user") })
    }

    @Test func inspectorShowsVariantReasonAndBranches() async throws {
        let service = try service(in: EvaluationContext(["language": "es"]))
        let config = DemoConfig(state: service.state)
        var model = model(of: service, by: config)
        model.press("i", "Enter")
        let page = model.inspectorLines.joined(separator: " ")
        #expect(page.contains("User      language=es") && page.contains("From      variant blue"), "\(page)")
        model.press("3")
        let expected = [
            ["Gets", "#0000FF"], ["From", "variant blue"], ["Matched", "language is es"], ["Default", "#000000"],
        ]
        let lines = model.inspectorLines
        let result = lines.drop { !$0.hasPrefix("User: language=es") }.dropFirst()
        for (line, words) in zip(result, expected) {
            #expect(words.allSatisfy { line.contains($0) }, "\(line) in \(lines)")
        }
        #expect(model.inspectorLines.contains("if language is es: blue"))
        await service.setContext(EvaluationContext(["language": "de"]))
        _ = model.update(.changed(config.state(of: service.state.current)))
        #expect(model.inspectorLines.contains { $0.contains("variant pink, the default variant") })
        await service.setContext(nil)
        _ = model.update(.changed(config.state(of: service.state.current)))
        let text = model.inspectorLines.joined(separator: " ")
        #expect(text.contains("User: none, press w") && text.contains("default value, no user"), "\(text)")
        model.press("Esc")
        #expect(model.inspectorLines.contains { $0.contains("app.background.color  ◇ ") })
        #expect(model.statusLine.contains("  ◇ 1 rule  "))
    }

    /// The values stay as they are without a context, so nothing but the rule is new.
    @MainActor
    @Test(.timeLimit(.minutes(5))) func aRuleAloneIsDrawnAtOnce() async throws {
        let folder = try TemporaryDirectory()
        let plain = ##"{"livery": 1, "entries": {"app.background.color": "#000000"}}"##
        let path = folder["config.json"]
        try folder.write(plain, to: "config.json")
        let driver = MemoryDriver(size: Size(columns: 120, rows: 24))
        let sync = RemoteConfigService(source: FileSource(path: path))
        let app = DemoApp(driver: driver, sync: sync, keys: .none, environment: ["XDG_CONFIG_HOME": folder.path])
        let run = Task { try await app.run() }
        let screen = { driver.frames.last?.lines.joined(separator: "\n") ?? "" }
        try await until("the first values", lastState: screen()) { screen().contains("● live") }
        driver.send(.input(.key(.character("i"))))
        try await until("the inspector", lastState: screen()) { screen().contains("app.background.color") }
        try folder.write(Self.document, to: "config.json")
        try await until("the rule", lastState: screen()) { screen().contains("app.background.color  ◇ ") }
        driver.send(.input(.key(.character("q"))))
        #expect(try await run.value == nil)
    }
}
