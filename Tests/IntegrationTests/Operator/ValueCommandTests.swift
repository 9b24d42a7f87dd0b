// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigWire
import Foundation
import TestSupport
import Testing

/// Any value of JSON, from the command line to the server and back.
@Suite(.timeLimit(.minutes(5)))
struct ValueCommandTests {
    private let desk: OperatorDesk

    private static let menu = #"{"menu":[{"title":"Home","url":"https://a.example/"}],"note":null}"#

    init() throws { desk = try OperatorDesk() }

    private func digest(of namespace: String) throws -> ConfigDigest {
        let body = try desk.server.ask("GET", "/v1/\(namespace)/config").body
        guard case .snapshot(let snapshot, _) = try ConfigAnswer(json: body) else {
            throw ConfigError(.badResponse, "no snapshot")
        }
        return snapshot.digest
    }

    @Test(arguments: ["--nested", "--flat", "--exact"])
    func anObjectIsOneValueOnItsWholeWay(form: String) throws {
        let first = try #require(try desk.json("set", #"theme={"a":{"b":1}}"#, "title=Hi")["revision"] as? Int)
        #expect(try desk.run("get", "theme").standardOutput == #"{"a":{"b":1}}"# + "\n")
        #expect(try desk.run("get", "theme.a").status == .exited(1))
        let digestBefore = try digest(of: "default")
        let second = try desk.run("set", "theme", #"{"a":{"b":[1.50]}}"#)
        #expect(second.standardError == #"theme = {"a":{"b":[1.5]}} (object; for a string, use --type string)"# + "\n")
        _ = try desk.json("unset", "title")

        let records = try #require(try desk.json("history", "theme")["history"] as? [[String: Any]])
        let values = records.map { $0["value"] as? NSDictionary }
        #expect(values == [["a": ["b": [1.5]]], ["a": ["b": 1]]])
        let rollback = try desk.json("rollback", "\(first)", "--yes")
        #expect(rollback["changed"] as? [String] == ["theme", "title"])
        #expect(try digest(of: "default") == digestBefore)

        let export = try desk.run("export", form)
        #expect(export.standardOutput.hasPrefix("{\n  \"livery\": 1,\n  \"entries\": {\n    \"theme\": {"))
        #expect(export.standardError.isEmpty == (form == "--exact"))
        try desk.folder.write(export.standardOutput, to: "export.json")
        #expect(try desk.run("import", "export.json", "-n", "copy").status.isSuccess)
        #expect(try digest(of: "copy") == digestBefore)
        #expect(try desk.run("diff", "export.json").status == .exited(0))
        let diff = try desk.run("diff", "export.json", "-n", "other", "--plain")
        #expect(diff.standardOutput == "+ theme  {\"a\":{\"b\":1}}\n+ title  \"Hi\"\n")
    }

    @Test func listOfObjectsIsImportedAndSkipsAreReported() throws {
        try desk.folder.write(Self.menu, to: "menu.json")
        let left = "Skipped: menu.json:1:62: note: null is not a value; remove the key instead\n"
        let result = try desk.run("import", "menu.json")
        #expect(result.status.isSuccess, "\(result)")
        #expect(result.standardError == left)
        #expect(result.standardOutput.contains("\"left_out\": [\n    {\n      \"key\": \"note\","))
        let menu = try desk.run("get", "menu").standardOutput
        #expect(menu == #"[{"title":"Home","url":"https://a.example/"}]"# + "\n")

        let export = try desk.run("export").standardOutput
        #expect(!export.contains("livery"))
        let copy = try desk.run("import", "-", "-n", "copy", input: export)
        #expect(copy.standardError == "Created the namespace 'copy'.\n")
        #expect(try digest(of: "copy") == digest(of: "default"))

        let diff = try desk.run("diff", "menu.json")
        #expect(diff.status == .exited(1))
        #expect(diff.standardError == left)
        let members =
            "\"same\": false,\n  \"changes\": [],\n  \"schema_changes\": [],\n  \"rule_changes\": [],\n  \"left_out\": ["
        #expect(diff.standardOutput.contains(members))
    }

    @Test func aKeyThatIsLeftOutIsNeverRemoved() throws {
        _ = try desk.json("set", "n=5", "old=1")
        try desk.folder.write(#"{"n": 12345678901234567890, "new": 1}"#, to: "n.json")
        for dryRun in [[], ["--dry-run"]] {
            let refused = try desk.run(["import", "n.json", "--replace"] + dryRun)
            #expect(refused.status == .exited(65))
            #expect(refused.standardError.contains("Skipped: n.json:1:7: n: the integer exceeds"))
            #expect(refused.standardError.contains("Error: n.json: --replace would remove 1 key"))
        }
        let diff = try desk.run("diff", "n.json", "--plain")
        #expect(diff.standardOutput == "+ new  1\n- old  1\n")
        #expect(try desk.run("import", "n.json", "--plain").standardOutput.contains("1 new: revision"))
        #expect(try desk.run("get", "n").standardOutput == "5\n")
    }

    @Test("Writers that start together all succeed, since conflicts are retried", .timeLimit(.minutes(5)))
    func concurrentWritersAllSucceed() throws {
        #expect(try desk.run("set", "color", "pink").status.isSuccess)
        let start = #"""
            seq 16 | xargs -I{} sh -c 'echo "{\"k{}\": {}}" > {}.json'
            seq 28 | xargs -P 28 -I{} sh -c '
                if [ {} -le 16 ]; then exec "$0" import {}.json; else exec "$0" rollout color blue=b $(({} - 16))%; fi
            ' "$0"
            """#
        let output = try desk.run([], script: start)
        #expect(output.status.isSuccess, "\(output)")
        #expect(!output.standardError.contains("again"), "\(output)")
        let keys = try desk.json("list", "k", "--json")["entries"] as? [[String: Any]]
        #expect(keys?.count == 16)
    }
}
