// SPDX-License-Identifier: Apache-2.0

#if MariaDB
    import ConfigModel
    import ConfigStore
    import Foundation
    import MariaDBStore
    import StoreTestSupport
    import Synchronization
    import TestSupport
    import Testing

    /// Connections and servers that are lost.
    @Suite(.mariaDB, .serialized, .timeLimit(.minutes(5)))
    struct MariaDBFaultTests {
        /// The writer's record of its writes: each creates a separate key.
        private struct Account {
            var acknowledged: [String: UInt64] = [:]
            var unknown: Set<String> = []
            var refused: Set<String> = []

            mutating func write(_ key: String, to store: MariaDBEntryStore) async {
                do {
                    let outcome = try await store.edit([key: .string(key)])
                    // A write that is made twice would find everything so already.
                    if let revision = outcome.commit?.revision {
                        acknowledged[key] = revision
                    } else {
                        Issue.record("\(key) was answered with \(outcome)")
                    }
                } catch {
                    if error.code == .uncertain { unknown.insert(key) } else { refused.insert(key) }
                }
            }

            /// Compares the record with the contents of the store.
            func check(_ store: MariaDBEntryStore) async throws {
                let contents = try await store.load()
                let history = try await store.history(HistoryQuery(of: "default", limit: 10_000))
                #expect(Set(history.map(\.key)).count == history.count)
                #expect(history.map(\.revision) == Array(1...contents.head.revision).reversed())
                let made = Dictionary(uniqueKeysWithValues: history.map { ($0.key, $0.revision) })
                for (key, revision) in acknowledged { #expect(made[key] == revision) }
                #expect(refused.isDisjoint(with: made.keys))
                #expect(made.count >= acknowledged.count && made.count <= acknowledged.count + unknown.count)
            }
        }

        @Test func aBatchWithoutAcknowledgementIsMadeOnceAndWhole() async throws {
            let place = try await MariaDBPlace()
            let proxy = try Mover(before: [place.server.port], seed: 23, cuttingAt: "COMMIT", oneOf: 3)
            let store = try place.store(port: proxy.port)
            defer { store.close() }
            try await until("the store to load") { (try? await store.load()) != nil }
            var made: [[UInt64]] = []
            for number in 0..<150 {
                let batch = (0..<7).map { part in
                    Publish(
                        namespace: part % 2 == 0 ? "default" : "other",
                        change: .edit(["k\(number).\(part)": .integer(part), "shared": .integer(number * 10 + part)])
                    )
                }
                made.append(try await store.commit(batch).compactMap(\.commit?.revision))
            }
            proxy.behave()
            #expect(proxy.cutCount > 30)
            // Each publish has made a revision, and none has been made twice or between those of another batch.
            #expect(made.joined().elementsEqual(1...1050))
            let contents = try await store.load()
            #expect(contents.head.revision == 1050)
            #expect(contents.problem == nil)
            #expect(try await store.history(HistoryQuery(of: "default", limit: 10_000)).count == 150 * 8)
            #expect(try await store.history(HistoryQuery(of: "other", limit: 10_000)).count == 150 * 6)
        }

        @Test func acknowledgedCommitsSurviveKillsAndCutConnections() async throws {
            let place = try await MariaDBPlace()
            let store = try await place.opened()
            let isDone = Atomic(false)
            let written = Atomic(0)
            async let faults: Void = onDedicatedThread {
                defer { isDone.store(true, ordering: .relaxed) }
                for round in 0..<3 {
                    let goal = written.load(ordering: .relaxed) + 30
                    try until("some writes") { written.load(ordering: .relaxed) >= goal }
                    try place.server.cutConnections()
                    try place.server.stop(signal: round == 1 ? SIGTERM : SIGKILL)
                    try place.server.start()
                }
            }
            var account = Account()
            var number = 0
            while !isDone.load(ordering: .relaxed) {
                await account.write("k\(number)", to: store)
                written.store(account.acknowledged.count, ordering: .relaxed)
                number += 1
                // While the database does not answer, writes are rejected at once.
                if account.acknowledged["k\(number - 1)"] == nil { try await Task.sleep(for: .milliseconds(20)) }
            }
            try await faults
            try await until("the store to work again") {
                number += 1
                await account.write("k\(number)", to: store)
                return account.acknowledged["k\(number)"] != nil
            }
            #expect(account.acknowledged.count >= 90)
            #expect(await store.problem() == nil)
            try await account.check(store)
        }

        @Test func commitsDuringAnOutageArriveAfterwards() async throws {
            let place = try await MariaDBPlace()
            let store = try await place.opened()
            defer { store.close() }
            var commits = ForeignCommits(in: store)
            try await onDedicatedThread {
                try place.server.stop()
                try place.server.start()
                try place.server.run("INSERT INTO config (`key`, value) VALUES ('k', 'v')", in: place.database)
            }
            #expect(await commits.next()?.changes["k"]??.value == .string("v"))
        }

        @Test func aRestoredDatabaseEndsTheStream() async throws {
            let place = try await MariaDBPlace()
            let store = try await place.opened()
            defer { store.close() }
            let commits = store.foreignCommits()
            try await place.run("UPDATE livery_meta SET epoch = '0123456789abcdef'")
            for await commit in commits { Issue.record("\(commit)") }
            #expect(try await store.load().head.epoch.description == "0123456789abcdef")
        }

        /// Other revisions have the same numbers then.
        @Test(arguments: [
            ["DELETE FROM livery_revisions WHERE revision = 2", "UPDATE livery_meta SET head = 1"],
            [
                "UPDATE livery_revisions SET updated_at = updated_at + 1",
                "UPDATE livery_meta SET updated_at = updated_at + 1",
            ],
            [
                "UPDATE livery_revisions SET updated_at = updated_at + 1",
                "INSERT INTO config (`key`, value) VALUES ('k', 'v')",
            ],
        ])
        func aDatabaseThatWasPutBackBeginsAnEpoch(statements: [String]) async throws {
            let place = try await MariaDBPlace()
            let store = try await place.opened()
            defer { store.close() }
            for number in 1...2 { try await store.edit(["a": .integer(number)]) }
            let before = try #require(try await store.head())
            let commits = store.foreignCommits()
            for statement in statements { try await place.run(statement) }
            for await commit in commits { Issue.record("\(commit)") }
            #expect(try await store.load().head.epoch != before.epoch)
            #expect(try await store.load().head == store.head())
        }

        @Test func anUnreachableServerIsReportedSoon() async throws {
            let place = try await MariaDBPlace()
            let nobody = try place.store(port: 1)
            let error = await #expect(throws: StoreError.self) { try await nobody.load() }
            #expect(error?.code == .unavailable)
            #expect(error?.message.contains("127.0.0.1:1 is unreachable") == true, "\(error?.message ?? "")")
            #expect(await nobody.problem()?.code == .unavailable)
        }
    }
#endif
