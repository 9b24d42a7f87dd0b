// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Schemas in a file, and the values of a real server.
@Suite(.timeLimit(.minutes(5)))
struct SchemaCommandTests {
    private let desk: OperatorDesk

    init() throws { desk = try OperatorDesk() }

    @Test func violationIsReportedAndFailsARelease() throws {
        let schemas = """
            {"livery": 1, "schemas": {
              "app.color": {"type": "string", "format": "color"}, "app.sizes.*": {"type": "integer", "maximum": 9},
              "menu": {"type": "array", "items": {"type": "object", "required": ["title", "url"]}}, "app.later": {"type": "string"}}}
            """
        try desk.folder.write(schemas, to: "schemas.json")
        _ = try desk.json("set", "app.color=#FFB6C1", "app.sizes.a=3", #"menu=[{"title":"a","url":"b"}]"#, "other=pink")
        let good = try desk.run("schema", "check", "schemas.json", "--plain")
        #expect(good.status == .exited(0))
        #expect(good.standardOutput == "3 values checked at revision 1: all match their schema.\n")

        _ = try desk.json("set", "app.color=pink", "app.sizes.a=12", #"menu=[{"title":"\u001b[2J"}]"#)
        let bad = try desk.run("schema", "check", "schemas.json", "--plain")
        #expect(bad.status == .exited(1))
        let lines = bad.standardOutput.split(separator: "\n").map(String.init)
        #expect(lines.count == 4, "\(lines)")
        #expect(lines.dropLast().map { $0.prefix { $0 != ":" } } == ["app.color", "app.sizes.a", "menu"])
        #expect(lines.last == "3 values checked at revision 2: 3 violate their schema.")
        #expect(!bad.standardOutput.contains("\u{1B}"))

        let output = try desk.run("schema", "check", "-", "--json", input: schemas)
        #expect(output.status == .exited(1))
        let report = try jsonMembers(output.standardOutput)
        let violations = try #require(report["violations"] as? [[String: Any]])
        #expect(violations.map { $0["schema"] as? String } == ["app.color", "app.sizes.*", "menu"])
        #expect(violations.map { $0["pointer"] as? String } == ["", "", "/0"])
        #expect(violations.map { $0["keyword"] as? String } == ["format", "maximum", "required"])
        #expect(violations[1]["limit"] as? Int == 9 && violations[1]["found"] as? Int == 12)
        #expect(report["checked"] as? Int == 3)
    }

    @Test func schemasBecomeDefinitionsInSwift() throws {
        let schemas = #"{"livery":1,"schemas":{"app.on":{"type":"boolean","default":true},"app.*":true}}"#
        try desk.folder.write(schemas, to: "app.json")
        let printed = try desk.run("schema", "swift", "app.json")
        #expect(printed.status.isSuccess && printed.standardError.hasPrefix("Skipped: app.*: "), "\(printed)")
        #expect(printed.standardOutput.contains("static let appOn = ConfigDefinition<Bool>"))
        _ = try desk.json("schema", "set", "--from", "app.json")
        #expect(try desk.run("schema", "swift").standardOutput == printed.standardOutput)

        try desk.folder.write(printed.standardOutput, to: "Keys.swift")
        #expect(try desk.run("schema", "swift", "app.json", "--check", "Keys.swift").status.isSuccess)
        let changed = schemas.replacing("\"default\":true", with: "\"default\":false")
        let stale = try desk.run("schema", "swift", "-", "--check", "Keys.swift", input: changed)
        #expect(stale.status == .exited(1) && stale.standardError.contains("Stale: app.on\n"), "\(stale)")
    }
}
