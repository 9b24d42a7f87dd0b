// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Rules at the command line, and the values that users of a real server get by them.
@Suite(.timeLimit(.minutes(5)))
struct RuleCommandTests {
    private let desk: OperatorDesk

    init() throws { desk = try OperatorDesk() }

    private static let rule = #"""
        {"variants":{"pink":"#FFB6C1","blue":"#0000FF"},"defaultVariant":"pink",
        "targeting":{"if":[{"==":[{"var":"language"},"es"]},"blue"]}}
        """#

    @Test("Setting a key with a rule warns, and succeeds")
    func settingARuledKeyWarns() throws {
        #expect(try desk.run("set", "k=1", "other=1").status.isSuccess)
        let rollout = try desk.run("rollout", "k", "v=2.0", "10%", input: "")
        #expect(rollout.status.isSuccess && rollout.standardError.hasPrefix("v = 2 (number; "), "\(rollout)")
        for arguments in [["k", "3"], ["k=4", "other=2"]] {
            let output = try desk.run(["set"] + arguments, input: "")
            #expect(output.status.isSuccess && output.standardError.hasPrefix("Warning: "), "\(output)")
        }
        #expect(try desk.run("set", "other", "3").standardError.isEmpty)
    }

    @Test func aRuleIsPreviewedSetExplainedAndRemoved() throws {
        _ = try desk.json("set", "app.color", "#FFB6C1")
        try desk.folder.write(Self.rule, to: "rule.json")
        let people = "{\"targetingKey\":\"ana\",\"language\":\"es\"}\n\n{\"targetingKey\":\"bob\"}\n"
        try desk.folder.write(people, to: "people.jsonl")
        let preview = try desk.run("rule", "preview", "app.color", "rule.json", "--contexts", "people.jsonl", "--plain")
        #expect(preview.status == .exited(0))
        #expect(preview.standardOutput.contains("1 of 2 users change:"), "\(preview.standardOutput)")
        #expect(preview.standardOutput.contains("(default value) → blue  1: ana"))
        #expect(try desk.json("rule", "list")["rules"] as? [String] == [])

        let receipt = try desk.json("rule", "set", "app.color", "rule.json", "-m", "Spain")
        #expect(receipt["revision"] as? Int == 2)
        #expect(try desk.run("get", "app.color").standardOutput == "#FFB6C1\n")
        #expect(try desk.run("get", "app.color", "--context", "language=es").standardOutput == "#0000FF\n")
        let reason = try desk.json("explain", "app.color", "--context", "user=42", "--context", "language=es")
        #expect(reason["variant"] as? String == "blue" && reason["reason"] as? String == "TARGETING_MATCH")
        let steps = try #require(reason["steps"] as? [[String: Any]])
        #expect(steps.map { $0["pointer"] as? String } == ["/targeting/if/0/=="])
        #expect(try desk.run("history", "--rule", "app.color", "--plain").standardOutput.contains("Spain"))

        // The output is read back unchanged.
        let shown = try desk.run("rule", "show", "app.color").standardOutput
        try desk.folder.write(shown, to: "shown.json")
        let changes = try #require(try desk.json("rule", "set", "app.color", "shown.json")["rule_changes"] as? [Any])
        #expect(changes.isEmpty)
        _ = try desk.json("rule", "unset", "app.color")
        #expect(try desk.run("get", "app.color", "--context", "language=es").standardOutput == "#FFB6C1\n")
        #expect(try desk.run("rule", "show", "app.color").status == .exited(1))
    }

    @Test func finishedRolloutIsOneRevision() throws {
        _ = try desk.json("set", "k=1")
        _ = try desk.json("rollout", "k", "v=2", "50%")
        let early = try desk.run("rollout", "finish", "k")
        #expect(!early.status.isSuccess && early.standardError.contains("v 50 %, default 50 %"), "\(early)")
        _ = try desk.json("rollout", "k", "v", "100%")
        let receipt = try desk.json("rollout", "finish", "k")
        #expect(receipt["revision"] as? Int == 4)
        #expect((receipt["changes"] as? [Any])?.count == 1 && (receipt["rule_changes"] as? [Any])?.count == 1)
        #expect(try desk.run("get", "k").standardOutput == "2\n")
    }

    @Test func invalidRuleIsRejectedWithPointers() throws {
        try desk.folder.write(
            ##"{"variants":{"a":1,"b":"x"},"defaultVariant":"z","targeting":{"if":[{"fnord":[]},"\u001b[2J"]}}"##,
            to: "bad.json"
        )
        for command in ["set", "preview"] {
            let output = try desk.run("rule", command, "k", "bad.json")
            #expect(output.status == .exited(65))
            for place in ["/variants/b: ", "/defaultVariant: ", "/targeting/if/0/fnord: ", "/targeting/if/1: "] {
                #expect(output.standardError.contains("rule k: \(place)"), "\(output.standardError)")
            }
            #expect(!output.standardError.contains("\u{1B}"))
        }
        #expect(try desk.run("rule", "set", "k", "nowhere.json").status == .exited(66))
        try desk.folder.write("{\"targetingKey\":1}", to: "people.jsonl")
        let people = try desk.run("rule", "preview", "k", "--contexts", "people.jsonl")
        #expect(people.status == .exited(65))
        #expect(people.standardError.contains("people.jsonl:1:1: "), "\(people.standardError)")
    }

    @Test func flagsOfFlagdComeAndGo() throws {
        let flags = #"""
            {"$schema":"https://flagd.dev/schema/v0/flags.json","flags":{
            "page":{"state":"ENABLED","variants":{"on":true,"off":false},"defaultVariant":"off",
            "targeting":{"if":[{"$ref":"adult"},"on"]}},
            "plain":{"state":"ENABLED","variants":{"default":"x"},"defaultVariant":"default"}},
            "$evaluators":{"adult":{">=":[{"var":"age"},18]}}}
            """#
        try desk.folder.write(flags, to: "flags.json")
        let receipt = try desk.json("import", "flags.json", "--format", "flagd")
        #expect(receipt["new"] as? Int == 2 && receipt["revision"] as? Int == 1)
        #expect(receipt["changed_rules"] as? [String] == ["$evaluators", "page"])
        #expect(try desk.run("get", "page").standardOutput == "false\n")
        #expect(try desk.run("get", "page", "--context", "age=20").standardOutput == "true\n")
        let exported = try desk.run("export", "--format", "flagd")
        #expect(exported.status == .exited(0) && exported.standardError.isEmpty)
        let objects = try [exported.standardOutput, flags].map {
            try JSONSerialization.jsonObject(with: Data($0.utf8)) as? NSDictionary
        }
        #expect(objects[0] == objects[1], "\(exported.standardOutput)")
        try desk.folder.write(exported.standardOutput, to: "again.json")
        #expect(try desk.json("import", "again.json", "--format", "flagd", "--replace")["revisions"] as? Int == 0)
        let plain = try desk.run("import", "flags.json", "--dry-run")
        #expect(
            plain.status == .exited(65) && plain.standardError.contains("flags.json: the file looks like"),
            "\(plain)"
        )
        let older = try desk.run("import", "flags.json", "--buckets", "flagd-2")
        #expect(older.status == .exited(64) && older.standardError.contains("--format flagd"), "\(older)")
        let names = #"{"flags": {"new ui": {"variants": {"on": true}}, "billing:v2": {"variants": {"on": true}}}}"#
        try desk.folder.write(names, to: "names.json")
        let none = try desk.run("import", "names.json", "--format", "flagd")
        #expect(none.status == .exited(65) && none.standardError.contains("no flag could be imported"), "\(none)")
        try desk.folder.write("flags: {}", to: "flags.yaml")
        let yaml = try desk.run("import", "flags.yaml", "--format", "flagd")
        #expect(yaml.status == .exited(66) && yaml.standardError.contains("convert it to JSON"), "\(yaml)")
    }

    @Test func templatesOfFirebaseAreImported() throws {
        let template = #"""
            {"conditions": [{"name": "iOS", "expression": "device.os == 'ios'"}, {"name": "half", "expression": "percent <= 50"},
            {"name": "vip", "expression": "app.audiences.inAtLeastOne(['vip'])"}], "parameters": {
            "limit": {"defaultValue": {"value": "3"}, "valueType": "NUMBER", "conditionalValues": {
            "half": {"value": "4"}, "iOS": {"value": "5"}, "vip": {"value": "6"}}}}}
            """#
        try desk.folder.write(template, to: "template.json")
        let refused = try desk.run("import", "template.json")
        #expect(refused.status == .exited(65) && refused.standardError.contains("--format firebase"), "\(refused)")
        #expect(try desk.run("get", "limit").status == .exited(1))
        let imported = try desk.run("import", "template.json", "--format", "firebase")
        #expect(imported.status == .exited(0), "\(imported)")
        #expect(imported.standardError.contains("Skipped: template.json: the values of the condition 'vip'"))
        #expect(imported.standardError.contains("Note: template.json: conditions with a percentage select other users"))
        #expect(try desk.run("get", "limit").standardOutput == "3\n")
        #expect(try desk.run("get", "limit", "--context", "platform=ios").standardOutput == "5\n")
        for parameter in [#"{"defaultValue": {"personalizationValue": {"personalizationId": "p"}}}"#, "{}"] {
            try desk.folder.write(#"{"parameters": {"p": \#(parameter)}}"#, to: "none.json")
            let none = try desk.run("import", "none.json", "--format", "firebase")
            #expect(none.status == .exited(65), "\(none)")
            #expect(none.standardError.contains("Skipped: none.json"), "\(none)")
            #expect(none.standardError.contains("no parameter could be imported"), "\(none)")
        }
    }

    /// Two flag files have an evaluator of one name. No flag of the first gets other users by the second.
    @Test func anImportKeepsTheEvaluatorsOfOtherRules() throws {
        func file(_ flags: String, _ evaluator: String, _ ending: String) -> String {
            #"{"flags":{\#(flags)},"$evaluators":{"\#(evaluator)":{"ends_with":[{"var":"email"},"\#(ending)"]}}}"#
        }
        func flag(_ key: String, _ evaluator: String) -> String {
            let targeting = #"{"if":[{"$ref":"\#(evaluator)"},"on"]}"#
            return #""\#(key)":{"variants":{"on":1,"off":0},"defaultVariant":"off","targeting":\#(targeting)}"#
        }
        func importing(_ words: String...) throws -> Command.Output {
            try desk.run(["import", "flags.json", "--format", "flagd"] + words)
        }
        let beta = ["get", "beta", "--context", "email=me@a"]
        try desk.folder.write(file(flag("beta", "isStaff"), "isStaff", "@a"), to: "flags.json")
        #expect(try importing().status == .exited(0))
        try desk.folder.write(file(flag("guests", "isGuest"), "isGuest", "@b"), to: "flags.json")
        #expect(try importing().status == .exited(0))
        #expect(try desk.run(beta).standardOutput == "1\n")

        let plain = (0..<60).map { #""k\#($0)":{"variants":{"default":\#($0)},"defaultVariant":"default"}"# }
        let flags = (plain + [flag("staff", "isStaff")]).joined(separator: ",")
        try desk.folder.write(file(flags, "isStaff", "@b"), to: "flags.json")
        let refused = try importing()
        #expect(refused.status == .exited(65), "\(refused)")
        #expect(refused.standardError.contains("isStaff (rule beta)"), "\(refused)")
        #expect(try desk.run(beta).standardOutput == "1\n")
        let report = try importing("--overwrite-evaluators", "--plain")
        #expect(report.status == .exited(0) && report.standardError.contains("isStaff (rule beta)"), "\(report)")
        for line in ["~ rule $evaluators", "+ rule staff"] {
            #expect(report.standardOutput.contains(line), "\(report)")
        }
        #expect(try desk.run(beta).standardOutput == "0\n")
        #expect(try desk.run("get", "guests", "--context", "email=me@b").standardOutput == "1\n")
    }

    @Test func watchReportsRuleChanges() throws {
        let terminal = try desk.onTerminal("watch", "--plain")
        try terminal.readUntil("the start") { $0.contains("Watching default") }
        try desk.folder.write(Self.rule, to: "rule.json")
        _ = try desk.json("rule", "set", "app.color", "rule.json")
        try terminal.readUntil("the rule") { $0.contains("+ rule app.color") }
    }
}
