// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigChanges
import ConfigClient
import ConfigModel
import ConfigWire
import Programs
import TerminalUI
import TestSupport
import Testing

@testable import LiveryCommands

/// `--draft [ID]`, and what it makes of a change.
struct DraftOptionTests {
    private static func leaves(_ commands: [any ParsableCommand.Type]) -> [any ParsableCommand.Type] {
        commands.flatMap { command in
            let children = command.configuration.subcommands
            return children.isEmpty ? [command] : leaves(children)
        }
    }

    /// A new command is either here, or it writes and can propose what it writes.
    private static let reading: [any ParsableCommand.Type] = [
        GetCommand.self, ListCommand<ValueFamily>.self, NamespacesCommand.self, WatchCommand.self, HistoryCommand.self,
        ExportCommand.self, DiffCommand.self, ExplainCommand.self, ListCommand<RuleFamily>.self,
        ShowCommand<RuleFamily>.self, RulePreviewCommand.self, ListCommand<SchemaFamily>.self,
        ShowCommand<SchemaFamily>.self, SchemaCheckCommand.self, SchemaSwiftCommand.self, PolicyShowCommand.self,
        LoginCommand.self, LogoutCommand.self,
    ]

    @Test func everyCommandThatWritesTakesADraft() {
        let reading = Set(Self.reading.map(ObjectIdentifier.init))
        let ofDrafts = Set(Self.leaves([DraftCommand.self]).map(ObjectIdentifier.init))
        for command in Self.leaves(CommandList.server) where !ofDrafts.contains(ObjectIdentifier(command)) {
            let writes = command is any WritingCommand.Type
            #expect(writes != reading.contains(ObjectIdentifier(command)), "\(command)")
            #expect(writes == Program.optionsWithValue(of: command).contains("--draft"), "\(command)")
            let isPublishing = command is any PublishingCommand.Type
            #expect(isPublishing == Program.optionsWithValue(of: command).contains("--emergency"), "\(command)")
        }
    }

    @Test(arguments: [
        ("set a 1 --draft", "set a 1 --draft=new"), ("set --draft a 1", "set --draft=new a 1"),
        ("set a 1 --draft k3m9pq2r", "set a 1 --draft=k3m9pq2r"),
        ("unset --draft k3m9pq2r a", "unset --draft=k3m9pq2r a"),
        ("unset a --draft --plain", "unset a --draft=new --plain"), ("unset a --draft=x1", "unset a --draft=x1"),
        ("set --draft a.b.c.d.e 1", "set --draft=new a.b.c.d.e 1"), ("set -- --draft", "set -- --draft"),
        ("set a --draft -5", "set a=-5 --draft=new"),
    ])
    func optionGetsItsValue(line: String, expected: String) {
        #expect(CommandList.joined(line.split(separator: " ").map(String.init)).joined(separator: " ") == expected)
    }

    @Test(arguments: [["--expect", "3"], ["--if-match", "3"], ["--create"], ["--emergency", "x"]])
    func conditionsDoNotGoWithADraft(option: [String]) {
        #expect(throws: (any Error).self) { try SetCommand.parse(["a", "1", "--draft=new"] + option) }
    }

    @Test func emergencyReasonIsOneLine() {
        #expect(throws: Never.self) { try SetCommand.parse(["a", "1", "--emergency", "Zahlung fällt aus"]) }
        #expect(throws: (any Error).self) { try SetCommand.parse(["a", "1", "--emergency", "a\r\nLivery-Seen: 1"]) }
    }

    @Test func changeOfADraftTakesOutWhatOnlyTheDraftHas() {
        let head = NamespaceContents(values: ["a": 1, "b": 2])
        var (draft, operation) = (DraftMessage(), DraftMessage.Operation())
        (operation.key, operation.proposed) = ("new", 5)
        draft.operations.append(operation)
        (operation.key, operation.proposed) = ("a", nil)
        draft.operations.append(operation)
        let present = head.with(draft)
        #expect(present.values == ["b": 2, "new": 5])
        let request = ConfigDiff(from: present, to: NamespaceContents(values: ["a": 3]))
            .draftRequest(leaving: draft, of: head)
        #expect(request.set == ["a": 3] && request.unset == ["b"] && request.discard == ["new"])
    }
}

/// The changes of a draft, side by side.
struct DraftDiffTests {
    private static func draft(_ state: String = "open") -> DraftMessage {
        var draft = DraftMessage()
        (draft.summary.id, draft.summary.title, draft.summary.state) = ("k3m9pq2r", "Blue", state)
        (draft.summary.status, draft.digest, draft.message) = ("in review", "d1", "Summer")
        draft.summary.missing = ["1 approval"]
        return draft
    }

    private static let changes = [
        DraftChange(
            key: "color",
            base: .init(revision: 1, value: "#FFB6C1"),
            current: .init(revision: 2, value: "#000000"),
            proposed: "#87CEFA",
            isMoved: true
        ),
        DraftChange(key: "new", proposed: [1, 2]),
        DraftChange(key: "schema:old", base: .init(revision: 1, value: true), current: .init(revision: 1, value: true)),
    ]

    @Test func columnsHaveBaseCurrentAndProposed() {
        let text = DraftDiff(draft: Self.draft(), changes: Self.changes).lines(OutputStyle()).joined()
        let expected = """
            Draft k3m9pq2r: Blue
            Status: in review (1 approval), version 1
            Message: Summer
            Digest: d1
            KEY               BASE       CURRENT    PROPOSED
            color (conflict)  "#FFB6C1"  "#000000"  "#87CEFA"
            new               none       unchanged  [1,2]
            schema old        true       unchanged  removed

            """
        #expect(text == expected)
        let applied = DraftDiff(draft: Self.draft("applied"), changes: Self.changes).table(OutputStyle())
        #expect(!applied.contains("conflict"))
    }

    @Test func valuesAreWrappedNotCut() {
        var style = OutputStyle()
        (style.isTerminal, style.columns) = (true, 40)
        let letters = String(repeating: "abcdefghi-", count: 12)
        let change = DraftChange(key: "menu", proposed: ["list": .array([.string(letters), 7])])
        let table = DraftDiff(draft: Self.draft(), changes: [change]).table(style)
        let lines = table.split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= 40 } && lines.count > 5, "\(table)")
        let column = table.split(separator: "\n").dropFirst().map { $0.dropFirst(23).filter { $0 != " " } }.joined()
        #expect(column == #"{"list":["\#(letters)",7]}"#, "\(table)")
    }

    @Test @MainActor func coloursHaveSwatches() {
        var style = OutputStyle()
        (style.isTerminal, style.isColored) = (true, true)
        style.profile = TerminalProfile(choice: .truecolor, environment: ["TERM": "xterm-256color"])
        let table = DraftDiff(draft: Self.draft(), changes: [Self.changes[0]]).table(style)
        for color in ["255;182;193m  \u{1B}[m \"#FFB6C1\"", "0;0;0m  ", "135;206;250m  \u{1B}[m \"#87CEFA\""] {
            #expect(table.contains("\u{1B}[48;2;\(color)"), "\(table)")
        }
    }
}
