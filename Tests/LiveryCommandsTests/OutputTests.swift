// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigChanges
import ConfigModel
import ConfigWire
import Foundation
import Programs
import TerminalUI
import TestSupport
import Testing

@testable import LiveryCommands

struct OutputStyleTests {
    private static let hostile = "a\u{1B}]0;t\u{7}\u{9B}2J\u{202E}b\u{85}c\r\n😸"

    @Test func nothingInALineCommandsATerminal() {
        let style = OutputStyle(isTerminal: true, isJSON: false, isColored: false)
        let line = style.line([Span(Self.hostile, .key), Span(Self.hostile)])
        #expect(line.dropLast().sanitized() == String(line.dropLast()))
        #expect(line.hasSuffix("\n"))
        #expect(line.contains("😸"))
    }

    @Test func colourIsThereOnlyIfWanted() {
        let plain = OutputStyle(isTerminal: true, isJSON: false)
        #expect(plain.line([Span("x", .added)]) == "x\n")
        let colored = OutputStyle(isTerminal: true, isJSON: false, isColored: true)
        #expect(colored.line([Span("x", .added), "y"]) == "\u{1B}[32mx\u{1B}[my\n")
    }

    @Test func aTextIsExactInAPipeAndHarmlessOnATerminal() {
        #expect(OutputStyle(isTerminal: false).verbatim(Self.hostile) == Self.hostile)
        let shown = OutputStyle(isTerminal: true).verbatim("one\ntwo\u{1B}[2J")
        #expect(shown == "one\ntwo\u{FFFD}[2J")
    }

    @Test func jsonOnATerminalIsHarmlessAndTheSame() throws {
        var json = JSONWriter()
        json.strings([Self.hostile, "क्\u{200D}ष", "\u{E0001}\u{10FFFF}\u{FEFF}", "é😸👨‍👩‍👧"])
        let text = OutputStyle(isTerminal: true).json(PrettyJSON.laidOut(json.bytes))
        for line in text.split(separator: "\n") { #expect(line.sanitized() == String(line)) }
        var read = try JSONScanner(Array(text.utf8))
        let texts: EntryValue = [.string(Self.hostile), "क्\u{200D}ष", "\u{E0001}\u{10FFFF}\u{FEFF}", "é😸👨‍👩‍👧"]
        #expect(try read.value() == texts)
        #expect(text.contains("é😸"))
    }

    @Test func longValuesAreIndented() {
        let value: EntryValue = ["a\u{1B}[2J": [1, "x\u{202E}"], "b": ["c": .null]]
        let terminal = OutputStyle(isTerminal: true, isJSON: false, columns: 80)
        #expect(terminal.whole(value) == #"{"a\u001b[2J":[1,"x\u202e"],"b":{"c":null}}"# + "\n")
        let narrow = OutputStyle(isTerminal: true, isJSON: false, columns: 20).whole(value)
        #expect(narrow.hasPrefix("{\n  \"a\\u001b[2J\": [\n    1,\n"))
        #expect(OutputStyle(isTerminal: false).whole(value) == value.canonicalJSON + "\n")
        #expect(terminal.whole("a\u{1B}\nb") == "a\u{FFFD}\nb\n")
    }

    @Test func inALocaleOfASCIINothingElseIsSent() {
        let style = OutputStyle(isTerminal: true, isJSON: false, repertoire: .ascii)
        #expect(style.line(["a → é…"]).utf8.allSatisfy { $0 < 0x7F })
    }
}

struct ColumnFitTests {
    @Test(
        arguments: [
            ([3, 40, 60], 63, [3, 30, 30]), ([3, 4], 100, [3, 4]), ([10, 10, 10], 20, [6, 7, 7]), ([5], 0, [0]),
            ([], 10, []), ([100, 2, 50], 60, [29, 2, 29]), ([7, 7], -5, [0, 0]),
        ] as [([Int], Int, [Int])]
    )
    func longTextsGiveWay(needs: [Int], columns: Int, widths: [Int]) {
        #expect(ColumnFit.widths(for: needs, in: columns) == widths)
    }

