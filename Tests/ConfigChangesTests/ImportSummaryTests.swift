// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Testing

@testable import ConfigChanges

struct ImportSummaryTests {
    private static func leftOut(_ json: String) throws -> LeftOutKeys {
        LeftOutKeys(of: try ConfigDocument(json: Array(json.utf8), source: "c.json"))
    }

    @Test func reasonsAreGrouped() throws {
        let lines = ImportSummary.lines(
            ConfigDiff(from: ["d": 1], to: ["d": 2, "e": 3]),
            unchanged: 1,
            leftOut: try Self.leftOut(#"{"a": null, "c": [1e400], "b": null, "d": 2}"#)
        )
        #expect(lines.count == 3)
        #expect(lines.first == "1 added, 1 changed, 0 removed, 1 unchanged; 3 skipped")
        #expect(lines[1] == "Skipped: a, b: null is not a value; remove the key instead")
        #expect(lines[2].hasPrefix("Skipped: c.json:1:") && lines[2].contains(" c: the number is too large"))
    }

    @Test func schemasAndRulesAreCounted() throws {
        let document = NamespaceContents(schemas: ["a": true, "b": true], rules: ["r": ["variants": ["x": 1]]])
        let diff = ConfigDiff(from: NamespaceContents(), to: document)
        let lines = ImportSummary.lines(diff, unchanged: 0, leftOut: LeftOutKeys())
        #expect(lines == ["0 added, 0 changed, 0 removed, 0 unchanged, 2 schemas, 1 rule"])
    }

    @Test func longListsOfKeysAreShortened() throws {
        let members = (10..<30).map { "\"k\($0)\": null" }
        let lines = ImportSummary.lines(
            ConfigDiff([]),
            unchanged: 0,
            leftOut: try Self.leftOut("{\(members.joined(separator: ", "))}")
        )
        #expect(lines[1].hasPrefix("Skipped: k10, k11, ") && lines[1].contains("k17 and 12 more: null"), "\(lines)")
    }
}
