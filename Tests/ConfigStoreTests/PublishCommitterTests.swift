// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigSchemas
import Testing

@testable import ConfigStore

struct PublishCommitterTests {
    /// A store at revision 7: `a` is 1 since revision 3, `b` is "x" since revision 5, the history reaches back to 2.
    struct Records: StoreTransaction {
        typealias Failure = Never

        var entries = [
            "default": [
                "a": Records.stored(.integer(1), id: 1, revision: 3),
                "b": Records.stored(.string("x"), id: 2, revision: 5),
            ]
        ]
        var revisions: [String: UInt64] = ["default": 5, "other": 7]
        var nextID: Int64 = 3

        static func stored(_ value: EntryValue, id: Int64, revision: UInt64) -> StoredEntry {
            let time = Timestamp(milliseconds: Int64(revision) * 100)
            return StoredEntry(id: id, value: value, revision: revision, createdAt: time, updatedAt: time)
        }

        func floor() -> UInt64 { 2 }

        func revision(of namespace: String) -> UInt64 { revisions[namespace] ?? 0 }

        func entry(_ key: String, in namespace: String) -> StoredEntry? { entries[namespace]?[key] }

        func entries(in namespace: String, from beginning: String) -> [String: StoredEntry] {
            (entries[namespace] ?? [:]).filter { $0.key.hasPrefix(beginning) }
        }

        func schemas(in namespace: String) -> SchemaSet {
            SchemaSet(entries: entries(in: namespace, from: EntryKind.schema.prefix))
        }

        /// At revision 4 there was `a` as it is now, `c`, and no `b`.
        func values(in namespace: String, at revision: UInt64) -> [String: EntryValue?] {
            revision == 4 ? ["a": .integer(1), "b": nil, "c": .boolean(true)] : [:]
        }

        mutating func write(_ revision: NewRevision) -> [String: StoredEntry?] {
            var made: [String: StoredEntry?] = [:]
            for change in revision.changes {
                let entry = revision.entry(change, id: change.old?.id ?? nextID)
                if change.old == nil { nextID += 1 }
                made[change.key] = .some(entry)
                entries[revision.namespace, default: [:]][change.key] = entry
            }
            revisions[revision.namespace] = revision.revision
            return made
        }
    }

    private static let last = Timestamp(milliseconds: 700)

    static func committer(now: Int64 = 10_000) -> PublishCommitter {
        PublishCommitter(head: 7, updatedAt: last) { Timestamp(milliseconds: now) }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var change: Publish.Change
        var namespace = "default"
        var conditions: [Publish.Condition] = []
        /// The values that are written, `nil` for what is removed; `nil` if nothing is written.
        var written: [String: EntryValue?]?
        var outcome: PublishOutcome?
    }

    private static func edit(
        _ description: String,
        if conditions: [Publish.Condition] = [],
        _ values: [String: EntryValue?] = ["a": .integer(2)],
        in namespace: String = "default",
        writes written: [String: EntryValue?]? = nil,
        is outcome: PublishOutcome? = nil
    ) -> Case {
        Case(
            testDescription: description,
            change: .edit(values),
            namespace: namespace,
            conditions: conditions,
            written: written,
            outcome: outcome
        )
    }

    private static func fails(_ conditions: Publish.Condition..., by failed: Int = 0) -> Case {
        edit("\(conditions)", if: conditions, is: .conditionFailed(conditions[failed]))
    }

    private static func holds(_ condition: Publish.Condition) -> Case {
        edit("\(condition)", if: [condition], writes: ["a": .integer(2)])
    }

    private static func rollback(
        to revision: UInt64,
        writes written: [String: EntryValue?]? = nil,
        is outcome: PublishOutcome? = nil
    ) -> Case {
        Case(testDescription: "to \(revision)", change: .rollback(to: revision), written: written, outcome: outcome)
    }

    static let edits = [
        edit("a new value", writes: ["a": .integer(2)]),
        edit("a new key", ["c": .integer(1)], writes: ["c": .integer(1)]),
        edit("a key removed", ["a": nil], writes: ["a": nil]),
        edit("only what changes", ["a": .integer(1), "b": nil, "z": nil], writes: ["b": nil]),
        edit("a number is not a text", ["a": .string("1")], writes: ["a": .string("1")]),
        edit("the same key elsewhere", ["a": .integer(1)], in: "other", writes: ["a": .integer(1)]),
        edit("a new namespace", ["a": .integer(1)], in: "new", writes: ["a": .integer(1)]),
        edit(
            "the same value",
            ["a": .integer(1)],
            is: .unchanged(at: 5, entries: ["a": Records.stored(.integer(1), id: 1, revision: 3)])
        ),
        edit("a key that is absent removed", ["z": nil], is: .unchanged(at: 5, entries: [:])),
        edit("nothing", [:], in: "other", is: .unchanged(at: 7, entries: [:])),
    ]

