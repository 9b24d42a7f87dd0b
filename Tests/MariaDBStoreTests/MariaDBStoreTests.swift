// SPDX-License-Identifier: Apache-2.0

#if MariaDB
    import ConfigModel
    import ConfigStore
    import InMemoryLogging
    import Logging
    import MariaDBStore
    import StoreTestSupport
    import TestSupport
    import Testing

    @Suite(.mariaDB, .serialized, .timeLimit(.minutes(5)))
    struct MariaDBStoreTests {
        @Test func noTextIsInterpretedAsSQL() async throws {
            let place = try await MariaDBPlace()
            let store = try await place.opened()
            let hostile = [
                "'; DROP TABLE config; --", "\\'; DELETE FROM livery_history; #", "\" OR \"\"=\"",
                "`; TRUNCATE config; `",
                "?", "%s", "\0'", "x' UNION SELECT epoch FROM livery_meta --", "\u{bf}' OR 1=1 --",
                "/*! DROP TABLE config */",
            ]
            for text in hostile {
                for namespace in ["default", text] {
                    let publish = Publish(
                        namespace: namespace,
                        change: .edit([
                            "k": .string(text), text: .string(text), "list": .array([.string(text), .string(text)]),
                        ]),
                        author: text,
                        message: text
                    )
                    let commit = try #require(try await store.commit([publish])[0].commit)
                    #expect(commit.changes[text]??.value == .string(text))
                    let history = try await store.history(HistoryQuery(of: namespace, key: text, limit: 1))
                    #expect(history.first?.value == .string(text))
                    #expect(history.first?.author == text)
                    #expect(history.first?.message == text)
                }
            }
            let contents = try await store.load()
            #expect(contents.head.revision == UInt64(hostile.count * 2))
            #expect(contents.namespaces.count == hostile.count + 1)
            #expect(Set(hostile).isSubset(of: contents.namespaces["default"]?.entries.keys ?? [:].keys))
        }

        @Test func aRollbackOfManyKeysTakesFewQueries() async throws {
            let place = try await MariaDBPlace()
            let store = try await place.opened()
            func values(_ number: Int, _ keys: Range<Int>) -> [String: EntryValue?] {
                Dictionary(keys.map { ("key.\($0)", EntryValue?.some(.integer(number))) }) { $1 }
            }
            try await store.edit(values(1, 0..<3_000))
            try await store.edit(values(2, 0..<1_500).merging(["key.7": nil, "text": "x"]) { $1 })
            try await store.edit(values(3, 1_000..<3_000).merging(["key.7": "back"]) { $1 })
            let queries = "SHOW GLOBAL STATUS LIKE 'Com_select'"
            let before = Int(try await place.rows(queries)[0][1]) ?? 0
            let former = try #require(try await store.values(in: "default", at: 1))
            let rollback = Publish(namespace: "default", change: .rollback(to: 1))
            let commit = try #require(try await store.commit([rollback])[0].commit)
            #expect((Int(try await place.rows(queries)[0][1]) ?? 0) - before < 60)
            #expect(former.count == 3_001 && former["key.9"] == 1 && former["text"] == .some(nil))
            #expect(commit.changes.count == 3_001 && commit.changes["key.7"]??.value == 1)
            let entries = try await store.load().namespaces["default"]?.entries.mapValues(\.value)
            #expect(entries == values(1, 0..<3_000).compactMapValues(\.self))
        }

        @Test(arguments: [
            ("livery_meta", "head", "-1"), ("livery_meta", "head", "18446744073709551615"),
            ("livery_meta", "updated_at", "9223372036854775807"), ("livery_meta", "next_id", "9223372036854775807"),
            ("livery_pruning", "floor", "-1"), ("livery_pruning", "floor", "18446744073709551615"),
            ("livery_namespaces", "revision", "-1"), ("livery_namespaces", "revision", "18446744073709551615"),
            ("livery_entries", "updated_at", "9223372036854775807"),
        ])
        func numbersThatNoStoreReachesAreDamage(table: String, column: String, number: String) async throws {
            let place = try await MariaDBPlace()
            let store = try await place.opened()
            try await store.edit(["k": 1])
            if number == "-1" { try await place.run("ALTER TABLE \(table) MODIFY \(column) BIGINT NOT NULL") }
            try await place.run("UPDATE \(table) SET \(column) = \(number)")
            let running = await #expect(throws: StoreError.self) {
                _ = try await store.values(in: "default", at: 0)
                try await store.edit(["n": 1], in: "new")
                _ = try await store.load()
            }
            #expect(running?.code == .damaged)
            #expect(
                running?.message.contains("in the store: \(column) is \(number)") == true,
                "\(running?.message ?? "")"
            )
        }

        @Test(arguments: ["floor", "swept_revision"])
        func pruningOfADamagedHistoryIsReported(column: String) async throws {
            let place = try await MariaDBPlace()
            var options = MariaDBEntryStore.Options()
            (options.history.age, options.history.revisions) = (.zero, 1)
            let log = InMemoryLogHandler()
            let store = try await place.opened(options, logger: Logger(label: "test") { _ in log })
            defer { store.close() }
            try await place.run("UPDATE livery_pruning SET \(column) = 18446744073709551615")
            for number in 0..<130 { try await store.edit(["k": .integer(number)]) }
            try await onDedicatedThread {
                try until("the failure to be logged") {
                    log.entries.contains {
                        "\($0.message)".hasPrefix("store maintenance failed (pruning): invalid value in the store")
                    }
                }
            }
        }

        @Test func pruningForgetsHistoryAndKeepsTheState() async throws {
            let place = try await MariaDBPlace()
            var options = MariaDBEntryStore.Options()
            options.history.age = .zero
            options.history.revisions = 20
            let store = try await place.opened(options)
            for batch in 0..<30 {
                let publishes = (0..<20).map { number in
                    let count = batch * 20 + number
                    let edit: [String: EntryValue?] = [
                        "once.\(count % 50)": .integer(count), "gone": count % 2 == 0 ? .integer(count) : nil,
                    ]
                    return Publish(namespace: count % 3 == 0 ? "other" : "default", change: .edit(edit))
                }
                _ = try await store.commit(publishes)
            }
            let before = try await store.load()
            try await until("the history to be pruned") {
                try await place.rows("SELECT COUNT(*) < 300 FROM livery_revisions") == [["1"]]
            }
            #expect(try await store.load() == before)
            #expect(try await store.values(in: "default", at: 5) == nil)
            #expect(try await store.values(in: "default", at: 585) != nil)
            let outcome = try await store.commit([Publish(namespace: "default", change: .rollback(to: 5))])
            #expect(outcome == [.unknownRevision(5)])
            #expect(
                try await store.commit([Publish(namespace: "default", change: .rollback(to: 590))])[0].commit != nil
            )
        }

        @Test func concurrentStartsCreateOneStore() async throws {
            let place = try await MariaDBPlace()
            let stores = try (0..<4).map { _ in try place.store() }
            defer { for store in stores { store.close() } }
            let heads = try await withThrowingTaskGroup(of: RevisionCursor.self) { group in
                for store in stores { group.addTask { try await store.load().head } }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(heads.count == 1)
        }

        @Test func aDatabaseOfAnotherVersionIsRefused() async throws {
            let place = try await MariaDBPlace()
            let store = try await place.opened()
            try await place.run("INSERT INTO livery_migrations (name) VALUES ('99 from the future')")
            let error = await #expect(throws: StoreError.self) { try await store.load() }
            #expect(error?.code == .damaged)
            #expect(error?.message.contains("another version") == true)
        }

        @Test func unixSocketsWork() async throws {
            let place = try await MariaDBPlace()
            let address = MariaDBAddress(user: "root", database: place.database, socket: place.server.socket)
            let store = MariaDBEntryStore(address)
            defer { store.close() }
            #expect(try await store.load().head.revision == 0)
        }
    }
#endif
