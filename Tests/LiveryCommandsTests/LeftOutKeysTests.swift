// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import ConfigWire
import Programs
import TerminalUI
import Testing

@testable import LiveryCommands

struct LeftOutKeysTests {
    private static let text = """
        {
          "a": null,
          "b c\\u001b[2J": 1,
          "d": [1e400],
          "e": 2
        }
        """

    private static func keys(_ text: String = text) throws -> LeftOutKeys {
        LeftOutKeys(of: try ConfigDocument(json: Array(text.utf8), source: "c.json"))
    }

    @Test func eachIsALineWithItsPlace() throws {
        let lines = try Self.keys().lines
        #expect(lines.count == 3)
        #expect(lines.first == "Skipped: c.json:2:8: a: null is not a value; remove the key instead")
        #expect(lines.last == "Skipped: c.json:4:9: d: the number is too large for a double; use a string")
        #expect(lines.allSatisfy { $0.sanitized() == $0 })
    }

    @Test func eachIsAnObjectOfJSON() throws {
        let keys = try Self.keys(#"{"d": [1e400]}"#)
        let json = JSONWriter.object { keys.writeMember(to: &$0) }
        #expect(
            String(decoding: json, as: UTF8.self)
                == #"{"left_out":[{"key":"d","code":"unsupported_value","#
                + #""message":"the number is too large for a double; use a string","line":1,"column":8}]}"#
        )
    }

    @Test func keysThatOnlyLookTheSameAreCountedApart() throws {
        let keys = try Self.keys(#"{"K": 1, "\u212A": 2, "\u00E9": 3, "e\u0301": 4}"#)
        #expect(keys.count == 3 && keys.lines.count == 3)
        #expect(keys.without(ConfigDiff(from: ["K": 1], to: [:])).changes.map(\.key) == ["K"])
    }

    @Test func theLastLineCountsTheRest() throws {
        let members = (0..<1234).map { "\"k\($0)\":null" }
        let lines = try Self.keys("{" + members.joined(separator: ",") + "}").lines
        #expect(lines.count == ConfigDocument.maximumProblems + 1)
        #expect(lines.last == "Skipped: 1,134 more keys")
    }

    @Test func aKeyThatIsLeftOutIsNotMissing() throws {
        let diff = ConfigDiff(from: ["a": 1, "f": 1], to: ["e": 2])
        #expect(try Self.keys().without(diff).changes.map(\.key) == ["e", "f"])
        let error = #expect(throws: ConfigError.self) { try Self.keys().refuseReplacement(from: "c.json") }
        #expect(error?.code.exit == .data)
        #expect(error?.message.hasPrefix("--replace would remove 3 keys") == true)
        #expect(throws: Never.self) { try Self.keys("{}").refuseReplacement(from: "c.json") }
    }
}