    @Test func theColumnsAreUsedAndNeverExceeded() {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<2000 {
            let needs = (0..<Int.random(in: 1...6, using: &generator)).map { _ in
                Int.random(in: 0...90, using: &generator)
            }
            let columns = Int.random(in: 0...200, using: &generator)
            let widths = ColumnFit.widths(for: needs, in: columns)
            #expect(zip(widths, needs).allSatisfy { $0 <= $1 })
            let (used, needed) = (widths.reduce(0, +), needs.reduce(0, +))
            #expect(used == min(columns, needed))
        }
    }
}

struct TextTableTests {
    private static let table = TextTable(
        headings: ["KEY", "VALUE"],
        rows: [["a", "設定"], ["long.key", Span("x\u{1B}[2J\ny", .added)]]
    )

    @Test func columnsAreAlignedByWidth() {
        let text = Self.table.text(style: OutputStyle(isTerminal: false, isJSON: false))
        #expect(text == "KEY       VALUE\na         設定\nlong.key  x\u{FFFD}[2J y\n")
    }

    @Test(arguments: [10, 12, 15, 20])
    func aNarrowTerminalCutsTheLongest(columns: Int) {
        let text = Self.table.text(style: OutputStyle(isTerminal: true, isJSON: false, columns: columns))
        let lines = text.split(separator: "\n", omittingEmptySubsequences: true)
        #expect(lines.count == 3)
        #expect(lines.allSatisfy { $0.columnWidth <= columns })
    }

    @Test("A narrow table leaves out empty columns, and cuts texts before revisions and times", arguments: [60, 80])
    func revisionsAndTimesAreCutLast(columns: Int) {
        let time = "2026-11-27 03:12:27"
        let table = TextTable(
            headings: ["REVISION", "WHEN", "AUTHOR", "KEY", "VALUE", "MESSAGE"],
            rows: (0..<3).map { row in
                ["\(1000 + row)", Span(time), "-", "app.background.color", Span(String(repeating: "v", count: 70)), ""]
            }
        )
        let text = table.text(style: OutputStyle(isTerminal: true, isJSON: false, columns: columns))
        let lines = text.split(separator: "\n")
        #expect(lines.count == 4 && lines.allSatisfy { $0.columnWidth <= columns })
        #expect(lines.dropFirst().allSatisfy { $0.contains(time) && $0.hasPrefix("100") }, "\(text)")
        #expect(!text.contains("AUTHOR") && !text.contains("MESSAGE") && text.contains("VALUE"))
        #expect(text.hasPrefix("REVISION  WHEN  "), "\(text)")
        let narrow = table.text(style: OutputStyle(isTerminal: true, isJSON: false, columns: 20))
        #expect(narrow.split(separator: "\n").allSatisfy { $0.columnWidth <= 20 })
        #expect(narrow.contains("1002") && !narrow.contains("2026") && narrow.contains("app"), "\(narrow)")
    }

    @Test(arguments: [(20, "101", "app"), (40, "2026-11-27 03:12:27", "app"), (76, "deploy  app.", "to all")])
    func messagesAreLeftOutBeforeRevisionsAndTimes(columns: Int, found: String, other: String) {
        let table = TextTable(
            headings: ["REVISION", "WHEN", "AUTHOR", "KEY", "VALUE", "MESSAGE"],
            rows: [["101", "2026-11-27 03:12:27", "deploy", "app.background.color", "\"#FFB6C1\"", "to all users"]]
        )
        let text = table.text(style: OutputStyle(isTerminal: true, isJSON: false, columns: columns))
        #expect(text.split(separator: "\n").allSatisfy { $0.columnWidth <= columns }, "\(text)")
        #expect(text.contains("101") && text.contains(found) && text.contains(other), "\(text)")
        #expect(text.contains("MESSAGE") == (columns > 40))
    }

