// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigRules
import Programs
import TerminalUI
import Testing

@testable import LiveryApp
@testable import RemoteConfig

/// The screen of a program whose values depend on who uses it.
struct TargetingScreenTests {
    private static let document = ##"""
        {"livery": 1, "entries": {"app.background.color": "#000000"}, "rules": {"app.background.color": {
            "variants": {"pink": "#FFB6C1", "blue": "#0000FF"}, "defaultVariant": "pink",
            "targeting": {"if": [{"==": [{"var": "language"}, "es"]}, "blue"]}}}}
        """##

    /// A service that has nothing but what the program carries with it, and is offline.
    private func service(in context: EvaluationContext?) throws -> SyncService {
        SyncService(
            source: FileSource(path: "/nowhere/config.json"),
            bundledDefault: try ConfigDocument(json: Array(Self.document.utf8), source: "bundled default"),
            context: context,
            isOffline: true
        )
    }

    private func model(of service: SyncService, by config: DemoConfig) -> DemoModel {
        var model = DemoModel(
            size: Size(columns: 200, rows: 40),
            colors: ColorMatcher(depth: .direct),
            repertoire: .unicode,
            keys: .standard,
            clock: .utc,
            state: DemoState(of: service.state, by: config)
        )
        model.hasMotion = false
        return model
    }

    @Test func anotherContextChangesTheScreenOfflineToo() async throws {
        let service = try service(in: EvaluationContext(["language": "de"]))
        let config = DemoConfig(state: service.state)
        var model = model(of: service, by: config)
        #expect(model.background.asked == RGBColor(rgb24: 0xFFB6C1))
        await service.setContext(EvaluationContext(["language": "es"]))
        _ = model.update(.changed(DemoState(of: service.state, by: config)))
        #expect(model.background.asked == RGBColor(rgb24: 0x0000FF))
        await service.setContext(nil)
        _ = model.update(.changed(DemoState(of: service.state, by: config)))
        #expect(model.background.asked == RGBColor(rgb24: 0x000000))
    }

    @Test func theInspectorTellsVariantReasonAndBranches() async throws {
        let service = try service(in: EvaluationContext(["language": "es"]))
        let config = DemoConfig(state: service.state)
        var model = model(of: service, by: config)
        model.press("i", "Enter")
        let expected = ["Rule", "blue, TARGETING_MATCH", "/targeting/if/0/==: true", "variants: blue, pink"]
        #expect(Array(model.inspectorLines.drop { $0 != "Rule" }.prefix(4)) == expected)
        await service.setContext(EvaluationContext(["language": "de"]))
        _ = model.update(.changed(DemoState(of: service.state, by: config)))
        #expect(model.inspectorLines.contains("pink, DEFAULT"))
        await service.setContext(nil)
        _ = model.update(.changed(DemoState(of: service.state, by: config)))
        #expect(model.inspectorLines.contains("everybody's value: the program has no context (--context)"))
    }
}
