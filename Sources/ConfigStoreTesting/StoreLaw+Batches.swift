// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigStore
internal import Testing

extension StoreLaw {
    static let batchLaws = [
        StoreLaw("in a batch an entry keeps a unique id until it is removed, and no id is used again") { bench in
            var random = SplitMix(state: 99)
            var (living, all) = ([String: Int64](), Set<Int64>())
            for round in 0..<6 {
                let contents = try await bench.load()
                let batch = (0..<40).map { _ in Publish.random(knowing: contents, using: &random) }
                for (publish, outcome) in zip(batch, try await bench.store.commit(batch)) {
                    for commit in outcome.commits {
                        for (key, entry) in commit.changes {
                            let place = commit.namespace + "/" + key
                            if let entry {
                                #expect(entry.id > 0)
                                if let id = living[place] { #expect(entry.id == id) }
                                if living[place] == nil { #expect(all.insert(entry.id).inserted) }
                            }
                            living[place] = entry?.id
                        }
                    }
                    guard case .unchanged(_, let entries) = outcome else { continue }
                    for (key, entry) in entries { #expect(entry.id == living[publish.namespace + "/" + key]) }
                }
                let present = try await round.isMultiple(of: 4) ? bench.reopen() : bench.load()
                let held = present.namespaces.reduce(into: [String: Int64]()) { ids, namespace in
                    for (key, entry) in namespace.value.entries { ids[namespace.key + "/" + key] = entry.id }
                }
                try #require(held == living)
            }
        },
        StoreLaw("a batch and a publish can be large") { bench in
            let batch = (0..<1500).map { number in
                Publish(namespace: "n\(number % 5)", change: .edit(["k\(number)": .integer(number)]))
            }
            let outcomes = try await bench.store.commit(batch)
            #expect(outcomes.compactMap(\.commit?.revision) == Array(1...1500))
            let edits = (0..<1500).map { number in
                ("k\(number)", EntryValue?.some(.string("\(number) " + String(repeating: "x", count: 150))))
            }
            let commit = try await bench.edit(Dictionary(uniqueKeysWithValues: edits))
            #expect(commit.changes.count == 1500)
            let contents = try await bench.reopen()
            #expect(contents.problem == nil)
            #expect(contents.namespaces["default"]?.entries.mapValues(Optional.some) == commit.changes)
            #expect(contents.namespaces["n3"]?.entries.count == 300)
        },
        StoreLaw("the revisions of a batch are consecutive despite concurrent commits") { bench in
            try await checkRace(among: [bench.store], rounds: 6)
        },
    ]

    /// The laws that a store shared by several servers satisfies in addition to ``all``.
    public static let shared =
        [
            StoreLaw("a batch reaches other servers atomically and in order") { bench in
                let others = [try await bench.openAnother(), try await bench.openAnother()]
                try await checkRace(among: [bench.store] + others, rounds: 8)
                for store in others { try await bench.close(store) }
            },
            StoreLaw("every server receives each commit of the other servers' batches exactly once") { bench in
                let other = try await bench.openAnother()
                let stream = other.foreignCommits()
                var made: [Commit] = []
                for round in 0..<5 {
                    let batch = (0..<50).map { number in
                        Publish(
                            namespace: ["default", "one"][number % 2],
                            change: .edit(["k\(number)": .integer(round)])
                        )
                    }
                    made += try await bench.store.commit(batch).compactMap(\.commit)
                }
                var received: [Commit] = []
                for await commits in stream {
                    received += commits
                    if received.count >= made.count { break }
                }
                #expect(received == made)
                try await bench.close(other)
            },
            StoreLaw("a batch is validated against the latest commits of other servers") { bench in
                let other = try await bench.openAnother()
                for round in 1...8 {
                    let (first, second) = round % 2 == 0 ? (bench.store, other) : (other, bench.store)
                    let set = Publish(namespace: "default", change: .edit(["k": .integer(round)]))
                    let made = try #require(try await first.commit([set])[0].commit)
                    // The store's own last read or write was of another value.
                    let entry = try #require(made.changes["k"] ?? nil)
                    #expect(try await second.commit([set]) == [.unchanged(at: made.revision, entries: ["k": entry])])
                    let remove = Publish(
                        namespace: "default",
                        change: .edit(["k": nil]),
                        conditions: [.entry(key: "k", revisions: [made.revision])]
                    )
                    let removed = try #require(try await second.commit([remove])[0].commit)
                    #expect((removed.previous, removed.revision) == (made.revision, made.revision + 1))
                    #expect(try await first.commit([remove]) == [.conditionFailed(remove.conditions[0])])
                }
                try await bench.close(other)
            },
        ] + sharedSchemaLaws

    /// Lets stores on one database commit conflicting batches at the same time.
    private static func checkRace(among stores: [any EntryStore], rounds: Int) async throws {
        for round in 0..<rounds {
            let head = try await stores[0].load().namespaces["default"]?.revision ?? 0
            let batches = try await withThrowingTaskGroup(of: [PublishOutcome].self) { group in
                for (server, store) in stores.enumerated() {
                    for writer in 0..<4 {
                        let batch = raceBatch("\(round).\(server).\(writer)", at: head)
                        group.addTask { try await store.commit(batch) }
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            for outcomes in batches {
                let revisions = outcomes.compactMap(\.commit?.revision)
                #expect(zip(revisions, revisions.dropFirst()).allSatisfy { $0 + 1 == $1 })
                #expect(outcomes[0].commit != nil)
                let (shared, made) = (try #require(outcomes[0].entry("shared")), try #require(outcomes[0].revision))
                #expect(outcomes[2] == .unchanged(at: made, entries: ["shared": shared]))
            }
            // Among publishes that expect the same head, the one in the first batch succeeds.
            #expect(batches.count { $0[1].commit != nil } == 0)
            #expect(batches.count { $0[3].commit != nil } == 1)
            let commits = batches.joined().compactMap(\.commit).sorted { $0.revision < $1.revision }
            #expect(zip(commits, commits.dropFirst()).allSatisfy { $0.revision + 1 == $1.revision })
            #expect(zip(commits, commits.dropFirst()).allSatisfy { $0.updatedAt < $1.updatedAt })
            for store in stores {
                let contents = try await store.load()
                #expect(contents.problem == nil)
                #expect(contents.head.revision == commits.last?.revision)
            }
        }
    }

    private static func raceBatch(_ name: String, at head: UInt64) -> [Publish] {
        let own = EntryValue.string(name)
        return [
            Publish(namespace: "other", change: .edit(["shared": own, name: own])),
            Publish(namespace: "other", change: .edit(["x": own]), conditions: [.absent(key: "shared")]),
            Publish(namespace: "other", change: .edit(["shared": own])),
            Publish(namespace: "default", change: .edit(["winner": own]), conditions: [.head(head)]),
            Publish(namespace: "third", change: .edit(["shared": nil, "last": own])),
        ]
    }
}
