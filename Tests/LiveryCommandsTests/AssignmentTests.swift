// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Testing

@testable import LiveryCommands

struct AssignmentTests {
    @Test("NAME:=JSON names the type of one value")
    func aSignWithAColonIsJSON() throws {
        let read = try Assignment.read(["a=1.10", "b:=1.10", "c:=@f", "d=:=x"], isLiteral: false)
        #expect(read.map(\.key) == ["a", "b", "c", "d"] && read.map(\.isJSON) == [false, true, true, false])
        #expect(read.map(\.origin) == [.text("1.10"), .text("1.10"), .file("f"), .text(":=x")])
    }

    @Test(
        arguments: [
            (["a", "1"], false, [("a", .text("1"))]),
            (["a=1"], false, [("a", .text("1"))]),
            (["a=1", "b=2"], false, [("a", .text("1")), ("b", .text("2"))]),
            (["a", "b=2"], false, [("a", .text("b=2"))]),
            (["a=", "b=x=y"], false, [("a", .text("")), ("b", .text("x=y"))]),
            (["a", "-"], false, [("a", .file("-"))]),
            (["a=@f.txt"], false, [("a", .file("f.txt"))]),
            (["a", "@f"], true, [("a", .text("@f"))]),
            (["a", "-"], true, [("a", .text("-"))]),
        ] as [([String], Bool, [(String, Assignment.Origin)])]
    )
    func argumentsAreKeysAndOrigins(
        arguments: [String],
        isLiteral: Bool,
        expected: [(String, Assignment.Origin)]
    ) throws {
        let read = try Assignment.read(arguments, isLiteral: isLiteral)
        #expect(read.map(\.key) == expected.map(\.0))
        #expect(read.map(\.origin) == expected.map(\.1))
    }

    @Test(
        arguments: [
            ["a"], ["a", "b", "c"], ["a=1", "b"], ["=1"], ["a..b", "1"], ["a=1", "a=2"], ["a=-", "b=-"],
            ["a=-", "b=@-"], ["ä", "1"], [String(repeating: "k", count: 129), "1"],
        ]
    )
    func invalidAssignmentsAreRejected(arguments: [String]) {
        #expect(throws: ConfigError.self) { try Assignment.read(arguments, isLiteral: false) }
    }
}
