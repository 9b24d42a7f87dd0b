// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Completion of the names of a server's entries: each command offers the names that it takes.
@Suite(.timeLimit(.minutes(5)))
struct NameCompletionTests {
    private let desk: OperatorDesk

    /// `v` has a value, `r` a rule and `s` a schema, and nothing else; `d` was deleted.
    init() throws {
        desk = try OperatorDesk()
        try desk.folder.write(#"{"variants": {"x": 1}, "defaultVariant": "x"}"#, to: "rule.json")
        try desk.folder.write("{}", to: "empty.json")
        for words in [
            "set v=1 d=1", "unset d", "rule set r rule.json", "rule set $evaluators empty.json",
            "schema set s empty.json",
            "schema set p.* empty.json",
        ] { #expect(try desk.run(words.split(separator: " ").map(String.init)).status.isSuccess, "\(words)") }
    }

    /// The words before the name, and the names.
    private static let names = [
        "get": "v", "set": "v", "unset": "v", "unset --prefix": "v", "list": "v", "watch": "r v", "explain": "r v",
        "history": "v", "history --schema": "p.* s", "history --rule": "$evaluators r",
        "rollback": "$evaluators p.* r s v", "restore": "d", "rule list": "$evaluators r", "rule show": "$evaluators r",
        "rule set": "$evaluators r v", "rule unset": "$evaluators r", "rule preview": "r v", "rollout set": "r v",
        "rollout finish": "r", "schema list": "p.* s", "schema show": "p.* s", "schema set": "p.* s v",
        "schema unset": "p.* s", "draft list --key": "v", "draft new": "v",
    ]

    /// The words before the id of a draft. What comes after it in `draft edit` is not reached here.
    private static let takeDrafts: Set<String> = [
        "draft show", "draft diff", "draft edit", "draft rebase", "draft approve", "draft reject", "draft withdraw",
        "draft apply",
        "draft schedule", "draft close", "draft preview", "draft new --undo",
    ]

    @Test func idsOfOpenDraftsAreOffered() throws {
        let id = try #require(try desk.json("set", "v=2", "--draft")["draft"] as? String)
        for words in ["draft diff", "draft apply", "set v 1 --draft", "policy set --draft"] {
            var found = ""
            try until("the ids after \(words)", deadline: .seconds(20), lastState: found) {
                found = try completed(words)
                return found == id
            }
        }
    }

    private func completed(_ words: String) throws -> String {
        let words = ["---complete"] + words.split(separator: " ").map(String.init) + [""]
        let lines = try desk.run(words).standardOutput.split(separator: "\n").dropFirst()
        return lines.map { $0.prefix { $0 != "\t" } }.joined(separator: " ")
    }

    @Test func eachCommandOffersTheNamesThatItTakes() throws {
        for (words, expected) in Self.names {
            var found = ""
            // A completion has no answer where the server takes long.
            try until("the names of \(words)", deadline: .seconds(20), lastState: found) {
                found = try completed(words)
                return found == expected
            }
        }
    }

    @Test func noOtherArgumentOffersNames() throws {
        let dump = try desk.run("--experimental-dump-help").standardOutput
        let root = try #require(try jsonMembers(dump)["command"] as? [String: Any])
        let others = Self.computed(in: root, path: []).filter {
            !$0.hasSuffix("--draft") && !Self.takeDrafts.contains($0)
        }
        #expect(others.sorted() == Self.names.keys.sorted())
    }

    /// The words before each argument whose values the program computes.
    private static func computed(in command: [String: Any], path: [String]) -> [String] {
        let arguments = (command["arguments"] as? [[String: Any]] ?? []).filter { argument in
            (argument["completionKind"] as? [String: Any])?["custom"] != nil
        }
        let own = arguments.map { argument in
            let name = (argument["names"] as? [[String: String]])?.first?["name"].map { ["--" + $0] }
            return (path + (name ?? [])).joined(separator: " ")
        }
        return (command["subcommands"] as? [[String: Any]] ?? []).reduce(into: own) { all, child in
            all += computed(in: child, path: path + [child["commandName"] as? String ?? ""])
        }
    }
}