    static let conditions = [
        holds(.head(5)), fails(.head(7)), fails(.head(4)),
        holds(.absent(key: "z")), fails(.absent(key: "a")),
        holds(.present(key: "b")), fails(.present(key: "z")),
        holds(.entry(key: "a", revisions: [1, 3])), fails(.entry(key: "a", revisions: [5])),
        fails(.entry(key: "a", revisions: [])), fails(.entry(key: "z", revisions: [3])),
        fails(.head(5), .absent(key: "a"), .head(0), by: 1),
        edit("before what changes nothing", if: [.head(0)], ["a": .integer(1)], is: .conditionFailed(.head(0))),
        edit("of a new namespace", if: [.head(0)], in: "new", writes: ["a": .integer(2)]),
    ]

    static let rollbacks = [
        rollback(to: 4, writes: ["b": nil, "c": .boolean(true)]),
        rollback(to: 2, is: .unchanged(at: 5, entries: [:])), rollback(to: 7, is: .unchanged(at: 5, entries: [:])),
        rollback(to: 1, is: .unknownRevision(1)), rollback(to: 0, is: .unknownRevision(0)),
        rollback(to: 8, is: .unknownRevision(8)), rollback(to: .max, is: .unknownRevision(.max)),
    ]

    @Test(arguments: edits + conditions + rollbacks)
    func conditionsApplyToTheStoresState(_ item: Case) throws {
        let records = Records()
        let publish = Publish(
            namespace: item.namespace,
            change: item.change,
            conditions: item.conditions,
            author: "ana",
            message: "why"
        )
        switch Self.committer().decide(publish, in: records) {
        case .answer(let outcome):
            #expect(outcome == item.outcome)
        case .write(let revision):
            #expect(Dictionary(uniqueKeysWithValues: revision.changes.map { ($0.key, $0.value) }) == item.written)
            #expect(revision.changes.map(\.key) == item.written?.keys.sorted())
            for change in revision.changes { #expect(change.old == records.entry(change.key, in: item.namespace)) }
            #expect(revision.revision == 8)
            #expect(revision.previous == records.revision(of: item.namespace))
            #expect(revision.namespace == item.namespace)
            #expect([revision.author, revision.message] == ["ana", "why"])
        }
    }

    @Test func eachPublishOfABatchSeesTheOnesBefore() throws {
        var (committer, records) = (Self.committer(now: 0), Records())
        let outcomes = committer.commit(
            [
                Publish(namespace: "default", change: .edit(["c": .integer(1)])),
                Publish(namespace: "default", change: .edit(["c": .integer(1)])),
                Publish(namespace: "default", change: .edit(["c": nil]), conditions: [.head(5)]),
                Publish(namespace: "other", change: .edit(["c": .integer(1)]), conditions: [.head(7)]),
                Publish(namespace: "default", change: .edit(["c": .integer(2)]), conditions: [.head(8)]),
                Publish(namespace: "default", change: .rollback(to: 11)),
            ],
            in: &records
        )
        #expect(outcomes.map { $0.commit?.revision } == [8, nil, nil, 9, 10, nil])
        let made = try #require(outcomes[0].entry("c"))
        #expect(outcomes[1] == .unchanged(at: 8, entries: ["c": made]))
        #expect(outcomes[2] == .conditionFailed(.head(5)))
        #expect(outcomes[5] == .unknownRevision(11))
        #expect(outcomes.compactMap { $0.commit?.updatedAt.milliseconds } == [701, 702, 703])
        #expect(outcomes.compactMap { $0.commit?.previous } == [5, 7, 8])
        #expect(committer.head == 10)
        #expect(committer.updatedAt.milliseconds == 703)
    }

    /// Each variant alone is cheap enough; all that one publish has checked is not.
    @Test(.timeLimit(.minutes(5))) func valuesAndVariantsHaveOneBudget() throws {
        var records = Records()
        records.entries["default", default: [:]]["schema:*"] =
            Records.stored(["pattern": "(?:a?){660}$"], id: 9, revision: 5)
        let text = EntryValue.string(String(repeating: "a", count: 600) + "b")
        let variants = EntryObject((0..<55).map { (key: "v\($0)", value: text) })
        let rule: EntryValue = ["variants": .object(variants), "defaultVariant": "v0"]
        var edits: [String: EntryValue?] = ["value": text]
        for number in 0..<40 { edits["rule:k\(number)"] = .some(rule) }
        let publish = Publish(namespace: "default", change: .edit(edits))
        let violations = try #require(Self.committer().decide(publish, in: records).violations)
        #expect(violations.count == 1)
        #expect(violations.first?.message.hasPrefix("validating the values exceeds the step limit") == true)
        #expect(violations.first?.rule != nil)
        // A part of them is not too much.
        let part = Publish(namespace: "default", change: .edit(["value": text, "rule:k0": rule]))
        #expect(Self.committer().decide(part, in: records).revision != nil)
    }

    private struct InvalidPublish: Error {}

    private static func checked(_ edits: [String: EntryValue?], by records: Records) throws -> Publish {
        var publish = Publish(namespace: "default", change: .edit(edits))
        guard case .valid(let check) = records.check(publish) else {
            throw InvalidPublish()
        }
        publish.check = check
        return publish
    }

    private static func outcome(_ edits: [String: EntryValue?], in records: inout Records) throws -> PublishOutcome {
        var committer = PublishCommitter(head: records.revisions.values.max() ?? 0, updatedAt: last) { last }
        let publish = Publish(namespace: "default", change: .edit(edits))
        return try #require(committer.commit([publish], in: &records).first)
    }

    private static let rule: EntryValue = ["variants": ["x": 1], "defaultVariant": "x"]

    /// Publishes, edits between their check and their commit, and whether the check still applies.
    static let laterEdits: [([String: EntryValue?], [String: EntryValue?], Bool)] = [
        (["c": 1], ["c": 2], true),
        (["c": 1], ["schema:z": ["type": "null"]], false),
        (["c": 1], ["schema:a": nil], false),
        (["c": 1], ["rule:$evaluators": ["x": true]], true),
        (["rule:c": rule], ["rule:$evaluators": ["x": true]], false),
        (["rule:c": rule], ["c": 3], true),
        // An unchanged value was not checked, and may have become a change.
        (["a": 1, "c": 1], ["a": 2], false),
        (["a": 1, "c": 1], ["b": "y"], true),
    ]

    /// The check of a publish is valid until one of its dependencies changes.
    @Test(arguments: laterEdits)
    func checkIsOutdatedByItsDependencies(
        edits: [String: EntryValue?],
        others: [String: EntryValue?],
        isCurrent: Bool
    ) throws {
        var records = Records()
        _ = try Self.outcome(["schema:a": ["type": "integer"]], in: &records)
        let publish = try Self.checked(edits, by: records)
        #expect(Self.committer().decide(publish, in: records).revision != nil)
        #expect(try Self.outcome(others, in: &records).commit != nil)
        let decision = Self.committer().decide(publish, in: records)
        #expect(isCurrent ? decision.revision != nil : decision == .answer(.outdated), "\(decision)")
    }

    /// A program that reads them all would reject them.
    @Test func rulesThatTakeTooLongTogetherAreRejected() throws {
        let list: EntryValue = ["merge": [["var": "accumulator"], ["var": "accumulator"]]]
        let slow: EntryValue = ["variants": ["a": 1], "targeting": ["if": [["reduce": [[1], list, []]], "a"]]]
        func decision(of count: Int) -> PublishCommitter.Decision {
            let rules = (0..<count).map { ("rule:k\($0)", EntryValue?.some(slow)) }
            let publish = Publish(namespace: "default", change: .edit(Dictionary(rules) { $1 }))
            return Self.committer().decide(publish, in: Records())
        }
        #expect(decision(of: 200).revision != nil)
        let violations = try #require(decision(of: 201).violations)
        #expect(violations.count == 1 && violations[0].message.hasPrefix("the rules could take 20100000 steps"))
    }

    /// Without schemas, values need no check, and rules do.
    @Test func checksWithoutSchemasEndWithTheFirstSchema() throws {
        var records = Records()
        let publish = try Self.checked(["b": nil, "c": 1], by: records)
        _ = try Self.outcome(["a": 7], in: &records)
        #expect(Self.committer().decide(publish, in: records).revision != nil)
        _ = try Self.outcome(["schema:z": ["type": "null"]], in: &records)
        #expect(Self.committer().decide(publish, in: records) == .answer(.outdated))
        let wrong: EntryValue = ["variants": ["x": 1], "defaultVariant": "y"]
        let other = Publish(namespace: "default", change: .edit(["rule:c": wrong]))
        guard case .invalid = Records().check(other) else {
            Issue.record("the rule is not checked")
            return
        }
    }

    /// A new schema has to be kept by what was written after its check as well.
    @Test func valuesAfterTheCheckOfASchemaAreChecked() throws {
        var records = Records()
        let publish = try Self.checked(["schema:*": ["type": ["integer", "string"]]], by: records)
        _ = try Self.outcome(["c": true], in: &records)
        #expect(Self.committer().decide(publish, in: records).violations?.map(\.key) == ["c"])
    }

    @Test func conditionsAreDecidedByTheStoreBeforeViolations() throws {
        let records = Records()
        let wrong = Publish(namespace: "default", change: .edit(["schema:a": ["type": 1]]), conditions: [.head(1)])
        guard case .valid(let check) = records.check(wrong) else {
            Issue.record("violations come first")
            return
        }
        #expect(check == PublishCheck.none)
    }
}

extension PublishCommitter.Decision {
    fileprivate var revision: NewRevision? { if case .write(let revision) = self { revision } else { nil } }

    fileprivate var violations: [ViolationMessage]? {
        if case .answer(.invalid(let violations)) = self { violations } else { nil }
    }
}