    @Test func numbersAreNotCut() {
        let style = OutputStyle(isTerminal: true, isJSON: false, columns: 30)
        let lines = TextTable(
            headings: ["NAMESPACE", "KEYS", "REVISION"],
            rows: ["production-of-the-web-shop", "staging"].map { [Span($0), "1,234,567", "104512"] }
        ).text(style: style).split(separator: "\n")
        #expect(lines.allSatisfy { $0.columnWidth <= 30 })
        #expect(lines.dropFirst().allSatisfy { $0.contains("1,234,567") && $0.hasSuffix("104512") }, "\(lines)")
    }

    @Test func colourTakesNoColumns() {
        var style = OutputStyle(isTerminal: true, isJSON: false, columns: 40, isColored: true)
        let colored = Self.table.text(style: style)
        style.isColored = false
        let stripped = colored.replacing(/\u{1B}\[[0-9]*m/, with: "")
        #expect(stripped == Self.table.text(style: style))
        #expect(colored != stripped)
    }
}

struct ExportFormTests {
    @Test(arguments: [ExportForm.nested, .flat, .exact], [(false, false), (true, false), (false, true)])
    func everyStateReadsBackAsTheSame(form: ExportForm, has: (objects: Bool, schemas: Bool)) throws {
        var generator = SeededGenerator(seed: 11)
        let names = ["a", "b", "c", "x-1", "Y_2", "0", "livery", "entries", "schemas"]
        let values: [EntryValue] = [
            .string("\u{1B}\"\\\n😸"), .integer(-3), .double(1e-7), .boolean(true), [], [1, 2.5],
            ["", "ü"], [false], [["a.b": [:]], .null],
        ]
        let objects: [EntryValue] = [[:], ["a": ["b": 1]], ["livery": 1, "entries": ["a": 1]]]
        for _ in 0..<300 {
            var state: [String: EntryValue] = [:]
            for _ in 0..<Int.random(in: 0...12, using: &generator) {
                let depth = Int.random(in: 1...4, using: &generator)
                let key = (0..<depth).compactMap { _ in names.randomElement(using: &generator) }.joined(separator: ".")
                state[key] = (has.objects ? values + objects : values).randomElement(using: &generator)
            }
            let keys = has.schemas ? Array(state.keys.prefix(3)) : []
            let schemas = Dictionary(
                uniqueKeysWithValues: keys.map { ($0 + ".*", ["title": .string($0)] as EntryValue) }
            )
            let contents = NamespaceContents(values: state, schemas: schemas)
            let document = try ConfigDocument(json: PrettyJSON.laidOut(form.json(of: contents)), source: "export")
            #expect(document.leftOut.isEmpty)
            #expect(NamespaceContents(of: document) == contents)
        }
    }

    @Test(arguments: [ExportForm.nested, .flat, .exact])
    func anObjectIsHeldByTheExactFormAlone(form: ExportForm) {
        let json = form.json(of: NamespaceContents(values: ["a.b": ["c": 1], "d": 2]))
        let others = form == .exact ? #","schemas":{},"rules":{}}"# : "}"
        #expect(String(decoding: json, as: UTF8.self) == #"{"livery":1,"entries":{"a.b":{"c":1},"d":2}"# + others)
        let plain = form.json(of: NamespaceContents(values: ["a.b": [["c": 1]]]))
        #expect(String(decoding: plain, as: UTF8.self).contains("livery") == (form == .exact))
    }
}

struct ProgressLineTests {
    @Test(arguments: [0, 1, 10, 20, 30, 40, 80, 500])
    func aBarFitsItsTerminal(columns: Int) {
        let progress = ProgressLine(what: "keys", total: 2500, isTerminal: true, columns: columns)
        for done in [0, 1, 1250, 2500] {
            let text = progress.text(done)
            #expect(text.hasPrefix("\r"))
            #expect(text.hasSuffix("\n") == (done == 2500))
            #expect(text.replacing(/\u{1B}\[K|[\r\n]/, with: "").columnWidth < max(columns, 1))
        }
    }

