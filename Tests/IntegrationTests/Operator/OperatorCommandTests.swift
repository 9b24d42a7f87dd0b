// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigWire
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct OperatorCommandTests {
    private let desk: OperatorDesk

    init() throws { desk = try OperatorDesk() }

    @Test func setValuesStayUntilUnset() throws {
        let set = try desk.json("set", "app.color=#87CEFA", "app.count=3", "app.on=true", "--message", "Monday")
        #expect(set["namespace"] as? String == "default")
        #expect(
            (set["changes"] as? [[String: Any]])?.compactMap { $0["key"] as? String } == [
                "app.color", "app.count", "app.on",
            ]
        )
        #expect(try desk.run("get", "app.color").standardOutput == "#87CEFA\n")
        #expect(try desk.run("get", "app.count").standardOutput == "3\n")
        let entry = try desk.json("get", "app.on", "--details")
        #expect(entry["value"] as? Bool == true)
        #expect(Set(entry.keys) == ["namespace", "key", "value", "revision", "created_at", "updated_at", "etag"])

        let list = try desk.json("list", "app.co")
        #expect(
            (list["entries"] as? [[String: Any]])?.compactMap { $0["key"] as? String } == ["app.color", "app.count"]
        )

        let unset = try desk.json("unset", "app.color", "app.on")
        #expect((unset["changes"] as? [[String: Any]])?.allSatisfy { $0["new"] is NSNull } == true)
        #expect(try desk.run("get", "app.color").status == .exited(1))

        let history = try desk.json("history", "app.color")
        let records = try #require(history["history"] as? [[String: Any]])
        #expect(records.count == 2)
        #expect(records[0]["value"] is NSNull)
        #expect(records[1]["message"] as? String == "Monday")
        #expect(history["next"] is NSNull)
    }

    @Test func valuesComeFromFilesAndStandardInputExactly() throws {
        let hostile = "line\n\u{1B}[2J\u{9B}x\u{202E}😸"
        try desk.folder.write(hostile + "\n", to: "value.txt")
        #expect(try desk.run("set", "a", "@value.txt").status.isSuccess)
        #expect(try desk.run("set", "b", "-", input: hostile).status.isSuccess)
        #expect(try desk.run("set", "c", "@value.txt", "--literal").status.isSuccess)
        #expect(try desk.run("get", "a").standardOutput == hostile + "\n")
        #expect(try desk.run("get", "b").standardOutput == hostile + "\n")
        #expect(try desk.run("get", "c").standardOutput == "@value.txt\n")
    }

    @Test func failedConditionsAreReportedAndChangeNothing() throws {
        let first = try #require(try desk.json("set", "a", "1", "--create")["revision"] as? Int)
        #expect(try desk.run("set", "a", "2", "--create").status == .exited(75))
        #expect(try desk.run("set", "a", "2", "--expect", "\(first + 5)").status == .exited(75))
        #expect(try desk.run("set", "a", "2", "--if-match", "\(first + 5)").status == .exited(75))
        #expect(try desk.run("unset", "a", "--if-match", "\(first + 5)").status == .exited(75))
        #expect(try desk.run("get", "a").standardOutput == "1\n")
        let second = try #require(try desk.json("set", "a", "2", "--if-match", "\(first)")["revision"] as? Int)
        let third = try #require(try desk.json("set", "a", "3", "--expect", "\(second)")["revision"] as? Int)
        #expect(try desk.json("unset", "a", "--if-match", "\(third)")["revision"] as? Int == third + 1)
    }

    /// A copied store may have another value at the same revision.
    @Test func aTagIsOfOneValue() throws {
        _ = try desk.json("set", "a", "1")
        let tag = try #require(try desk.json("get", "a", "--details")["etag"] as? String)
        let other = tag.dropLast() + (tag.hasSuffix("0") ? "1" : "0")
        for words in [["set", "a", "2"], ["unset", "a"], ["set", "a", "2", "--dry-run"]] {
            #expect(try desk.run(words + ["--if-match", String(other)]).status == .exited(75), "\(words)")
        }
        #expect(try desk.run("set", "a", "2", "--if-match", tag).status == .exited(0))
        #expect(try desk.run("unset", "a", "--if-match", tag).status == .exited(75))
        #expect(try desk.run("set", "a", "3", "--if-match", "1-2").status == .exited(64))
    }

    @Test func unsetOfARemovedKeyWritesNothing() throws {
        let cursor = RevisionCursor(epoch: Epoch(rawValue: 7), revision: 7)
        let digest = ConfigDigest([("a", .integer(1))])
        let snapshot = ServerSnapshot(cursor: cursor, digest: digest, entries: ["a": .integer(1)])
        let observed = try ScriptedServer { connection, _ in
            let body = ConfigAnswer.snapshot(snapshot, isReset: false).json
            try connection.respond("200 OK", ["Content-Type": "application/json"], body: body)
        }
        let desk = try OperatorDesk(address: "http://127.0.0.1:\(observed.port)")
        let output = try desk.run("unset", "gone", "--if-match", "5", "--ignore-missing", "--plain")
        #expect(output.status.isSuccess, "\(output)")
        #expect(output.standardOutput == "Up to date at revision 7.\n")
        #expect(observed.requests.allSatisfy { $0.method == "GET" })
    }

    @Test func unsetRemovesAllOrNothing() throws {
        _ = try desk.json("set", "a=1", "b=2")
        let refused = try desk.run("unset", "a", "nope")
        #expect(refused.status == .exited(1))
        #expect(refused.standardError == "Error: nope: key not found; nothing was removed\n")
        #expect(try desk.run("get", "a").status.isSuccess)
        #expect(try desk.run("unset", "a", "nope", "--ignore-missing").status.isSuccess)
        #expect(try desk.run("get", "a").status == .exited(1))
    }

    @Test func exportImportAndDiffAgree() throws {
        _ = try desk.json("set", "a=1", "a.b=x", "a.c.d=[1,2.5]", "e=\u{1B}\u{7}")
        for form in ["--nested", "--flat"] {
            let export = try desk.run("export", form)
            try desk.folder.write(export.standardOutput, to: "export.json")
            #expect(try desk.run("diff", "export.json").status == .exited(0))
            #expect(try desk.run("import", "export.json", "--replace", "-n", "copy").status.isSuccess)
            #expect(try desk.run("diff", "export.json", "-n", "copy").status == .exited(0))
        }
        _ = try desk.json("set", "a=2", "new=1")
        let diff = try desk.run("diff", "export.json", "--plain")
        #expect(diff.status == .exited(1))
        #expect(diff.standardOutput == "~ a  2 → 1\n- new  1\n")
        #expect(try desk.run("diff", "-", input: "{").status == .exited(65))
        let plan = try desk.json("import", "export.json", "--replace", "--dry-run")
        #expect(plan["removed"] as? Int == 1)
        #expect(try desk.run("get", "new").standardOutput == "1\n")
    }

    @Test func rollbackNeedsAYesAndIsANewRevision() throws {
        let first = try #require(try desk.json("set", "a=1")["revision"] as? Int)
        _ = try desk.json("set", "a=2", "b=1")
        #expect(try desk.run("rollback", "\(first)").status == .exited(64))

        let no = try desk.onTerminal("rollback", "\(first)")
        try no.readUntil("the question") { $0.contains("[y/N]") }
        #expect(no.plainText.contains("~ a  2 → 1\n- b  1\n"))
        try no.write("n\n")
        #expect(try no.waitForExit() == .exited(1))
        #expect(no.plainText.contains("Not confirmed; nothing was written."))
        #expect(try desk.run("get", "a").standardOutput == "2\n")

        let yes = try desk.onTerminal("rollback", "\(first)")
        try yes.readUntil("the question") { $0.contains("[y/N]") }
        try yes.write("y\n")
        #expect(try yes.waitForExit() == .exited(0))
        #expect(yes.plainText.contains("restores revision \(first): 2 keys changed."))
        #expect(try desk.run("get", "a").standardOutput == "1\n")
        #expect(try desk.run("get", "b").status == .exited(1))
        let again = try desk.json("rollback", "\(first + 1)", "--yes", "--message", "back")
        #expect(again["changed"] as? [String] == ["a", "b"])
        let unknown = try desk.run("rollback", "999", "--yes")
        #expect(unknown.status == .exited(1))
    }

    @Test func nothingIsRolledBackThatWasNotShown() throws {
        let first = try #require(try desk.json("set", "a=1")["revision"] as? Int)
        _ = try desk.json("set", "a=2")
        let terminal = try desk.onTerminal("rollback", "\(first)")
        try terminal.readUntil("the question") { $0.contains("[y/N]") }
        _ = try desk.json("set", "b=1")
        try terminal.write("y\n")
        #expect(try terminal.waitForExit() == .exited(75))
        #expect(try desk.json("list")["revision"] as? Int == first + 2)

        #expect(try desk.run("rollback", "\(first)", "--yes", "--expect", "\(first + 1)").status == .exited(75))
        #expect(try desk.run("get", "a").standardOutput == "2\n")
        let result = try desk.json("rollback", "\(first)", "--yes", "--expect", "\(first + 2)")
        #expect(result["changed"] as? [String] == ["a", "b"])
    }

    @Test func watchPrintsEachChangeAndSurvivesARestart() throws {
        _ = try desk.json("set", "app.color", "pink")
        let watch = try desk.onTerminal("watch", "app.")
        try watch.readUntil("the start") { $0.contains("Watching default") }
        _ = try desk.json("set", "app.color=sky", "other=1")
        try watch.readUntil("the change") { $0.contains("~ app.color  \"pink\" → \"sky\"  r") }
        #expect(!watch.screen.contains("other"))
        let port = try desk.server.port
        try desk.server.stop()
        try watch.readUntil("the loss") { $0.contains("Reconnecting") }
        let second = try RunningServer(port: port, folder: try desk.server.folder)
        _ = try desk.json("set", "app.color", "green")
        try watch.readUntil("the change", deadline: .seconds(90)) {
            $0.contains("→ \"green\"") || $0.contains("app.color  \"green\"")
        }
        try watch.write("\u{3}")
        #expect(try watch.waitForExit() == .signaled(SIGINT))
        withExtendedLifetime(second) {}
    }

    @Test func keysAreCompletedLive() throws {
        _ = try desk.json("set", "app.color=1", "app.count=2", "other=3")
        let completed = try desk.run("---complete", "get", "app.c")
        #expect(completed.standardOutput == "words\napp.color\t\napp.count\t\n")
        let quiet = try desk.run("---complete", "get", "--server", "http://127.0.0.1:9", "")
        #expect(quiet.standardOutput == "words\n")
        #expect(quiet.standardError.isEmpty)
    }
}
