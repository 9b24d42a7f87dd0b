// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import ConfigRules
import TerminalUI
import Testing

@testable import LiveryScreens

/// All that is known about a key, on pages.
struct KeyPagesTests {
    private func desk() async throws -> EditDesk {
        var desk = try EditDesk(
            NamespaceContents(
                values: ["app.limit": 20],
                schemas: ["app.*": ["title": "Limit", "type": "integer", "minimum": 1, "maximum": 100]],
                rules: [
                    "app.limit": [
                        "variants": ["few": 5, "many": 90], "defaultVariant": "few",
                        "targeting": ["fractional": [["many", 25], ["few", 75]]],
                    ]
                ]
            ),
            columns: 120,
            rows: 40
        )
        desk.source.write(
            ConfigDiff([KeyChange(key: "app.limit", old: 20, new: 30)]),
            by: "bob",
            message: "more"
        )
        try await desk.answer()
        try await desk.press("i", "Enter")
        return desk
    }

    @Test func valueOfARuledKeyIsThatOfTheUser() async throws {
        var desk = try await desk()
        #expect(desk.screen.contains("30") && desk.screen.contains("default value, no user"), "\(desk.screen)")
        let rule = try ConfigRule(try #require(desk.source.current.contents.rules["app.limit"]))
        let user = EvaluationContext(targetingKey: "42")
        let variant = try #require(rule.evaluate(key: "app.limit", in: user, at: 0).variant)
        try await desk.press("w", "{user=42}", "Enter")
        for words in ["user=42", "variant \(variant)", "of 100", "Default   30"] {
            #expect(desk.screen.contains(words), "\(words) in \(desk.screen)")
        }
        try await desk.press("y")
        #expect(desk.effects.last == .copy(variant == "many" ? "90" : "5"))
    }

    @Test func theWholeScreenIsUsedAfterZoom() async throws {
        var desk = try await desk()
        try await desk.press("5")
        let before = desk.model.lines[0]
        try await desk.press("z")
        #expect(desk.model.lines[0].hasPrefix("╭") && !before.hasPrefix("╭"), "\(desk.screen)")
        try await desk.press("z")
        #expect(desk.model.lines[0] == before)
    }

    @Test func theValueIsCopiedAndSaved() async throws {
        var desk = try await desk()
        try await desk.press("y", "s")
        #expect(desk.screen.contains("app.limit.json"), "\(desk.screen)")
        try await desk.press("{x.json}", "Enter")
        #expect(desk.effects == [.copy("30"), .save(SaveRequest(path: "x.json", text: "30\n"))])
        let request = SaveRequest(path: "x.json", text: "30\n")
        _ = desk.model.update(.saved(request, .exists))
        #expect(desk.screen.contains("x.json exists. Replace it?"), "\(desk.screen)")
        try await desk.press("Enter")
        #expect(desk.effects.count == 2 && desk.screen.contains("Replace it?"), "Enter is no answer")
        try await desk.press("y")
        #expect(desk.effects.last == .save(SaveRequest(path: "x.json", text: "30\n", overwrites: true)))
        _ = desk.model.update(.saved(request, .failed("cannot write the file: no space left")))
        #expect(desk.screen.contains("│ x.json") && desk.screen.contains("no space left"), "the name can be corrected")
    }

    @Test func theLogIsSavedAsItIsShown() async throws {
        var desk = try await desk()
        try await desk.press("l", "s", "Enter")
        guard case .save(let request)? = desk.effects.last else {
            Issue.record("nothing was saved: \(desk.screen)")
            return
        }
        #expect(request.path == "log.txt" && request.text.contains("app.limit"))
    }
}