    @Test func aBarFillsAndALogHasLines() {
        let bar = ProgressLine(what: "keys", total: 2000, isTerminal: true, columns: 80)
        #expect(
            bar.text(1000)
                == "\r[\(String(repeating: "#", count: 20))\(String(repeating: ".", count: 20))] 1,000 of 2,000 keys\u{1B}[K"
        )
        #expect(
            ProgressLine(what: "keys", total: 2000, isTerminal: false, columns: 80).text(1000)
                == "1,000 of 2,000 keys\n"
        )
    }
}

struct ConfigErrorExitTests {
    @Test(
        arguments: [
            (.notFound, 1), (.invalidSource, 64), (.typeMismatch, 65), (.syntax, 65), (.rejected, 65), (.tooLarge, 65),
            (.unreadable, 66), (.unreachable, 69), (.unavailable, 69), (.conflict, 75), (.rateLimited, 75),
            (.badResponse, 76), (.unauthorized, 77), (.forbidden, 77), (.insecure, 77), (.invalidToken, 77),
            (.invalidOption, 64),
        ] as [(ConfigError.Code, Int32)]
    )
    func eachKindOfErrorHasItsNumber(code: ConfigError.Code, number: Int32) {
        #expect(code.exit.rawValue == number)
    }

    @Test func errorsAreSanitizedAndNameTheNextStep() {
        let error = ConfigError(.unauthorized, "who\u{1B}[2J\nare you?")
        let sentence = error.sentence
        #expect(sentence == "who\u{FFFD}[2J are you?; store a token with `livery login`, or pass --token-file")
        #expect(sentence.sanitized() == sentence)
    }

    @Test func violationsAreHarmlessLines() {
        let violations = [
            ViolationMessage(key: "a", schema: "a", pointer: "/\u{1B}[2J\n", message: "who\u{9B}31m\nare you"),
            ViolationMessage(schema: "app.*", pointer: "/typ", message: "keyword not found"),
        ]
        let text = ConfigError.breakingSchemas(violations).failure.message
        let lines = text.split(separator: "\n").map(String.init)
        #expect(lines.count == 3)
        #expect(lines.allSatisfy { $0.sanitized() == $0 })
        #expect(lines.first == "nothing was written: schema violations")
        #expect(lines.last == "schema app.*: /typ: keyword not found")
    }

    @Test(arguments: [
        ("y", true), ("Y ", true), ("yes", true), ("", false), ("n", false), ("yess", false), ("\u{1B}", false),
    ])
    func onlyYesIsYes(answer: String, isYes: Bool) {
        #expect(Confirmation.isYes(answer) == isYes)
    }
}

struct OperatorTableTests {
    private static let time = Timestamp(milliseconds: 1_795_176_224_000)

    @Test func historyIsATable() {
        var applied = HistoryRecord("a", nil, at: 4, on: Self.time)
        (applied.draft, applied.approvers) = ("k3x9m2ab", ["bob", "cyd"])
        let records = [
            applied,
            HistoryRecord("a", 1, at: 3, by: "eve\u{1B}", saying: "why\nnot", on: Self.time),
        ]
        let lines = HistoryCommand.table(of: records, clock: .utc).text(style: OutputStyle(isJSON: false)).split(
            separator: "\n"
        )
        #expect(lines[1].contains("-       a    removed  draft k3x9m2ab, approved by bob, cyd"))
        #expect(lines[2].contains("eve\u{FFFD}    a    1        why not"))
        #expect(lines.count == 3)
    }

    @Test func aWatchedChangeIsALineAndALineOfJSON() {
        let change = KeyChange(key: "a", old: .integer(1), new: nil)
        let style = OutputStyle(isJSON: false)
        let step = HistoryReplay.Step(change: change, revision: 9, time: Self.time)
        let line = style.line(WatchCommand.line(step, clock: .utc, style: style))
        #expect(line == "2026-11-20 12:03:44  - a  1  r9\n")
        let json = String(decoding: WatchCommand.json(step, namespace: "shop"), as: UTF8.self)
        let members = #""time":"2026-11-20T12:03:44.000Z","revision":9,"key":"a","old":1,"new":null"#
        #expect(json == #"{"namespace":"shop",\#(members)}"#)
    }
}
