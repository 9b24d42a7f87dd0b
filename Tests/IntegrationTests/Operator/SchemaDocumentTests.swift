// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Documents with schemas, and the history of schemas, on a real server.
@Suite(.timeLimit(.minutes(5)))
struct SchemaDocumentTests {
    private let desk: OperatorDesk

    init() throws {
        desk = try OperatorDesk()
        _ = try desk.json("set", #"theme={"a":{"b":[1.50]}}"#, "app.title=Hi", "app.n=3", "old=1")
        let schemas = #"{"livery":1,"schemas":{"theme":{"type":"object"},"app.*":true,"app.title":{"type":"string"}}}"#
        #expect(try desk.run("schema", "set", "--from", "-", input: schemas).status.isSuccess)
    }

    @Test(arguments: ["--nested", "--flat", "--exact"])
    func anExportWithSchemasIsImportedAsItIs(form: String) throws {
        let export = try desk.run("export", form)
        #expect(export.standardOutput.contains(#""schemas": {"#))
        #expect(export.standardError.isEmpty == (form == "--exact"))
        for option in [["--replace"], ["--batches"]] {
            try desk.folder.write(export.standardOutput, to: "export.json")
            let copy = option[0].dropFirst(2)
            #expect(try desk.run(["import", "export.json", "-n", "\(copy)"] + option).status.isSuccess)
            #expect(try desk.run("export", form, "-n", "\(copy)").standardOutput == export.standardOutput)
            #expect(try desk.run("diff", "export.json", "-n", "\(copy)").status.isSuccess)
        }
        let again = try desk.json("import", "export.json", "-n", "replace")
        #expect(again["revisions"] as? Int == 0)
        let plain = try desk.run("export", form, "--no-schemas")
        #expect(!plain.standardOutput.contains("schemas"))
        #expect(try desk.run("diff", "-", input: plain.standardOutput).status.isSuccess)
    }

    @Test func commandsForSchemasReadAnExport() throws {
        try desk.folder.write(#"{"variants": {"x": 1}, "defaultVariant": "x"}"#, to: "rule.json")
        #expect(try desk.run("rule", "set", "app.n", "rule.json").status.isSuccess)
        for options in [[], ["--exact"], ["--flat"]] {
            try desk.folder.write(try desk.run(["export"] + options).standardOutput, to: "export.json")
            #expect(try desk.json("schema", "check", "export.json")["checked"] as? Int == 3)
            #expect(try desk.run("schema", "swift", "export.json").status.isSuccess)
            let copy = "copy\(options.joined().dropFirst(2))"
            let set = try desk.json("schema", "set", "--from", "export.json", "-n", copy)
            #expect((set["schema_changes"] as? [Any])?.count == 3, "\(set)")
        }
    }

    @Test func schemaDifferencesAreReported() throws {
        let document =
            #"{"livery":1,"entries":{"old":1},"schemas":{"app.*":false,"new":true,"theme":{"type":"object"}}}"#
        let diff = try desk.run("diff", "-", "--plain", input: document)
        #expect(diff.status == .exited(1))
        let lines = diff.standardOutput.split(separator: "\n").suffix(3)
        #expect(
            lines == ["~ schema app.*  true → false", #"- schema app.title  {"type":"string"}"#, "+ schema new  true"]
        )
        let json = try desk.run("diff", "-", input: document).standardOutput
        #expect(json.contains("\"schema_changes\": [\n    {\n      \"key\": \"app.*\",\n      \"old\": true"))
    }

    @Test func replacingRemovesSchemasOnlyIfTheDocumentHasSome() throws {
        let plain = try desk.json("import", path(of: #"{"old": 2}"#), "--replace")
        #expect(plain["changed_schemas"] as? [String] == [])
        let exact = try desk.json(
            "import",
            path(of: #"{"livery":1,"entries":{"old":2},"schemas":{"old":true}}"#),
            "--replace"
        )
        #expect(exact["changed_schemas"] as? [String] == ["app.*", "app.title", "old", "theme"])
        let alone = try desk.json("import", path(of: #"{"livery":1,"schemas":{"a":true}}"#), "--replace")
        #expect(alone["changed_schemas"] as? [String] == ["a", "old"] && alone["removed"] as? Int == 0)
        #expect(try desk.run("get", "old").standardOutput == "2\n")
    }

    private func path(of document: String) throws -> String {
        try desk.folder.write(document, to: "document.json")
        return "document.json"
    }

    @Test func schemasAreInTheHistoryAndGoBackWithTheValues() throws {
        let before = try desk.run("export").standardOutput
        let head = try #require(try desk.json("schema", "list")["schemas"] as? [[String: Any]])
        let revision = try #require(head.compactMap { $0["revision"] as? Int }.max())
        #expect(try desk.run("schema", "set", "app.*", "-", "-m", "closer", input: #"{"not":false}"#).status.isSuccess)
        _ = try desk.json("set", "app.n=4")

        let table = try desk.run("history", "--plain").standardOutput
        #expect(table.contains(#"schema app.*      {"not":false}"#), "\(table)")
        let records = try #require(try desk.json("history", "--schema", "app.*")["history"] as? [[String: Any]])
        #expect(records.map { $0["kind"] as? String } == ["schema", "schema"])
        #expect(records.map { $0["message"] as? String } == ["closer", nil])

        let terminal = try desk.onTerminal("rollback", "\(revision)")
        try terminal.readUntil("the question") { $0.contains("[y/N]") }
        #expect(terminal.plainText.contains("~ app.n  4 → 3\n~ schema app.*  {\"not\":false} → true\n"))
        try terminal.write("y\n")
        #expect(try terminal.waitForExit() == .exited(0))
        #expect(terminal.plainText.contains("1 key, 1 schema changed."))
        #expect(try desk.run("export").standardOutput == before)
        let json = try desk.json("rollback", "\(revision + 1)", "--yes")
        #expect(json["changed_schemas"] as? [String] == ["app.*"])
        #expect(json["changed"] as? [String] == [])
    }
}
