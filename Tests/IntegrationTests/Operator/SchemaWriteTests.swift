// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigWire
import Foundation
import TestSupport
import Testing

/// Schemas from the command line to a real server and back.
@Suite(.timeLimit(.minutes(5)))
struct SchemaWriteTests {
    private let desk: OperatorDesk

    private static let definitions = """
        {"livery": 1, "schemas": {
          "app.color": {"type": "string", "format": "color"}, "app.sizes.*": {"type": "integer", "maximum": 9},
          "menu": {"type": "array", "items": {"type": "object", "required": ["title"]}, "title": "Menu"}}}
        """

    init() throws {
        desk = try OperatorDesk()
        try desk.folder.write(Self.definitions, to: "definitions.json")
    }

    @Test func schemasAreSetListedShownAndUnset() throws {
        let plan = try desk.json("schema", "set", "--from", "definitions.json", "--dry-run")
        #expect((plan["schema_changes"] as? [[String: Any]])?.count == 3)
        #expect((try desk.json("schema", "list")["schemas"] as? [Any])?.isEmpty == true)

        let set = try desk.run("schema", "set", "--from", "definitions.json", "-m", "first", "--plain")
        let lines = set.standardOutput.split(separator: "\n").map { $0.prefix { $0 != "{" } }
        #expect(lines == ["+ schema app.color  ", "+ schema app.sizes.*  ", "+ schema menu  ", "Revision 1."])
        let again = try desk.run("schema", "set", "--from", "definitions.json", "--plain")
        #expect(again.standardOutput == "Up to date at revision 1.\n")

        let list = try desk.run("schema", "list", "--plain").standardOutput
        #expect(list.contains("app.color    string (color)  1 "))
        #expect(list.contains("menu         array: Menu     1 "))
        let show = try desk.run("schema", "show", "app.sizes.*")
        #expect(show.standardOutput == "{\n  \"maximum\": 9,\n  \"type\": \"integer\"\n}\n")
        #expect(try desk.json("schema", "show", "menu", "--details")["revision"] as? Int == 1)
        #expect(try desk.run("schema", "show", "app").status == .exited(1))

        let one = try desk.run("schema", "set", "app.sizes.*", "-", "--plain", input: #"{"type":"integer"}"#)
        #expect(
            one.standardOutput.hasPrefix(#"~ schema app.sizes.*  {"maximum":9,"type":"integer"} → {"type":"integer"}"#)
        )
        #expect(try desk.run("schema", "unset", "menu", "nothing").status == .exited(1))
        let unset = try desk.run("schema", "unset", "menu", "nothing", "app.color", "--ignore-missing", "--plain")
        #expect(unset.standardOutput.hasSuffix("Revision 3.\n"), "\(unset)")
        let left = try #require(try desk.json("schema", "list")["schemas"] as? [[String: Any]])
        #expect(left.map { $0["key"] as? String } == ["app.sizes.*"])
        #expect(try desk.run("schema", "set", "bad name", "-", input: "{}").status == .exited(65))
    }

    @Test func aSchemaThatValuesBreakIsRefusedWithEach() throws {
        _ = try desk.json("set", "app.color=pink", "app.sizes.a=12", #"menu=[{"title":"a"},{}]"#, "app.sizes.b=3")
        for option in ["--dry-run", "--json"] {
            let refused = try desk.run("schema", "set", "--from", "definitions.json", option)
            #expect(refused.status == .exited(65))
            #expect(refused.standardOutput.isEmpty)
            #expect(
                refused.standardError == """
                    Error: nothing was written: schema violations
                    app.color: "pink" is not a colour such as #FFB6C1
                    app.sizes.a: 12 is more than 9
                    menu: /1: the member "title" is missing

                    """
            )
        }
        #expect((try desk.json("schema", "list")["schemas"] as? [Any])?.isEmpty == true)
        // The same document corrects the values.
        let values = ##"{"app.color":"#FFB6C1","app.sizes.a":1,"menu":[]}"##
        let whole = Self.definitions.replacing(#""schemas":"#, with: #""entries": \#(values), "schemas":"#)
        #expect(try desk.run("import", "-", input: whole).status.isSuccess)
        #expect(try desk.run("schema", "check").status.isSuccess)
    }

    @Test func invalidFileSendsNoRequest() throws {
        try desk.folder.write(#"{"livery":1,"schemas":{"a":{"typ":1},"b":{"format":"colour"}}}"#, to: "wrong.json")
        try desk.server.stop()
        for command in [["schema", "set", "--from"], ["schema", "check"], ["import"]] {
            let output = try desk.run(command + ["wrong.json"])
            #expect(output.status == .exited(65), "\(output)")
            for place in ["wrong.json: /schemas/a/typ: ", "wrong.json: /schemas/b/format: "] {
                #expect(output.standardError.contains(place), "\(output)")
            }
        }
        #expect(try desk.run("schema", "check", "nowhere.json").status == .exited(66))
        let one = try desk.run("schema", "set", "a", "-", input: #"{"typ":1,"maximum":"x"}"#)
        #expect(one.status == .exited(65))
        #expect(one.standardError.contains("standard input: /typ: ") && one.standardError.contains(": /maximum: "))
    }

    @Test func aValueThatBreaksItsSchemaIsNotSent() throws {
        _ = try desk.json("schema", "set", "--from", "definitions.json")
        let color = "app.color: \"pink\" is not a colour such as #FFB6C1\n"
        let assignments = [["app.color", "pink"], ["app.color=pink", "new=1"], ["app.color", "pink", "--create"]]
        for arguments in assignments + [["app.color", "pink", "--dry-run"]] {
            let refused = try desk.run(["set"] + arguments)
            #expect(refused.status == .exited(65))
            #expect(refused.standardError.hasSuffix("schema violations\n" + color), "\(refused)")
        }
        try desk.folder.write(#"{"app":{"color":"pink","sizes":{"a":12}},"fine":1}"#, to: "config.json")
        for option in [["--dry-run"], [], ["--replace"], ["--batches"]] {
            let refused = try desk.run(["import", "config.json"] + option)
            #expect(refused.status == .exited(65), "\(option): \(refused)")
            #expect(refused.standardError.hasSuffix(color + "app.sizes.a: 12 is more than 9\n"), "\(refused)")
        }
        #expect((try desk.json("list")["entries"] as? [Any])?.isEmpty == true)
        _ = try desk.json("set", "app.color=#FFB6C1", "app.sizes.a=9")
    }

    /// Another writer may set a schema between the check and the write.
    @Test func serverErrorsAreSanitized() throws {
        let violations = [
            ViolationMessage(key: "a", schema: "*", pointer: "/\u{1B}[2J", message: "one\nline\u{9B}31m"),
            ViolationMessage(key: "b", schema: "b", pointer: "", limit: 1, found: 2, message: "2 is more than 1"),
        ]
        let details = ProblemDetails(type: "x", title: "t", status: 422, detail: "no", violations: violations)
        let cursor = RevisionCursor(epoch: Epoch(rawValue: 7), revision: 7)
        let snapshot = ServerSnapshot(cursor: cursor, digest: ConfigDigest(), entries: [:])
        let strict = try ScriptedServer { connection, request in
            if request.method == "PATCH" {
                let problem = ["Content-Type": "application/problem+json"]
                return try connection.respond("422 Unprocessable Content", problem, body: details.json)
            }
            let json = ["Content-Type": "application/json"]
            try connection.respond("200 OK", json, body: ConfigAnswer.snapshot(snapshot, isReset: false).json)
        }
        let desk = try OperatorDesk(address: "http://127.0.0.1:\(strict.port)")
        try desk.folder.write(#"{"a": 1, "b": 2}"#, to: "f.json")
        for command in [
            ["set", "a=1", "b=2"], ["import", "f.json"], ["schema", "set", "--from", "definitions.json"],
        ] {
            try desk.folder.write(Self.definitions, to: "definitions.json")
            let output = try desk.run(command)
            #expect(output.status == .exited(65), "\(output)")
            let lines = output.standardError.split(separator: "\n")
            #expect(lines.count == 3, "\(output)")
            #expect(lines.last == "b: 2 is more than 1")
            #expect(
                output.standardError.unicodeScalars.allSatisfy {
                    $0 == "\n" || $0.properties.generalCategory != .control
                }
            )
        }
    }
}
