import ConfigModel
import TerminalUI
import Testing

@testable import LiveryApp

struct ConfigDiffTests {
    private static let diff = ConfigDiff(
        from: ["a": .integer(1), "b": .string("x"), "c": .boolean(true)],
        to: ["b": .string("y"), "c": .boolean(true), "d": []]
    )

    @Test func aDifferenceHasWhatCameWentAndChanged() {
        #expect(
            Self.diff.changes == [
                KeyChange(key: "a", old: .integer(1), new: nil),
                KeyChange(key: "b", old: .string("x"), new: .string("y")),
                KeyChange(key: "d", old: nil, new: []),
            ]
        )
        #expect(Self.diff.summary == "1 new, 1 changed, 1 removed")
        #expect(ConfigDiff(from: ["a": .integer(1)], to: ["a": .integer(1)]).isEmpty)
    }

    @Test func valuesOfTheSameTextAndAnotherKindDiffer() {
        #expect(!ConfigDiff(from: ["a": .string("1")], to: ["a": .integer(1)]).isEmpty)
    }

    @Test func itsRequestLeadsFromTheOneToTheOther() {
        let request = Self.diff.request(expect: 7, message: "why")
        #expect(request.set == ["b": .string("y"), "d": []])
        #expect(request.unset == ["a"])
        #expect(request.expect == 7)
        #expect(request.message == "why")
    }

    @Test func aChangeIsALine() {
        let style = OutputStyle(isTerminal: false, isJSON: false)
        let lines = Self.diff.lines(style: style).map(style.line)
        #expect(lines == ["- a  1\n", "~ b  \"x\" → \"y\"\n", "+ d  []\n"])
    }

    @Test(arguments: [30, 40, 80, 200])
    func aLineFitsTheTerminalWhateverTheValues(columns: Int) {
        let long = String(repeating: "設定😸\u{1B}[2J\n", count: 60)
        let style = OutputStyle(isTerminal: true, isJSON: false, columns: columns, isColored: false)
        let change = KeyChange(key: "a.key", old: .string(long), new: .string("new"))
        let line = style.line(change.line(style: style))
        #expect(line.dropLast().columnWidth <= columns)
        #expect(!line.contains("\u{1B}"))
        #expect(line.contains("\"new\""))
        #expect(line.split(separator: "\n").count == 1)
    }

    @Test func batchesHoldEveryChangeOnceWithinTheirLimits() {
        let values = (0..<1234).map { ("k\($0)", EntryValue.string(String(repeating: "v", count: $0 % 300))) }
        let diff = ConfigDiff(from: [:], to: Dictionary(uniqueKeysWithValues: values))
        let batches = diff.batches(ofKeys: 100, bytes: 8192)
        #expect(batches.flatMap(\.changes) == diff.changes)
        #expect(batches.allSatisfy { $0.changes.count <= 100 })
        #expect(batches.allSatisfy { $0.request().json.count <= 8192 + 100 })
        #expect(ConfigDiff([]).batches().isEmpty)
    }

    @Test func oneValueThatIsLargerThanABatchIsABatch() {
        let value = EntryValue.string(String(repeating: "v", count: 60_000))
        let diff = ConfigDiff(from: [:], to: ["a": value, "b": value, "c": .integer(1)])
        #expect(diff.batches(bytes: 1000).map(\.changes.count) == [1, 1, 1])
    }

    @Test(arguments: [30, 40, 80])
    func objectsAreOneHarmlessLineThatFits(columns: Int) {
        let hostile: EntryValue = ["n\u{1B}[2J\r\n": [["\u{9B}31m": "\u{202E}\u{7}"], .null], "設定": ["😸": 1]]
        let style = OutputStyle(isTerminal: true, isJSON: false, columns: columns)
        let line = style.line(KeyChange(key: "a", old: hostile, new: ["b": hostile]).line(style: style)).dropLast()
        #expect(line.columnWidth <= columns)
        #expect(String(line).sanitized() == String(line))
    }

    @Test(arguments: [(0, "0"), (7, "7"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567"), (-1000, "-1,000")])
    func numbersAreGrouped(number: Int, text: String) {
        #expect(number.grouped == text)
    }
}

struct ImportJobTests {
    private func job(replaces: Bool) -> ImportJob {
        ImportJob(
            document: ["a": .integer(1), "b": .integer(2)],
            replaces: replaces,
            inBatches: false,
            message: nil
        )
    }

    private let snapshot = ServerSnapshot(
        cursor: Cursor(epoch: Epoch(rawValue: 1), revision: 9),
        digest: ConfigDigest(),
        entries: ["a": .integer(1), "old": .boolean(true)]
    )

    @Test func whatTheDocumentDoesNotHaveStays() {
        let plan = job(replaces: false).plan(from: snapshot)
        #expect(plan.diff.changes.map(\.key) == ["b"])
        #expect(plan.unchanged == 1)
        #expect(plan.sentence == "1 new, 1 unchanged: nothing written yet.")
    }

    @Test func replacingRemovesIt() {
        let plan = job(replaces: true).plan(from: snapshot)
        #expect(
            plan.diff.changes == [
                KeyChange(key: "b", old: nil, new: .integer(2)), KeyChange(key: "old", old: .boolean(true), new: nil),
            ]
        )
    }

    @Test func sentencesCountRevisions() {
        let diff = ConfigDiff(from: [:], to: ["a": .integer(1)])
        let one = ImportResult(diff: diff, unchanged: 0, revision: 5, revisions: 1)
        #expect(one.sentence == "1 new: revision 5.")
        let several = ImportResult(diff: diff, unchanged: 1200, revision: 5, revisions: 3)
        #expect(several.sentence == "1 new, 1,200 unchanged: 3 revisions, the last is 5.")
    }
}
