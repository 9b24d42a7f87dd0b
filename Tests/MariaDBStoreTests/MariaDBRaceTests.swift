// SPDX-License-Identifier: Apache-2.0

#if MariaDB
    import ConfigModel
    import ConfigStore
    import MariaDBStore
    import StoreTestSupport
    import TestSupport
    import Testing

    /// Several stores on one database.
    @Suite(.mariaDB(["--innodb-flush-log-at-trx-commit=0"]), .serialized, .timeLimit(.minutes(5)))
    struct MariaDBRaceTests {
        @Test func exactlyOneOfTwoConditionalWritersWins() async throws {
            let place = try await MariaDBPlace()
            let stores = (try place.store(), try place.store())
            defer {
                stores.0.close()
                stores.1.close()
            }
            _ = try await (stores.0.load(), stores.1.load())
            let first = try await stores.0.commit([Publish(namespace: "default", change: .edit(["k": .integer(-1)]))])
            var revision = try #require(first[0].commit?.revision)
            var wins = [0, 0]
            for round in 0..<10_000 {
                let condition = Publish.Condition.entry(key: "k", revisions: [revision])
                let publishes = (0..<2).map { writer in
                    Publish(
                        namespace: "default",
                        change: .edit(["k": .integer(round * 2 + writer)]),
                        conditions: [condition]
                    )
                }
                async let left = stores.0.commit([publishes[0]])
                async let right = stores.1.commit([publishes[1]])
                let outcomes = try await [left[0], right[0]]
                let winner = try #require(outcomes.firstIndex { $0.commit != nil })
                try #require(outcomes[1 - winner] == .conditionFailed(condition))
                try #require(outcomes[winner].commit?.revision == revision + 1)
                revision += 1
                wins[winner] += 1
            }
            #expect(wins.reduce(0, +) == 10_000)
            #expect(!wins.contains(0))
            #expect(try await stores.0.load().head.revision == revision)
        }

        /// What is read of others' commits at once is bounded by its bytes.
        @Test func largeCommitsOfOthersArriveInParts() async throws {
            let place = try await MariaDBPlace()
            let (writing, reading) = (try place.store(), try place.store())
            defer { for store in [writing, reading] { store.close() } }
            for store in [writing, reading] { _ = try await store.load() }
            let value = EntryValue.string(String(repeating: "x", count: 60_000))
            for _ in 0..<12 {
                var edits: [String: EntryValue?] = [:]
                for key in 0..<32 { edits["k\(key)"] = .array([.integer(Int.random(in: 0...999_999)), value]) }
                let publish = Publish(namespace: "default", change: .edit(edits))
                try #require(try await writing.commit([publish])[0].commit != nil)
            }
            var parts: [[Commit]] = []
            for await commits in reading.foreignCommits() {
                parts.append(commits)
                if commits.last?.revision == 12 { break }
            }
            #expect(parts.joined().map(\.revision) == Array(1...12))
            for part in parts {
                var bytes = 0
                for entry in part.flatMap(\.changes.values) { bytes += entry?.value.canonicalByteCount ?? 0 }
                #expect(bytes <= 8 << 20)
            }
        }

        @Test func everyStoreReceivesAllRevisionsInOrder() async throws {
            let place = try await MariaDBPlace()
            let stores = try (0..<3).map { _ in try place.store() }
            defer { for store in stores { store.close() } }
            for store in stores { _ = try await store.load() }
            let streams = stores.map { $0.foreignCommits() }
            let own = try await withThrowingTaskGroup(of: (Int, Commit).self) { group in
                for (index, store) in stores.enumerated() {
                    for writer in 0..<100 {
                        group.addTask {
                            let namespace = ["default", "one", "two"][writer % 3]
                            let edit = Publish.Change.edit([
                                "k\(index).\(writer)": .integer(writer), "shared": .integer(index * 1000 + writer),
                            ])
                            let outcomes = try await store.commit([Publish(namespace: namespace, change: edit)])
                            return (index, try #require(outcomes[0].commit))
                        }
                    }
                }
                return try await group.reduce(into: [Int: [Commit]]()) { $0[$1.0, default: []].append($1.1) }
            }
            let all = own.values.joined().sorted { $0.revision < $1.revision }
            #expect(all.map(\.revision) == Array(1...300))
            #expect(zip(all, all.dropFirst()).allSatisfy { $0.updatedAt < $1.updatedAt })
            for (index, stream) in streams.enumerated() {
                let mine = Set(own[index]?.map(\.revision) ?? [])
                let expected = all.filter { !mine.contains($0.revision) }
                var heard: [Commit] = []
                for await commits in stream {
                    heard += commits
                    if heard.count >= expected.count { break }
                }
                #expect(heard == expected)
            }
        }

        @Test func aManualStatementAndAStoreDoNotConflict() async throws {
            let place = try await MariaDBPlace()
            let store = try place.store()
            defer { store.close() }
            _ = try await store.load()
            _ = try await store.commit([Publish(namespace: "default", change: .edit(["k": .string("0")]))])
            async let byHand: Void = place.run(
                String(repeating: "UPDATE config SET value = CONCAT(value, 'h') WHERE `key` = 'k';\n", count: 300)
            )
            for count in 1...100 {
                let outcomes = try await store.commit([
                    Publish(namespace: "default", change: .edit(["k": .string("\(count)")]))
                ])
                try #require(outcomes[0].commit != nil)
            }
            try await byHand
            #expect(try await store.load().head.revision == 401)
        }

        @Test func aStoreReceivesOtherCommitsAndNotItsOwn() async throws {
            let place = try await MariaDBPlace()
            let (here, there) = (try place.store(), try place.store())
            defer {
                here.close()
                there.close()
            }
            _ = try await (here.load(), there.load())
            var commits = ForeignCommits(in: here)
            var times: [Duration] = []
            for count in 1...20 {
                _ = try await here.commit([Publish(namespace: "default", change: .edit(["own": .integer(count)]))])
                let start = ContinuousClock.now
                let outcomes = try await there.commit([Publish(namespace: "n", change: .edit(["k": .integer(count)]))])
                #expect(await commits.next() == outcomes[0].commit)
                times.append(.now - start)
            }
            print("commit elsewhere → heard of here:", times.sorted()[10], "p50,", times.max() ?? .zero, "at most")
        }
    }
#endif
