// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The commands' real output has exactly the members in `Documentation/Commands.md`.
@Suite(.timeLimit(.minutes(5)))
struct JSONAnswerTests {
    private let desk: OperatorDesk

    init() throws {
        desk = try OperatorDesk()
        try desk.folder.write(#"{"type": "integer"}"#, to: "schema.json")
        try desk.folder.write(#"{"livery": 1, "schemas": {"app.b": {"type": "string"}}}"#, to: "broken.json")
        try desk.folder.write(
            #"{"variants": {"x": 1, "y": 2}, "defaultVariant": "x", "targeting": {"fractional": [["x", 50], ["y", 50]]}}"#,
            to: "rule.json"
        )
        try desk.folder.write(
            #"{"livery": 1, "entries": {"app.a": 7, "app.bad": null}, "schemas": {"app.c": true}, "rules": {}}"#,
            to: "values.json"
        )
        _ = try desk.json("set", "app.a=0", "app.b=1", "-n", "other")
        _ = try desk.json("set", "app.a=0", "app.b=1")
        _ = try desk.json("schema", "set", "app.a", "schema.json")
        _ = try desk.json("rule", "set", "app.a", "rule.json")
    }

    @Test func draftsMatchTheDocumentedTable() throws {
        let table = try Shape.table()
        let id = try #require(try desk.json("draft", "new", "app.b=2", "--title", "x")["draft"] as? String)
        for (command, row) in [
            ("draft list", "draft list"), ("draft show ID", "draft show"), ("draft diff ID", "draft diff"),
            ("draft edit ID --title y", "draft edit"), ("draft rebase ID", "draft rebase"),
            ("draft schedule ID --never", "draft schedule"), ("history --drafts", "history"),
            ("draft close ID", "draft close"), ("policy show", "policy show"), ("policy set --window 1h", "policy set"),
        ] {
            let words = command.replacing("ID", with: id).split(separator: " ").map(String.init)
            let json = try JSONSerialization.jsonObject(with: Data(try desk.run(words).standardOutput.utf8))
            let shape = try #require(table[row])[row == "history" ? 1 : 0]
            #expect(shape.difference(from: json) == nil, "\(command): \(json)")
        }
    }

    /// A command, its row in the table, and which of the shapes there counts; commands that write come last.
    private static let commands: [(command: String, row: String, index: Int)] = [
        ("get app.a --details", "get", 0), ("get app.a --details --at 2", "get", 1),
        ("get app.a --details --context user=1", "get", 2), ("list", "list", 0), ("namespaces", "namespaces", 0),
        ("history -l 1000 app.a", "history", 0), ("diff values.json", "diff", 0),
        ("explain app.a --context user=1", "explain", 0), ("explain app.b", "explain", 0),
        ("rule list", "rule list", 0), ("rule show app.a --details", "rule show", 0),
        ("rule preview app.a rule.json --users 3", "rule preview", 0), ("schema list", "schema list", 0),
        ("schema show app.a --details", "schema show", 0), ("schema check broken.json", "schema check", 0),
        ("--json ADDRESS", "livery", 0), ("set app.a=3 --dry-run", "set", 0),
        ("unset app.b --dry-run", "unset", 0), ("rollback 2 --dry-run", "rollback", 1),
        ("rollback app.a --to 4 --dry-run", "rollback", 1), ("rollback app.a --to 4 --yes", "rollback", 0),
        ("import values.json --dry-run", "import", 0), ("rollout app.b big=9 5% --dry-run", "rollout set", 0),
        ("schema unset app.a --dry-run", "schema unset", 0), ("set app.a=0", "set", 0), ("set app.a=3", "set", 0),
        ("rule set app.a rule.json", "rule set", 0), ("rule unset app.a", "rule unset", 0),
        ("rollout app.b big=9 5%", "rollout set", 0), ("rollout set app.b big 0%", "rollout set", 0),
        ("rollout finish app.b", "rollout finish", 0), ("schema set app.b schema.json", "schema set", 0),
        ("import values.json", "import", 0), ("rollback 2 --yes", "rollback", 0), ("unset app.b", "unset", 0),
        ("restore app.b --dry-run", "restore", 0), ("restore app.b", "restore", 0),
        ("unset --prefix app.b", "unset", 0),
    ]

    @Test func membersMatchTheDocumentedTable() throws {
        let table = try Shape.table()
        let cache = ["XDG_CACHE_HOME": desk.folder["cache"]]
        for (command, row, index) in Self.commands {
            let words = command.replacing("ADDRESS", with: desk.address).split(separator: " ").map(String.init)
            let output = try desk.run(words, cache)
            let json = try JSONSerialization.jsonObject(with: Data(output.standardOutput.utf8))
            #expect(try #require(table[row])[index].difference(from: json) == nil, "\(command): \(output)")
        }
    }

    @Test func aWatchedChangeHasTheMembersOfTheTable() throws {
        let shapes = try #require(try Shape.table()["watch"])
        let process = try desk.start(["watch", "app.b", "--since", "1"])
        try until("a change", lastState: process.standardError) {
            process.standardOutput.contains("\n")
        }
        process.send(signal: SIGTERM)
        let line = try #require(process.standardOutput.split(separator: "\n").first)
        let json = try JSONSerialization.jsonObject(with: Data(line.utf8))
        #expect(shapes[0].difference(from: json) == nil, "\(line)")
    }
}

/// The members of a JSON text as the table spells them: `{"a", "b": [{"c"} or {"d"}], "e": [name]}`.
private indirect enum Shape {
    case anything
    case object([String: Shape])
    /// The shapes that an element may have; any if there are none.
    case array([Shape])

    /// The shapes of each command.
    static func table() throws -> [String: [Shape]] {
        let page = try String(contentsOf: sourceFile("Documentation/Commands.md"), encoding: .utf8)
        let rows =
            page.components(separatedBy: "\n| command | JSON |\n|---|---|\n").dropFirst().joined()
            .components(separatedBy: "\n\n").first?.split(separator: "\n") ?? []
        var table: [String: [Shape]] = [:]
        for row in rows {
            let cells = row.split(separator: "|", maxSplits: 1)
            let texts = cells[1].split(separator: "`").filter { $0.hasPrefix("{") }
            for command in cells[0].split(separator: "`").filter({ $0.contains(/[a-z]/) }) {
                table[String(command.split(separator: " --")[0])] = texts.map { text in
                    var rest = text
                    return Shape(reading: &rest)
                }
            }
        }
        return table
    }

    private init(reading text: inout Substring) {
        if text.hasPrefix("{\"") {
            text.removeFirst()
            var members: [String: Shape] = [:]
            while let member = text.prefixMatch(of: /(?:, )?"(\w+)"(: )?/) {
                text = text[member.range.upperBound...]
                members[String(member.output.1)] = member.output.2 == nil ? .anything : Shape(reading: &text)
            }
            text.removeFirst()
            self = .object(members)
        } else if text.hasPrefix("[{") {
            text.removeFirst()
            var elements = [Shape(reading: &text)]
            while text.hasPrefix(" or ") {
                text.removeFirst(4)
                elements.append(Shape(reading: &text))
            }
            text.removeFirst()
            self = .array(elements)
        } else {
            let isArray = text.hasPrefix("[")
            text = text.drop { $0 != (isArray ? "]" : "}") }.dropFirst()
            self = isArray ? .array([]) : .anything
        }
    }

    /// The difference of a value from this shape; `nil` if there is none.
    func difference(from value: Any) -> String? {
        switch (self, value) {
        case (.anything, _): return nil
        case (.object(let members), let object as [String: Any]):
            if Set(members.keys) != Set(object.keys) { return "\(members.keys.sorted()) and \(object.keys.sorted())" }
            let differences = members.lazy.compactMap { name, shape in
                object[name].flatMap { shape.difference(from: $0) }.map { "\(name): \($0)" }
            }
            return differences.first
        case (.array(let shapes), let elements as [Any]):
            if shapes.isEmpty { return nil }
            let differences = elements.lazy.compactMap { element in
                let all = shapes.map { $0.difference(from: element) }
                return all.contains(nil) ? nil : all[0]
            }
            return differences.first
        default: return "a value of another kind"
        }
    }
}
