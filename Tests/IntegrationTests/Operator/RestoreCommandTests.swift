// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigWire
import Foundation
import TestSupport
import Testing

/// `livery rollback KEY --to`, `livery restore`, and `livery get --json | livery set -`.
@Suite(.timeLimit(.minutes(5)))
struct RestoreCommandTests {
    private let desk: OperatorDesk

    /// Revision 4 has a value, a rule and a schema of `a`, and later ones change them.
    init() throws {
        desk = try OperatorDesk()
        let files = [
            "integer.json": #"{"type": "integer"}"#, "any.json": "true",
            "rule.json": #"{"variants": {"x": 1, "y": 2}, "defaultVariant": "x"}"#,
        ]
        for (name, text) in files { try desk.folder.write(text, to: name) }
        let rule: EntryValue = ["variants": ["x": 1, "y": 2], "defaultVariant": "x"]
        for request in [
            PublishRequest(set: ["a": 1, "b": 1]), PublishRequest(schemas: ["a": ["type": "integer"]]),
            PublishRequest(rules: ["a": rule]), PublishRequest(set: ["b": 2]), PublishRequest(schemas: ["a": true]),
            PublishRequest(set: ["a": "x"]), PublishRequest(rules: ["a": nil]), PublishRequest(schemas: ["*": true]),
        ] { try desk.server.publish(request) }
    }

    private var export: String {
        get throws { try desk.run("export", "--exact").standardOutput }
    }

    @Test func rollbackOfAKeyBringsItsRuleAndSchemaBack() throws {
        let before = try export
        let plan = try desk.run("rollback", "a", "--to", "4", "--dry-run", "--plain").standardOutput
        #expect(
            plan.hasPrefix(#"~ a  "x" → 1"#) && plan.contains("\n~ schema a") && plan.contains("\n+ rule a"),
            "\(plan)"
        )
        #expect(
            !plan.contains("b  ") && !plan.contains("schema *") && plan.contains("Dry run at revision 8"),
            "\(plan)"
        )
        #expect(try export == before)
        let done = try desk.json("rollback", "a", "--to", "4", "--yes", "-m", "back")
        #expect(done["revision"] as? Int == 9 && done["to"] as? Int == 4)
        #expect(done["changed"] as? [String] == ["a"] && done["changed_rules"] as? [String] == ["a"])
        #expect(try desk.run("get", "a").standardOutput + desk.run("get", "b").standardOutput == "1\n2\n")
        #expect(try desk.run("schema", "show", "a").standardOutput.contains("integer"))
        let again = try desk.run("rollback", "a", "--to", "4", "--yes", "--plain")
        #expect(again.standardOutput == "Already identical to revision 4.\n")
        let text = try desk.run("rollback", "a", "b", "--to", "8", "--yes", "--plain").standardOutput
        #expect(text == "Revision 10 restores a, b to revision 8: 1 key, 1 schema, 1 rule changed.\n")
        #expect(try export == before)
    }

    @Test func rollbackOfAKeyThatWasNotThereRemovesIt() throws {
        _ = try desk.json("set", "new=1")
        #expect(try desk.run("rule", "set", "new", "rule.json").status.isSuccess)
        let done = try desk.json("rollback", "new", "*", "--to", "7", "--yes")
        #expect(done["changed"] as? [String] == ["new"] && done["changed_schemas"] as? [String] == ["*"])
        #expect(done["changed_rules"] as? [String] == ["new"])
        for (words, code) in [(["none", "--to", "7"], 1), (["a..b", "--to", "7"], 65), (["a", "--to", "70"], 1)] {
            let refused = try desk.run(["rollback"] + words + ["--yes"])
            #expect(refused.status == .exited(Int32(code)) && refused.standardError.hasPrefix("Error: "), "\(refused)")
        }
        #expect(
            try desk.run("rollback", "none", "--to", "7", "--yes").standardError.contains("none: key not found, now or")
        )
        #expect(try desk.run("rollback", "a", "--to", "1").status == .exited(64), "no terminal to confirm on")
    }

    @Test func rollbackThatViolatesASchemaWritesNothing() throws {
        try desk.folder.write(#"{"type": "string"}"#, to: "string.json")
        _ = try desk.json("unset", "b")
        #expect(try desk.run("schema", "set", "*", "string.json").status.isSuccess)
        for option in ["--yes", "--dry-run"] {
            let refused = try desk.run("rollback", "b", "--to", "4", option)
            #expect(refused.status == .exited(65) && refused.standardError.contains("b: "), "\(refused)")
        }
    }

    @Test func deletedKeysAreRestored() throws {
        let before = try export
        _ = try desk.json("rollback", "a", "--to", "4", "--yes")
        _ = try desk.json("unset", "a")
        _ = try desk.json("unset", "b")
        #expect(try desk.json("restore", "a", "b", "--dry-run")["dry_run"] as? Bool == true)
        let done = try desk.json("restore", "a", "b", "-m", "back")
        #expect(done["revision"] as? Int == 12)
        #expect((done["changes"] as? [[String: Any]])?.compactMap { $0["key"] as? String } == ["a", "b"])
        #expect((done["rule_changes"] as? [[String: Any]])?.compactMap { $0["key"] as? String } == ["a"])
        let there = try desk.run("restore", "a")
        #expect(
            there.status == .exited(65) && there.standardError.contains("livery rollback a --to REVISION"),
            "\(there)"
        )
        let never = try desk.run("restore", "none")
        #expect(never.status == .exited(1) && never.standardError.contains("not found in the history"), "\(never)")
        _ = try desk.json("rollback", "a", "--to", "8", "--yes")
        #expect(try export == before)
    }

    @Test func jsonFromGetIsSetBackWithItsType() throws {
        let values = [#""1.10""#, #""a\nb\"c""#, "true", #"[1,"a",null]"#, #"{"key":"v","value":[1]}"#]
        for value in values {
            #expect(try desk.run("set", "k:=\(value)").status.isSuccess)
            let at = try #require(try desk.json("list", "k")["revision"] as? Int)
            let pipe = #""$0" get k --at \#(at) --json | "$0" set k -"#
            _ = try desk.json("unset", "k")
            let restored = try desk.run([], script: pipe)
            #expect(restored.status.isSuccess, "\(restored)")
            #expect(try desk.run("get", "k", "--json").standardOutput == value + "\n")
            #expect(try desk.run("set", "k", value.hasPrefix("[") ? "{}" : "[]", "--type", "json").status.isSuccess)
            let refused = try desk.run([], script: pipe)
            #expect(refused.status == .exited(65), "\(refused)")
            #expect(
                refused.standardError.contains("k: the input is a") && refused.standardError.contains("--type json")
            )
            #expect(try desk.run([], script: pipe + " --type json").status.isSuccess)
            #expect(try desk.run("get", "k", "--json").standardOutput == value + "\n")
        }
    }
}
