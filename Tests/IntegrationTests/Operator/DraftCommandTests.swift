// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Drafts and policies by commands, on a server with a token for each role.
@Suite(.dedicatedThread, .timeLimit(.minutes(5)))
struct DraftCommandTests {
    private let desk: OperatorDesk
    private let server: RunningServer
    private let tokens: [String: String]

    /// `color`, `title` and `rest` have values since revision 2, and `gone` was removed.
    init() throws {
        let folder = try TemporaryDirectory(prefix: "server")
        var tokens: [String: String] = [:]
        for (name, role) in [("wendy", "write"), ("ann", "approve"), ("bob", "approve"), ("root", "admin")] {
            tokens[name] = try makeToken(name, role: role, in: folder)
        }
        self.tokens = tokens
        server = try RunningServer(arguments: ["--token-file", "tokens"], folder: folder)
        desk = try OperatorDesk(address: server.address)
        try desk.folder.write(#"{"type": "string"}"#, to: "schema.json")
        try desk.folder.write(##"{"variants": {"x": "#000000"}, "defaultVariant": "x"}"##, to: "rule.json")
        try desk.folder.write(#"{"imported": 1}"#, to: "values.json")
        for line in ["set gone=1 color=#FFB6C1 title=Home rest=1", "unset gone"] { _ = try json("wendy", line) }
    }

    private func run(_ who: String, _ line: String, _ more: String...) throws -> Command.Output {
        try desk.run(line.split(separator: " ").map(String.init) + more, ["LIVERY_TOKEN": tokens[who] ?? ""])
    }

    private func json(_ who: String, _ line: String, _ more: String...) throws -> [String: Any] {
        let words = line.split(separator: " ").map(String.init) + more
        let output = try desk.run(words, ["LIVERY_TOKEN": tokens[who] ?? ""])
        return try jsonMembers(output.ofSuccess().standardOutput)
    }

    /// Proposes a change as wendy.
    private func propose(_ line: String) throws -> String {
        try #require(try json("wendy", line + " --draft")["draft"] as? String)
    }

    private func digest(_ id: String) throws -> String {
        try #require(try json("wendy", "draft diff \(id)")["digest"] as? String)
    }

    private func approveAndApply(_ id: String) throws {
        let digest = try digest(id)
        _ = try json("ann", "draft approve \(id) --digest \(digest)")
        let applied = try json("ann", "draft apply \(id) --digest \(digest)")
        #expect(applied["state"] as? String == "applied", "\(applied)")
    }

    private func head() throws -> String { try run("ann", "export --exact").standardOutput }

    // MARK: Every command that writes

    /// A line for each command that has `--draft`.
    private static let writes = [
        "set": "set title=New", "unset": "unset rest", "rollback": "rollback 1", "restore": "restore gone",
        "import": "import values.json", "rule set": "rule set color rule.json", "rule unset": "rule unset title",
        "rollout set": "rollout set color big=#FFFFFF 10%", "rollout finish": "rollout finish title",
        "schema set": "schema set title schema.json", "schema unset": "schema unset other",
        "policy set": "policy set --approvals 0 --direct allow",
    ]

    private static func writing(in command: [String: Any], path: [String] = []) -> [String] {
        let names = (command["arguments"] as? [[String: Any]] ?? []).compactMap { $0["names"] as? [[String: String]] }
        let children = command["subcommands"] as? [[String: Any]] ?? []
        let isWriting = children.isEmpty && names.joined().contains { $0["name"] == "draft" && $0["kind"] == "long" }
        return children.reduce(into: isWriting && path != ["history"] ? [path.joined(separator: " ")] : []) {
            all,
            child in
            all += writing(in: child, path: path + [child["commandName"] as? String ?? ""])
        }
    }

    @Test func everyWriteIsRefusedByThePolicyAndCanBeProposed() throws {
        let dump = try desk.run("--experimental-dump-help").standardOutput
        let root = try #require(try jsonMembers(dump)["command"] as? [String: Any])
        #expect(Set(Self.writing(in: root)) == Set(Self.writes.keys))
        _ = try json("wendy", "rollout title other=Other 100%")
        _ = try json("wendy", "schema set other schema.json")
        _ = try json("root", "policy set --approvals 1")
        let before = try head()
        for line in Self.writes.values {
            let isConfirmed = line.hasPrefix("rollback")
            let refused = try run("root", line + (isConfirmed ? " --yes" : ""))
            #expect(refused.status == .exited(77), "\(line): \(refused)")
            let error = refused.standardError.replacing("'", with: "")
            let way = "To propose it: livery \(line)\(isConfirmed ? " --yes" : "") --draft\n"
            #expect(error.hasSuffix(way), "\(line): \(refused)")
            let draft = try json(line.hasPrefix("policy") ? "root" : "wendy", line + " --draft")
            #expect(draft["missing"] as? [String] == ["1 approval"], "\(line): \(draft)")
        }
        #expect(try head() == before)
        let list = try #require(try json("bob", "draft list")["drafts"] as? [[String: Any]])
        #expect(list.count == Self.writes.count)
    }

    @Test func emergencyIsInTheHistory() throws {
        _ = try json("root", "policy set --approvals 1 --direct emergency")
        let refused = try run("wendy", "set title=Down --emergency outage")
        #expect(refused.status == .exited(77) && refused.standardError.contains("role admin"), "\(refused)")
        _ = try json("root", "set title=Down --emergency", "the page is down")
        let history = try run("ann", "history title --plain -l 1").standardOutput
        #expect(history.contains("emergency: the page is down"), "\(history)")
    }

    // MARK: Drafts

    @Test func laterChangesGoOnFromTheDraft() throws {
        let id = try propose("rollout title big=Huge 10%")
        let text = try run("wendy", "rollout title big 25% --plain --draft \(id)").standardOutput
        #expect(text.contains("10 % → 25 %") && text.contains("Draft \(id), version 2: approved."), "\(text)")
        #expect(text.contains("livery draft apply \(id)"), "\(text)")
        _ = try json("wendy", "set more=1 --draft \(id)")
        _ = try json("wendy", "unset rest --draft \(id)")
        let edited = try json("wendy", "draft edit \(id) --discard more --title Big")
        #expect(edited["version"] as? Int == 5 && edited["title"] as? String == "Big")
        #expect(try run("wendy", "draft edit \(id) --discard more").status == .exited(1))
        let shown = try json("ann", "draft show \(id)")
        #expect(shown["keys"] as? [String] == ["rest", "rule:title"], "\(shown)")
        let preview = try run("ann", "draft preview \(id) --list")
        #expect(preview.standardOutput.contains("color") && !preview.standardOutput.contains("rest"), "\(preview)")
        #expect(preview.standardError.contains("livery '\(desk.address)/v1/default?draft=\(id)'"), "\(preview)")
        let nothing = try run("wendy", "set title=Home --draft")
        #expect(nothing.standardError.contains("no draft was created"), "\(nothing)")
    }

    @Test func approvalIsForTheContentThatWasShown() throws {
        _ = try json("root", "policy set --approvals 1")
        let id = try propose("set color=#87CEFA")
        let old = try digest(id)
        let noTerminal = try run("ann", "draft approve \(id)")
        #expect(noTerminal.status == .exited(64) && noTerminal.standardError.contains("use --digest"), "\(noTerminal)")

        let environment = ["LIVERY_TOKEN": try #require(tokens["ann"])]
        let terminal = try desk.onTerminal("draft", "approve", id, environment: environment)
        try terminal.readUntil("the question") { $0.contains("Approve draft \(id), version 1? [y/N]") }
        #expect(terminal.plainText.contains("\"#FFB6C1\"") && terminal.plainText.contains("\"#87CEFA\""))
        _ = try json("wendy", "set color=#000000 --draft \(id)")
        try terminal.write("y\n")
        #expect(try terminal.waitForExit() == .exited(75), "\(terminal.plainText)")
        #expect(try run("ann", "draft approve \(id) --digest \(old)").status == .exited(75))
        #expect((try json("ann", "draft show \(id)")["reviews"] as? [Any])?.isEmpty == true)

        let own = try run("wendy", "draft approve \(id) --digest", try digest(id))
        #expect(own.status == .exited(77), "\(own)")
        let early = try run("ann", "draft apply \(id) --digest", try digest(id))
        #expect(early.status == .exited(77) && early.standardError.contains("1 approval"), "\(early)")
        let rejected = try json("bob", "draft reject \(id) -m", "too dark")
        #expect(rejected["missing"] as? [String] == ["rejected by bob", "1 approval"])
        _ = try json("bob", "draft withdraw \(id)")
        try approveAndApply(id)
        #expect(try run("ann", "get color").standardOutput == "#000000\n")

        let events = try #require(try json("bob", "history --drafts")["events"] as? [[String: Any]])
        let words = events.map { "\($0["subject"] ?? "") \($0["event"] ?? "") \($0["comment"] as? String ?? "")" }
        #expect(
            words == [
                "ann applied ", "ann approved ", "bob withdrew ", "bob rejected too dark", "wendy edited ",
                "wendy created ",
            ]
        )
    }

    @Test func conflictsNeedAChoiceEach() throws {
        let id = try propose("set color=#111111 title=Mine rest=2 more=1")
        _ = try json("ann", "set color=#222222 title=Theirs rest=3")
        let diff = try run("bob", "draft diff \(id) --plain").standardOutput
        #expect(diff.contains(##"color (conflict)  "#FFB6C1"  "#222222"  "#111111""##), "\(diff)")
        let refused = try run("wendy", "draft rebase \(id) --mine color")
        #expect(
            refused.status == .exited(65) && refused.standardError.contains("each conflict: rest, title"),
            "\(refused)"
        )
        #expect(
            refused.standardError.contains(#""Theirs""#) && !refused.standardError.contains("#222222"),
            "\(refused)"
        )
        let rebased = try json("wendy", "draft rebase \(id) --mine color --theirs title --set rest=4 --unset more")
        #expect(rebased["status"] as? String == "approved", "\(rebased)")
        try approveAndApply(id)
        let values = try run("ann", "export --flat").standardOutput.filter { !$0.isWhitespace }
        #expect(values == ##"{"color":"#111111","rest":4,"title":"Theirs"}"##)
    }

    @Test func scheduleIsSetAndRemoved() throws {
        let id = try propose("set title=Later")
        let skipped = try run("wendy", "draft schedule \(id) 2027-03-28T02:30:00[Europe/Berlin]")
        #expect(skipped.status == .exited(65) && skipped.standardError.contains("01:30:00+01:00"), "\(skipped)")
        let time = "2099-03-28T09:00:00[Europe/Berlin]"
        let scheduled = try json("wendy", "draft schedule \(id) \(time)")
        #expect(scheduled["status"] as? String == "scheduled" && scheduled["apply_at"] as? String == time)
        #expect(try json("wendy", "draft schedule \(id) --never")["apply_at"] is NSNull)
        let closed = try json("wendy", "draft close \(id) -m", "not now")
        #expect(closed["state"] as? String == "closed")
        #expect((try json("ann", "draft list")["drafts"] as? [Any])?.isEmpty == true)
        #expect((try json("ann", "draft list --state closed")["drafts"] as? [Any])?.count == 1)
    }

    @Test func undoRestoresWhatTheDraftHasChanged() throws {
        _ = try json("wendy", "rule set title rule.json --type string")
        let before = try head()
        let id = try propose("unset title rest")
        _ = try json("wendy", "set color=#333333 fresh=1 --draft \(id)")
        try approveAndApply(id)
        _ = try json("wendy", "set other=1")
        let undo = try #require(try json("wendy", "draft new --undo \(id)")["draft"] as? String)
        try approveAndApply(undo)
        _ = try json("wendy", "unset other")
        #expect(try head() == before)
        let twice = try run("wendy", "draft new --undo \(id)")
        #expect(twice.standardError.contains("no draft was created"), "\(twice)")
    }

    @Test func policyThatAsksForLessIsADraft() throws {
        let set = try json("root", "policy set --approvals 1 --protect color price.* --window 2h")
        #expect(set["approvals"] as? Int == 1 && set["direct"] as? String == "deny")
        #expect(try run("wendy", "set title=Free").status.isSuccess)
        let draft = try json("root", "policy set --approvals 0 --direct allow --draft")
        try approveAndApply(try #require(draft["draft"] as? String))
        let text = try run("ann", "policy show --plain").standardOutput
        #expect(text == "Approvals: 0\nDirect changes: allowed\nProtected: color, price.*\nWindow: 2h\n")
    }
}
