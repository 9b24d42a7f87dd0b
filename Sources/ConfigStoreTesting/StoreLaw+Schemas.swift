// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigStore
internal import Testing

extension StoreLaw {
    static let schemaLaws = [
        StoreLaw("the patterns of a namespace's schemas have a total limit") { bench in
            let pattern: EntryValue = ["pattern": "a{1999}"]
            let schema: EntryValue = ["allOf": .array(Array(repeating: pattern, count: 20))]
            for number in 10..<22 { try await bench.edit(["schema:s\(number)": schema]) }
            let refused = try await bench.publish(["schema:s22": schema, "a": 1])
            #expect(refused.violations?.map(\.schema) == ["s22"])
            try await bench.edit(["schema:s22": schema, "schema:s10": nil])
            try await bench.edit(["schema:s22": schema], in: "other")
        },
        StoreLaw("a schema can have a name of maximum length") { bench in
            let name = "schema:" + String(repeating: "n", count: 126) + ".*"
            try await bench.edit([name: ["type": "string"]])
            #expect(try await bench.reopen().namespaces["default"]?.entries[name]?.value == ["type": "string"])
        },
    ]
}

extension StoreLaw {
    /// Values and schemas of several servers on one place.
    static let sharedSchemaLaws = [
        StoreLaw("no revision written by concurrent servers violates a schema") { bench in
            let other = try await bench.openAnother()
            try await bench.edit(["level": 0, "schema:level": ["maximum": 0]])
            let outcomes = try await withThrowingTaskGroup(of: [PublishOutcome].self) { group in
                for (writer, store) in [bench.store, other, bench.store, other].enumerated() {
                    group.addTask { try await raceOutcomes(of: store, seed: UInt64(writer)) }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            // Both orders occur, or there was no race.
            #expect(outcomes.contains { $0.commit != nil } && outcomes.contains { $0.violations != nil })
            let records = try await bench.history()
            let revisions = Dictionary(grouping: records, by: \.revision).sorted { $0.key < $1.key }
            #expect(revisions.map(\.key) == Array(1...UInt64(revisions.count)))
            var (level, schema): (EntryValue?, EntryValue?)
            for (revision, records) in revisions {
                for record in records {
                    if record.key == "level" { level = record.value } else { schema = record.value }
                }
                guard case .integer(let level)? = level, case .object(let members)? = schema,
                    case .integer(let maximum)? = members["maximum"]
                else { continue }
                #expect(level <= maximum, "revision \(revision)")
            }
            try await bench.close(other)
        }
    ]

    private static func raceOutcomes(of store: any EntryStore, seed: UInt64) async throws -> [PublishOutcome] {
        var (random, outcomes) = (SplitMix(state: seed), [PublishOutcome]())
        for _ in 0..<40 {
            let (level, maximum) = (Int.random(in: 0..<6, using: &random), Int.random(in: 0..<6, using: &random))
            var edits: [String: EntryValue?] = ["level": .integer(level)]
            if Bool.random(using: &random) { edits["schema:level"] = ["maximum": .integer(maximum)] }
            if Int.random(in: 0..<4, using: &random) == 0 { edits["level"] = nil }
            outcomes += try await store.commit([Publish(namespace: "default", change: .edit(edits))])
        }
        return outcomes
    }
}

extension PublishOutcome {
    var violations: [ViolationMessage]? {
        if case .invalid(let violations) = self { violations } else { nil }
    }
}
