// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigStore
internal import Testing

extension StoreLaw {
    static let commitLaws = [
        StoreLaw("a new store is empty, at revision 0") { bench in
            let contents = try await bench.load()
            #expect(contents.head.revision == 0)
            #expect(contents.namespaces.isEmpty)
        },
        StoreLaw("each commit increments the revision, across all namespaces") { bench in
            let first = try await bench.edit(["a": .integer(1), "b": .integer(2)])
            let second = try await bench.edit(["a": .integer(1)], in: "other")
            let third = try await bench.edit(["a": .integer(2)])
            #expect([first, second, third].map(\.revision) == [1, 2, 3])
            #expect([first, second, third].map(\.previous) == [0, 0, 1])
            let contents = try await bench.load()
            #expect(contents.head.revision == 3)
            #expect(contents.namespaces["default"]?.revision == 3)
            #expect(contents.namespaces["other"]?.revision == 2)
        },
        StoreLaw("a publish without changes creates no revision; a commit contains only changes") { bench in
            let made = try await bench.edit(["a": .integer(1), "b": .string("x")])
            try await bench.edit(["a": .integer(1)], in: "other")
            let entries = ["a": try #require(made.changes["a"] ?? nil)]
            let same = try await bench.publish(.edit(["a": .integer(1), "gone": nil]))
            #expect(same == .unchanged(at: 1, entries: entries))
            #expect(try await bench.publish(.edit([:])) == .unchanged(at: 1, entries: [:]))
            #expect(try await bench.publish(.edit(["a": nil]), in: "new") == .unchanged(at: 0, entries: [:]))
            let commit = try await bench.edit(["a": .integer(1), "b": .string("y"), "gone": nil])
            #expect(Set(commit.changes.keys) == ["b"])
            #expect(commit.revision == 3)
        },
        StoreLaw("a commit matches the contents of the store") { bench in
            let commit = try await bench.edit(["a": .integer(1), "b": .integer(2)])
            let held = try await bench.load()
            #expect(held.namespaces["default"]?.entries.mapValues(Optional.some) == commit.changes)
            #expect(held.updatedAt == commit.updatedAt)
        },
        StoreLaw("times strictly increase even if the clock stops or goes back") { bench in
            var last = try await bench.edit(["a": .integer(0)]).updatedAt
            #expect(last == bench.clock.now)
            for (step, jump) in [0, 0, -86_400_000, 5, 100_000_000, -1].enumerated() {
                bench.clock.advance(by: Int64(jump))
                let commit = try await bench.edit(["a": .integer(step + 1)])
                #expect(commit.updatedAt == max(bench.clock.now, Timestamp(milliseconds: last.milliseconds + 1)))
                last = commit.updatedAt
            }
            bench.clock.advance(by: -1_000_000_000)
            #expect(try await bench.reopen().updatedAt == last)
            #expect(try await bench.edit(["b": .integer(0)]).updatedAt.milliseconds == last.milliseconds + 1)
        },
        StoreLaw("a reopened store has the same contents and epoch") { bench in
            try await bench.edit(["a": .integer(1), "b": .string("😸")])
            try await bench.edit(["c": .boolean(true)], in: "other")
            try await bench.edit(["a": nil])
            try await bench.edit(["c": nil], in: "other")
            let before = try await bench.load()
            #expect(try await bench.reopen() == before)
            #expect(before.namespaces["other"] == .init(revision: 4, entries: [:]))
            #expect(try await bench.edit(["a": .integer(1)]).revision == 5)
        },
    ]

    static let conditionLaws = [
        StoreLaw("a failed condition is reported and nothing is written") { bench in
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
            #expect(try await bench.history().count == 2)
        },
        StoreLaw("exactly one of several publishes that expect the same head succeeds") { bench in
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
        StoreLaw("concurrent commits get unique, consecutive revisions") { bench in
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
