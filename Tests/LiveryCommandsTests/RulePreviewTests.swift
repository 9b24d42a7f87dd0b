// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import ConfigRules
import ConfigWire
import Testing

@testable import LiveryCommands

struct RulePreviewTests {
    private func rule(_ value: EntryValue) throws -> ConfigRule { try ConfigRule(value) }

    private func preview(_ now: EntryValue?, _ then: EntryValue?) throws -> RulePreview {
        RulePreview(
            of: "k",
            now: try now.map(rule),
            then: try then.map(rule),
            defaultValue: "x",
            for: [
                EvaluationContext(targetingKey: "ann", ["team": "a"]), EvaluationContext(targetingKey: "bob"),
                EvaluationContext(["team": "a"]), EvaluationContext(["team": 5]),
            ],
            at: 0
        )
    }

    private static let draft: EntryValue = [
        "variants": ["x": "x", "y": "y"], "defaultVariant": "x",
        "targeting": [
            "if": [["==": [["var": "team"], "a"]], "y", ["==": [["var": "team"], 5]], ["cat": ["z", ""]]]
        ],
    ]

    @Test func previewReportsAffectedUsers() throws {
        let preview = try preview(nil, Self.draft)
        #expect(
            preview.table(isDraft: true).rows.map { $0.map(\.text) } == [
                ["(default value)", "4 (100 %)", "0 (0 %)"], ["(error)", "0 (0 %)", "1 (25 %)"],
                ["x", "0 (0 %)", "1 (25 %)"], ["y", "0 (0 %)", "2 (50 %)"],
            ]
        )
        let lines = preview.lines(isDraft: true).map { $0.map(\.text).joined() }
        // Users without a variant get the value of variant x, and so do those whose evaluation fails.
        #expect(lines.prefix(2) == ["2 of 4 users change:", "  (default value) → y  2: ann, (no targeting key)"])
        #expect(lines.last?.hasPrefix("1 evaluations failed, the first with: the targeting returned 'z'") == true)
    }

    @Test func variantsThatOnlyLookTheSameAreCountedApart() throws {
        let draft: EntryValue = [
            "variants": ["e\u{301}": "x", "\u{E9}": "y"], "defaultVariant": "e\u{301}",
            "targeting": ["if": [["==": [["var": "team"], "a"]], "\u{E9}"]],
        ]
        let rows = try preview(draft, draft).table(isDraft: false).rows.map { $0.map(\.text) }
        #expect(rows.map(\.last) == ["2 (50 %)", "2 (50 %)"])
        #expect(rows.compactMap(\.first).map(ExactString.init(_:)) == ["e\u{301}", "\u{E9}"])
    }

    @Test func sharesAreShownWithoutADraft() throws {
        let preview = try preview(Self.draft, Self.draft)
        #expect(preview.table(isDraft: false).rows.map { $0.map(\.text) }.contains(["y", "2 (50 %)"]))
        #expect(preview.lines(isDraft: false).count == 1)
        let same = try self.preview(Self.draft, Self.draft).lines(isDraft: true)
        #expect(same.first?.first?.text == "0 of 4 users change.")
    }

    @Test func usersAreMadeUpAlike() {
        let users = RulePreview.users(3, like: EvaluationContext(targetingKey: "me", ["language": "es"]))
        #expect(users.map(\.targetingKey) == ["user-1", "user-2", "user-3"])
        #expect(users.allSatisfy { $0.attributes["language"] == "es" })
    }
}
