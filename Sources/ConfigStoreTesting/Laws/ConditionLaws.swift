internal import ConfigModel
internal import ConfigStore
internal import Testing

extension StoreLaw {
    static let conditionLaws = [
        StoreLaw("a condition that fails is named, and the publish leaves no trace") { bench in
            try await bench.edit(["a": .integer(1)])
            try await bench.edit(["b": .integer(1)])
            let before = try await bench.load()
            let failing: [Publish.Condition] = [
                .head(1), .absent(key: "a"), .present(key: "c"), .entry(key: "a", revisions: [2, 3]),
                .entry(key: "c", revisions: [1]), .entry(key: "a", revisions: []),
            ]
            for condition in failing {
                let outcome = try await bench.publish(.edit(["a": .integer(9), "z": .integer(9)]), if: [condition])
                #expect(outcome == .conditionFailed(condition))
            }
            #expect(try await bench.load() == before)
            #expect(try await bench.store.history(of: "default", key: nil, before: nil, limit: 9).count == 2)
        },
        StoreLaw("conditions that hold let the publish through") { bench in
            try await bench.edit(["a": .integer(1)])
            let holding: [Publish.Condition] = [
                .head(1), .absent(key: "b"), .present(key: "a"), .entry(key: "a", revisions: [7, 1]),
            ]
            let outcome = try await bench.publish(.edit(["b": .integer(2)]), if: holding)
            #expect(outcome.commit?.revision == 2)
        },
        StoreLaw("of several conditions the first that fails is named") { bench in
            let outcome = try await bench.publish(
                .edit(["a": .integer(1)]),
                if: [.head(0), .present(key: "x"), .head(5)]
            )
            #expect(outcome == .conditionFailed(.present(key: "x")))
        },
        StoreLaw("conditions are judged before whether anything changes") { bench in
            try await bench.edit(["a": .integer(1)])
            let outcome = try await bench.publish(.edit(["a": .integer(1)]), if: [.head(0)])
            #expect(outcome == .conditionFailed(.head(0)))
        },
        StoreLaw("a condition on the head means the namespace's, not the store's") { bench in
            try await bench.edit(["a": .integer(1)])
            try await bench.edit(["a": .integer(1)], in: "other")
            #expect(try await bench.publish(.edit(["b": .integer(1)]), if: [.head(1)]).commit?.revision == 3)
        },
        StoreLaw("of publishes that expect the same head exactly one succeeds") { bench in
            for round in 0..<5 {
                let head = try await bench.load().namespaces["default"]?.revision ?? 0
                let outcomes = try await withThrowingTaskGroup(of: PublishOutcome.self) { group in
                    for writer in 0..<16 {
                        group.addTask {
                            let value = EntryValue.integer(round * 100 + writer)
                            return try await bench.publish(.edit(["winner": value]), if: [.head(head)])
                        }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(outcomes.compactMap(\.commit).count == 1)
                #expect(outcomes.count { $0 == .conditionFailed(.head(head)) } == 15)
            }
        },
        StoreLaw("commits at the same time get revisions without a gap or a repetition") { bench in
            let commits = try await withThrowingTaskGroup(of: Commit.self) { group in
                for writer in 0..<32 {
                    group.addTask { try await bench.edit(["key.\(writer)": .integer(writer)], in: "n\(writer % 3)") }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let ordered = commits.sorted { $0.revision < $1.revision }
            #expect(ordered.map(\.revision) == Array(1...32))
            #expect(zip(ordered, ordered.dropFirst()).allSatisfy { $0.updatedAt < $1.updatedAt })
        },
    ]
}
