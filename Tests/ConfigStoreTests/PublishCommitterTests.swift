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

        /// Nothing has changed since any revision.
        func values(in namespace: String, at revision: UInt64) -> [String: EntryValue?] { [:] }

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

    @Test(arguments: [0, 1, 2, 7, 8, .max] as [UInt64])
    func rollbacksEndWithTheHistory(to revision: UInt64) {
        let publish = Publish(namespace: "default", change: .rollback(to: revision))
        let isKnown = (2...7).contains(revision)
        let outcome: PublishOutcome = isKnown ? .unchanged(at: 5, entries: [:]) : .unknownRevision(revision)
        #expect(Self.committer().decide(publish, in: Records()) == .answer(outcome))
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
