// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Writes that are only shown, and writes that count on a revision.
@Suite(.timeLimit(.minutes(5)))
struct DryRunTests {
    private let desk: OperatorDesk

    init() throws { desk = try OperatorDesk() }

    @Test(arguments: [
        ["set", "app.new=1", "app.a=3"], ["unset", "--prefix", "app."], ["rollback", "1"],
        ["schema", "set", "app.a", "schema.json"], ["rule", "unset", "app.b"], ["rollout", "app.a", "big=9", "5%"],
        ["import", "values.json", "--replace"],
    ])
    func nothingIsWrittenAndTheChangeIsShown(arguments: [String]) throws {
        try desk.folder.write(#"{"type": "integer"}"#, to: "schema.json")
        try desk.folder.write(#"{"variants": {"x": 1}, "defaultVariant": "x"}"#, to: "rule.json")
        let document = #"{"livery": 1, "entries": {"app.c": 1, "other": 1}, "rules": {}}"#
        try desk.folder.write(document, to: "values.json")
        _ = try desk.json("set", "app.a=0", "other=1")
        _ = try desk.json("set", "app.a=1", "app.b=1")
        _ = try desk.json("schema", "set", "app.b", "schema.json")
        _ = try desk.json("rule", "set", "app.b", "rule.json")
        let before = try desk.server.ask("GET", "/v1/default/config").body
        for form in ["--json", "--plain"] {
            let output = try desk.run(arguments + ["--dry-run", "--message", "why", form])
            #expect(output.status == .exited(0), "\(output)")
            #expect(output.standardOutput.contains("app."))
            if form == "--plain" { #expect(output.standardOutput.lowercased().contains("nothing written")) }
        }
        #expect(try desk.server.ask("GET", "/v1/default/config").body == before)
        let rehearsed = try desk.run(arguments + ["--dry-run"])
        let written = try desk.run(arguments[0] == "rollback" ? arguments + ["--yes"] : arguments)
        let members = try [rehearsed, written].map { try jsonMembers($0.standardOutput) }
        #expect(members.map { $0["dry_run"] as? Bool } == [true, false])
        // The output of the write, and of a rollback also the values.
        #expect(Set(members[0].keys).isSuperset(of: members[1].keys), "\(rehearsed) \(written)")
        for name in members[1].keys where name.hasSuffix("changes") || name.hasPrefix("changed") {
            #expect(members[0][name] as? NSObject == members[1][name] as? NSObject, "\(name)")
        }
        #expect(members[0]["revision"] as? Int == 4 && members[1]["revision"] as? Int == 5)
    }

    @Test func dryRunRejectsWhatTheWriteRejects() throws {
        try desk.folder.write(#"{"app": {"c": 1}}"#, to: "values.json")
        let revision = try #require(try desk.json("set", "app.a=1")["revision"] as? Int)
        for arguments in [
            ["set", "app.a", "2", "--expect", "\(revision + 7)"], ["set", "app.a", "2", "--create"],
            ["set", "app.a", "2", "--if-match", "\(revision + 7)"], ["unset", "app.a", "--expect", "\(revision + 7)"],
            ["import", "values.json", "--expect", "\(revision + 7)"],
            ["rollback", "\(revision)", "--expect", "\(revision + 7)"],
            ["rollout", "app.a", "big=9", "5%", "--expect", "\(revision + 7)"],
        ] {
            let output = try desk.run(arguments + ["--dry-run"])
            #expect(output.status == .exited(75), "\(output)")
        }
        let message = String(repeating: "x", count: 1025)
        for arguments in [["set", "app.a", "2"], ["import", "values.json"], ["rollback", "1"]] {
            let output = try desk.run(arguments + ["--dry-run", "--message", message])
            #expect(output.status == .exited(65) && output.standardError.contains("1024"), "\(output)")
        }
    }

    @Test func aTokenThatMayOnlyReadIsRefused() throws {
        let folder = try TemporaryDirectory(prefix: "server")
        let reader = try makeToken("reader", role: "read", in: folder)
        let server = try RunningServer(arguments: ["--token-file", "tokens"], folder: folder)
        let desk = try OperatorDesk(address: server.address)
        let refused = try desk.run("set", "app.a", "1", environment: ["LIVERY_TOKEN": reader])
        let rehearsed = try desk.run("set", "app.a", "1", "--dry-run", environment: ["LIVERY_TOKEN": reader])
        #expect(rehearsed.status == refused.status && rehearsed.status == .exited(77))
    }

    @Test func anImportCountsOnARevision() throws {
        let text = String(repeating: "x", count: 60_000)
        let members = (0..<40).map { #""k\#($0)": "\#(text)""# }.joined(separator: ",")
        try desk.folder.write("{\(members)}", to: "values.json")
        let revision = try #require(try desk.json("set", "a=1")["revision"] as? Int)
        let refused = try desk.run("import", "values.json", "--batches", "--expect", "\(revision + 1)")
        #expect(refused.status == .exited(75))
        #expect(try desk.run("get", "k0").status == .exited(1))
        let result = try desk.json("import", "values.json", "--batches", "--expect", "\(revision)")
        #expect(try #require(result["revisions"] as? Int) > 1)
        #expect(try desk.run("import", "values.json", "--expect", "\(revision)").status == .exited(75))
    }

    @Test func aPrefixIsRemovedAsOneRevision() throws {
        let revision = try #require(try desk.json("set", "app.b.x=1", "app.b.y=2", "app.c=3")["revision"] as? Int)
        let stale = try desk.run("unset", "--prefix", "app.b.", "--expect", "\(revision + 1)")
        #expect(stale.status == .exited(75))
        let result = try desk.json("unset", "--prefix", "app.b.", "--expect", "\(revision)")
        #expect((result["changes"] as? [[String: Any]])?.compactMap { $0["key"] as? String } == ["app.b.x", "app.b.y"])
        #expect(result["revision"] as? Int == revision + 1)
        #expect(try desk.run("get", "app.c").standardOutput == "3\n")
        #expect(try desk.run("unset", "--prefix", "app.b.").status == .exited(1))
        for arguments in [["--prefix", ""], ["--prefix", "app.", "app.c"], []] {
            #expect(try desk.run(["unset"] + arguments).status == .exited(64))
        }
    }
}
