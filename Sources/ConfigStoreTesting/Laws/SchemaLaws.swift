// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigStore
internal import Testing

extension StoreLaw {
    static let schemaLaws = [
        StoreLaw("a publish with a schema violation is rejected as a whole") { bench in
            try await bench.edit(["schema:app.*": ["type": "string"], "schema:app.size": ["maximum": 9]])
            let refused = try await bench.publish(.edit(["app.a": 1, "app.b": "b", "app.size": 10, "other": 1]))
            let violations = try #require(refused.violations)
            #expect(violations.map(\.key) == ["app.a", "app.size"])
            #expect(violations.map(\.schema) == ["app.*", "app.size"])
            #expect(violations.map(\.limit) == ["string", 9])
            #expect(violations.map(\.found) == [1, 10])
            #expect(refused.revision == nil)
            #expect(try await bench.values().count == 2)
            #expect(try await bench.load().head.revision == 1)
            try await bench.edit(["app.a": "a", "app.size": 9, "other": 1])
        },
        StoreLaw("a schema that a current value violates requires a valid value in the same publish") { bench in
            try await bench.edit(["app.a": 1, "app.b": "b", "appendix": 1])
            let schema: EntryValue = ["type": "string"]
            let refused = try await bench.publish(.edit(["schema:app.*": schema]))
            #expect(refused.violations?.map(\.key) == ["app.a"])
            #expect(try await bench.values()["schema:app.*"] == nil)
            try await bench.edit(["schema:app.*": schema, "app.a": "a"])
            let all = try await bench.publish(.edit(["schema:*": schema]))
            #expect(all.violations?.map(\.key) == ["appendix"])
            try await bench.edit(["schema:*": schema, "appendix": nil])
            #expect(try await bench.publish(.edit(["z": 1])).violations?.map(\.schema) == ["*"])
        },
        StoreLaw("schemas are in the history, and a rollback restores them with the values") { bench in
            try await bench.edit(["schema:a.*": ["type": "integer"], "a.x": 1], in: "other")
            try await bench.edit(["schema:a.*": ["type": "string"], "a.x": "one"], in: "other")
            try await bench.edit(["schema:a.*": nil, "a.x": true], in: "other")
            #expect(
                try await bench.history(of: "other", key: "schema:a.*").map(\.value) == [
                    nil, ["type": "string"], ["type": "integer"],
                ]
            )
            #expect(try await bench.values(in: "other", at: 1) == ["schema:a.*": ["type": "integer"], "a.x": 1])
            let back = try #require(try await bench.publish(.rollback(to: 1), in: "other").commit)
            #expect(back.changes.keys.sorted() == ["a.x", "schema:a.*"])
            #expect(try await bench.publish(.edit(["a.x": "two"]), in: "other").violations?.count == 1)
            #expect(
                try await bench.reopen().namespaces["other"]?.entries.mapValues(\.value) == [
                    "schema:a.*": ["type": "integer"], "a.x": 1,
                ]
            )
            #expect(try await bench.publish(.edit(["a.x": "two"]), in: "other").violations?.count == 1)
        },
        StoreLaw("the patterns of a namespace's schemas have a total limit") { bench in
            let pattern: EntryValue = ["pattern": "a{1999}"]
            let schema: EntryValue = ["allOf": .array(Array(repeating: pattern, count: 20))]
            for number in 10..<22 { try await bench.edit(["schema:s\(number)": schema]) }
            let refused = try await bench.publish(.edit(["schema:s22": schema, "a": 1]))
            #expect(refused.violations?.map(\.schema) == ["s22"])
            try await bench.edit(["schema:s22": schema, "schema:s10": nil])
            try await bench.edit(["schema:s22": schema], in: "other")
        },
        StoreLaw("a schema belongs to one namespace and can have a name of maximum length") { bench in
            let name = String(repeating: "n", count: 126) + ".*"
            try await bench.edit(["schema:\(name)": ["type": "string"], "schema:a": ["type": "string"]])
            try await bench.edit(["a": 1], in: "other")
            let contents = try await bench.reopen()
            #expect(contents.namespaces["default"]?.entries.keys.sorted() == ["schema:a", "schema:\(name)"])
            #expect(try await bench.publish(.edit(["a": 1])).violations?.count == 1)
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
            let records = try await bench.history(limit: 10_000)
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
