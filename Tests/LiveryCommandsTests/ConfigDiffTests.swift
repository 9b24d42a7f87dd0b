// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import ConfigWire
import Programs
import TerminalUI
import Testing

@testable import LiveryCommands

struct ConfigDiffTests {
    @Test func draftHasATitleOfLimitedLength() {
        let diff = ConfigDiff([KeyChange(key: "a", old: 1, new: 2), KeyChange(key: "b", old: 1, new: nil)])
        #expect(diff.draftTitle(message: nil) == "a and 1 more")
        #expect(diff.draftTitle(message: "Monday") == "Monday")
        let long = diff.draftTitle(message: String(repeating: "e\u{301}", count: 150))
        #expect(long.unicodeScalars.count == 200)
    }

    @Test func schemasComeAfterTheValuesAndAreNamedAsSuch() {
        let diff = ConfigDiff(
            from: NamespaceContents(values: ["z": 1], schemas: ["a": true, "app.*": ["type": "string"]]),
            to: NamespaceContents(values: ["z": 2], schemas: ["app.*": ["type": "number"], "*": true])
        )
        let lines = diff.lines(style: OutputStyle(isTerminal: false, isJSON: false)).map { $0.map(\.text).joined() }
        #expect(
            lines == [
                "~ z  1 → 2", "+ schema *  true", "- schema a  true",
                #"~ schema app.*  {"type":"string"} → {"type":"number"}"#,
            ]
        )
        #expect(diff.summary == "1 changed, 3 schemas")
        let request = diff.request()
        #expect(request.set == ["z": 2])
        #expect(request.unset.isEmpty)
        #expect(request.schemas == ["*": true, "a": nil, "app.*": ["type": "number"]])
        #expect(
            JSONWriter.object { diff.write(.value, to: &$0) }
                == Array(#"{"changes":[{"key":"z","old":1,"new":2}]}"#.utf8)
        )
        let json = String(decoding: JSONWriter.object { diff.write(.schema, to: &$0) }, as: UTF8.self)
        #expect(
            json.hasPrefix(#"{"schema_changes":[{"key":"*","old":null,"new":true},{"key":"a","old":true,"new":null}"#)
        )
    }

    @Test func ruleChangesAreInWords() {
        let rules = [25, 100].map { share -> EntryValue in
            let split: EntryValue = [["x", .integer(share)], ["y", .integer(100 - share)]]
            return ["variants": ["x": 1, "y": 2], "defaultVariant": "y", "targeting": ["fractional": split]]
        }
        let change = KeyChange(key: "a", kind: .rule, old: rules[0], new: rules[1])
        let line = change.line(style: OutputStyle(isTerminal: false, isJSON: false)).map(\.text).joined()
        #expect(line == "~ rule a  rollout of x: 25 % → 100 % of users")
    }

    @Test(arguments: [30, 40, 80, 200])
    func linesFitTheTerminal(columns: Int) {
        let long = String(repeating: "設定😸\u{1B}[2J\n", count: 60)
        let style = OutputStyle(isTerminal: true, isJSON: false, columns: columns, isColored: false)
        let change = KeyChange(
            key: "a.key",
            kind: columns > 40 ? .schema : .value,
            old: .string(long),
            new: .string("new")
        )
        let line = style.line(change.line(style: style))
        #expect(line.dropLast().columnWidth <= columns)
        #expect(!line.contains("\u{1B}"))
        #expect(line.contains("\"new\""))
        #expect(line.split(separator: "\n").count == 1)
    }

    @Test func batchesContainEachChangeOnceWithinLimits() {
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

    @Test func theSchemasAreTogetherInTheLastBatch() {
        let values = Dictionary(uniqueKeysWithValues: (0..<20).map { ("k\($0)", EntryValue.integer($0)) })
        let schemas = Dictionary(
            uniqueKeysWithValues: (0..<20).map { ("k\($0)", ["title": .integer($0)] as EntryValue) }
        )
        let diff = ConfigDiff(from: NamespaceContents(), to: NamespaceContents(values: values, schemas: schemas))
        let batches = diff.batches(ofKeys: 8)
        #expect(batches.map(\.values.count) == [8, 8, 4])
        #expect(batches.map(\.schemas.count) == [0, 0, 20])
    }

    @Test func rulesAreInTheBatchesOfTheirKeys() {
        let names = (0..<20).map { "k\($0)" }
        let values = Dictionary(uniqueKeysWithValues: names.map { ($0, EntryValue.integer(1)) })
        let rules = Dictionary(uniqueKeysWithValues: (names + ["other"]).map { ($0, EntryValue.boolean(true)) })
        let diff = ConfigDiff(from: NamespaceContents(), to: NamespaceContents(values: values, rules: rules))
        let batches = diff.batches(ofKeys: 8)
        #expect(batches.map(\.changes.count) == [8, 8, 8, 8, 8, 1])
        #expect(batches.dropLast().allSatisfy { Set($0.values.map(\.key)) == Set($0.rules.map(\.key)) })
        #expect(ConfigDiff(batches.flatMap(\.changes)) == diff)
    }

    @Test func theRulesOfRemovedKeysAreReported() {
        let present = NamespaceContents(values: ["a": 1, "b": 2], rules: ["a": true, "other": true])
        let diff = present.removal(of: ["a": 1, "b": 2])
        #expect(diff.values.map(\.key) == ["a", "b"] && diff.rules.map(\.key) == ["a"])
        #expect(present.removal(of: ["other": true], .rule).rules.map(\.key) == ["other"])
    }

    @Test func evaluatorsAreThereAsLongAsRulesNeedThem() {
        let shared = EntryKind.sharedRules
        let old = NamespaceContents(rules: [shared: ["old": true, "both": 1], "a": "uses old"])
        let new = NamespaceContents(rules: [shared: ["both": 2, "new": true], "a": "uses new", "b": "uses new"])
        let batches = ConfigDiff(from: old, to: new).batches(ofKeys: 2)
        #expect(batches.map { $0.rules.map(\.key) } == [[shared, "a"], ["b", shared].sorted()])
        #expect(batches[0].request().rules[shared] == ["old": true, "both": 2, "new": true])
        #expect(batches[1].request().rules[shared] == ["both": 2, "new": true])
        let few = ConfigDiff(from: old, to: NamespaceContents()).batches()
        #expect(few.map(\.rules.count) == [2])
    }

    @Test(arguments: [(0, "0"), (7, "7"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567"), (-1000, "-1,000")])
    func numbersAreGrouped(number: Int, text: String) {
        #expect(number.grouped == text)
    }
}

struct ImportJobTests {
    private let snapshot = ServerSnapshot(
        cursor: RevisionCursor(epoch: Epoch(rawValue: 1), revision: 9),
        digest: ConfigDigest(),
        entries: ["a": .integer(1), "old": .boolean(true), "rule:old": ["variants": ["x": true]]],
        schemas: ["a": ["type": "integer"], "old": true]
    )

    /// `livery import --replace` and `livery diff` find the same changes, and keep what a document does not list.
    @Test(
        arguments: [
            (#"{"a": 1}"#, ["- old"]),
            (#"{"livery": 1, "entries": {"a": 1}}"#, ["- old"]),
            (#"{"livery": 1, "entries": {"a": 1}, "schemas": {}}"#, ["- old", "- schema a", "- schema old"]),
            (#"{"livery": 1, "entries": {"a": 1, "old": true}, "rules": {}}"#, ["- rule old"]),
            (#"{"livery": 1, "rules": {"a": {"variants": {"x": 2}}}}"#, ["+ rule a", "- rule old"]),
            (#"{"livery": 1, "schemas": {"old": true}}"#, ["- schema a"]),
        ]
    )
    func keepsKindsThatTheDocumentDoesNotList(json: String, changes: [String]) throws {
        let document = DocumentContents(of: try ConfigDocument(json: Array(json.utf8), source: "c.json"))
        let diff = ImportJob(document: document, replaces: true).plan(from: snapshot).diff
        let lines = diff.lines(style: OutputStyle(isJSON: false)).map { $0.prefix(2).map(\.text).joined() }
        #expect(lines == changes)
    }

    @Test func refusesToRemoveAllKeys() throws {
        let present = NamespaceContents(of: snapshot)
        for (next, reason) in [
            (NamespaceContents(rules: present.rules), "all 2 keys"),
            (NamespaceContents(values: ["b": 1]), "all 2 keys"),
            (NamespaceContents(), "all 2 keys"),
        ] {
            let error = #expect(throws: ConfigError.self) {
                try present.refuseRemovingAll(ConfigDiff(from: present, to: next), by: "--replace")
            }
            #expect(error?.message.contains("--replace would remove \(reason)") == true)
            #expect(error?.message.contains("--remove-all") == true && error?.code.exit == .data)
        }
        let rest = NamespaceContents(schemas: present.schemas, rules: present.rules)
        #expect(throws: ConfigError.self) {
            try rest.refuseRemovingAll(ConfigDiff(from: rest, to: NamespaceContents()), by: "--replace")
        }
        for next in [NamespaceContents(values: ["a": 2]), present] {
            try present.refuseRemovingAll(ConfigDiff(from: present, to: next), by: "--replace")
        }
        try NamespaceContents().refuseRemovingAll(ConfigDiff([]), by: "--replace")
        try rest.refuseRemovingAll(ConfigDiff(from: rest, to: NamespaceContents(rules: rest.rules)), by: "--replace")
    }

    @Test(
        arguments: [
            (#"{"old": false, "a": 1}"#, true), (#"{"old": true, "a": 2}"#, false),
            (#"{"livery": 1, "entries": {"old": false}, "rules": {"old": {"variants": {"x": false}}}}"#, false),
            (#"{"livery": 1, "entries": {"old": false}, "rules": {"a": {"variants": {"x": 1}}}}"#, true),
        ]
    )
    func warnsOfValuesUnderRulesThatStay(json: String, warns: Bool) throws {
        let document = DocumentContents(of: try ConfigDocument(json: Array(json.utf8), source: "c.json"))
        let plan = ImportJob(document: document, replaces: false).plan(from: snapshot)
        #expect((plan.warnings.first?.hasPrefix("Warning: old has a rule: ") == true) == warns)
    }

    @Test func sentencesCountRevisions() {
        let diff = ConfigDiff(from: [:], to: ["a": .integer(1)])
        let one = ImportResult(diff: diff, unchanged: 0, revision: 5, revisions: 1)
        #expect(one.sentence == "1 new: revision 5.")
        let several = ImportResult(diff: diff, unchanged: 1200, revision: 5, revisions: 3)
        #expect(several.sentence == "1 new, 1,200 unchanged: 3 revisions, latest: 5.")
    }
}
