// SPDX-License-Identifier: Apache-2.0

#if MariaDB
    import ConfigModel
    import ConfigStore
    @testable import MariaDBStore
    import StoreTestSupport
    import TestSupport
    import Testing

    /// The database of the server before Livery, and changes of it by SQL.
    @Suite(.mariaDB, .serialized, .timeLimit(.minutes(5)))
    struct LegacyTableTests {
        /// The table as it was published, and the demo's rows with 10,000 more.
        private static func makeLegacyTable(in place: MariaDBPlace, texts: String = "utf8mb4", rows: Int = 10_000)
            async throws
        {
            try await place.run(
                """
                CREATE TABLE config (
                    id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
                    `key` VARCHAR(128) UNIQUE,
                    value TEXT,
                    created_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
                    updated_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP
                ) CHARACTER SET \(texts);
                INSERT INTO config (`key`, value, created_at, updated_at) VALUES
                    ('app.background.color', '#FFB6C1', '2020-10-17 18:43:19', '2020-10-18 09:00:00'),
                    ('app.fun_button.text', 'Can''t wait!', '2020-10-17 18:43:19', '2020-10-17 18:43:19'),
                    ('app.fun_button.url', 'https://www.google.com/search?query=funny%20cats',
                     '2020-10-17 18:43:19', '2020-10-17 18:43:19');
                INSERT INTO config (`key`, value) SELECT CONCAT('key.', seq), CONCAT('value ', seq) FROM seq_1_to_\(rows);
                """
            )
        }

        private static let everything = "SELECT * FROM config ORDER BY id"
        private static let recent =
            "SELECT id, `key` FROM config WHERE updated_at > '2020-10-17 20:00:00' ORDER BY id LIMIT 5"

        @Test(arguments: ["utf8mb4", "latin1"])
        func adoptionKeepsEveryRowAndTheTablesOwnSQL(texts: String) async throws {
            let place = try await MariaDBPlace()
            try await Self.makeLegacyTable(in: place, texts: texts)
            let (all, recent) = (try await place.rows(Self.everything), try await place.rows(Self.recent))
            try #require(all.count == 10_003)
            let store = try place.store()
            let contents = try await store.load()
            #expect(try await place.rows(Self.everything) == all)
            #expect(try await place.rows(Self.recent) == recent)
            let entries = try #require(contents.namespaces["default"]?.entries)
            #expect(contents.head.revision == 1)
            #expect(entries.count == 10_003)
            for row in all {
                #expect(entries[row[1]]?.id == Int64(row[0]))
                #expect(entries[row[1]]?.value == .string(row[2]))
            }
            let color = try #require(entries["app.background.color"])
            #expect(color.createdAt.description == "2020-10-17T18:43:19.000Z")
            let again = try await store.load()
            #expect(again == contents)
        }

        @Test func adoptedTablesStoreEmojiAndCaseSensitiveKeys() async throws {
            let place = try await MariaDBPlace()
            try await Self.makeLegacyTable(in: place, texts: "latin1", rows: 1)
            let store = try await place.opened()
            _ = try await store.commit([
                Publish(
                    namespace: "default",
                    change: .edit([
                        "app.fun_button.text": .string("Meeeeoowwww! 😸"), "APP.background.color": .string("#000000"),
                        "count": .integer(7), "flags": [true, false], "app.fun_button.url": nil,
                    ])
                ),
                Publish(namespace: "other", change: .edit(["app.background.color": .string("#FFFFFF")])),
            ])
            let rows = try await place.rows("SELECT `key`, value FROM config ORDER BY `key`")
            #expect(
                rows == [
                    ["APP.background.color", "#000000"], ["app.background.color", "#FFB6C1"],
                    ["app.fun_button.text", "Meeeeoowwww! 😸"], ["count", "7"], ["flags", "[true,false]"],
                    ["key.1", "value 1"],
                ]
            )
        }

        @Test func changesBySQLAreCommits() async throws {
            let place = try await MariaDBPlace()
            try await Self.makeLegacyTable(in: place, rows: 10)
            let store = try place.store()
            defer { store.close() }
            let before = try await store.load()
            var commits = ForeignCommits(in: store)

            try await place.run("INSERT INTO config (`key`, value) VALUES ('new', 'It''s \\\\ \"new\" 😸')")
            let inserted = try #require(await commits.next())
            #expect(inserted.revision == 2)
            #expect(inserted.previous == 1)
            #expect(inserted.changes["new"]??.value == .string("It's \\ \"new\" 😸"))
            #expect(inserted.updatedAt > before.updatedAt)

            try await place.run("UPDATE config SET value = '#87CEFA' WHERE `key` = 'app.background.color'")
            let updated = try #require(await commits.next())
            let color = try #require(updated.changes["app.background.color"] ?? nil)
            #expect(color.value == .string("#87CEFA"))
            #expect(color.id == before.namespaces["default"]?.entries["app.background.color"]?.id)
            #expect(color.createdAt == before.namespaces["default"]?.entries["app.background.color"]?.createdAt)

            try await place.run("DELETE FROM config WHERE `key` = 'new'")
            #expect(await commits.next()?.changes == ["new": nil])

            try await place.run("UPDATE config SET `key` = 'key.new' WHERE `key` = 'key.1'")
            let renamed = try #require(await commits.next())
            #expect(renamed.changes["key.1"] == .some(nil))
            #expect(renamed.changes["key.new"]??.value == .string("value 1"))

            // Each row of a statement is a revision, unless it changes nothing.
            try await place.run(
                "UPDATE config SET updated_at = NOW(), value = value; UPDATE config SET value = 'x' WHERE `key` LIKE 'key.%'"
            )
            var changed: Set<String> = []
            for revision in 6...15 {
                let commit = try #require(await commits.next())
                #expect(commit.revision == UInt64(revision))
                changed.formUnion(commit.changes.keys)
            }
            #expect(changed.count == 10)
            let (held, table) = (try await store.load(), try await place.rows("SELECT `key`, value FROM config"))
            #expect(held.head.revision == 15)
            #expect(
                held.namespaces["default"]?.entries.mapValues(\.value)
                    == Dictionary(uniqueKeysWithValues: table.map { ($0[0], EntryValue.string($0[1])) })
            )
            let history = try await store.history(HistoryQuery(of: "default", key: "new", limit: 5))
            #expect(history.map(\.value) == [nil, .string("It's \\ \"new\" 😸")])
            #expect(history.allSatisfy { $0.author == "root@localhost" && $0.message == "by SQL" })
        }

        @Test func editsBySQLKeepNumbersWhereTheyCan() async throws {
            let place = try await MariaDBPlace()
            let store = try await place.opened()
            defer { store.close() }
            try await store.edit(["n": .integer(1)])
            var commits = ForeignCommits(in: store)
            for (text, value) in [("2", EntryValue.integer(2)), ("two", .string("two")), ("[3]", [3])] {
                try await place.run("UPDATE config SET value = '\(text)'")
                #expect(await commits.next()?.changes["n"]??.value == value)
            }
        }

        @Test func invalidRowsStayInTheTableAndAreIgnored() async throws {
            let place = try await MariaDBPlace()
            try await Self.makeLegacyTable(in: place, rows: 1)
            try await place.run(
                """
                INSERT INTO config (`key`, value) VALUES (NULL, 'x'), (NULL, 'y'), ('has space', 'x'), ('a..b', 'x'),
                    ('', 'x'), ('none', NULL), ('large', REPEAT('"', 40000))
                """
            )
            let store = try place.store()
            defer { store.close() }
            let contents = try await store.load()
            let keys = Set(["app.background.color", "app.fun_button.text", "app.fun_button.url", "key.1"])
            #expect(Set(contents.namespaces["default"]?.entries.keys ?? [:].keys) == keys)
            #expect(contents.problem == nil)
            #expect(try await store.load().head.revision == 1)
            var commits = ForeignCommits(in: store)
            try await place.run(
                "INSERT INTO config (`key`, value) VALUES ('.', 'x'); UPDATE config SET value = 'z' WHERE `key` IS NULL"
            )
            try await place.run(
                "UPDATE config SET value = 'good' WHERE `key` = 'none'; UPDATE config SET `key` = 'mended' WHERE `key` = 'a..b'"
            )
            #expect(await commits.next()?.changes["none"]??.value == .string("good"))
            #expect(await commits.next()?.changes["mended"]??.value == .string("x"))
            #expect(try await store.edit(["large": .string("s")]).commit?.revision == 4)
            #expect(try await place.rows("SELECT COUNT(*) FROM config") == [["12"]])
        }

        @Test func aRowThatWasRemovedBehindTheTriggersIsMadeAgain() async throws {
            let place = try await MariaDBPlace()
            let store = try await place.opened()
            for value in 1...2 {
                let id = try #require(try await store.edit(["k": .integer(value)]).commit?.changes["k"]??.id)
                #expect(try await place.rows("SELECT id, value FROM config") == [["\(id)", "\(value)"]])
                try await place.run("SET @livery_writes = 1; DELETE FROM config")
            }
        }

        @Test func changesThatBypassedTheTriggersAreAdopted() async throws {
            let place = try await MariaDBPlace()
            try await Self.makeLegacyTable(in: place, rows: 5)
            let store = try await place.opened()
            try await place.run(
                "SET @livery_writes = 1; DELETE FROM config WHERE id = 1; UPDATE config SET value = 'x' WHERE id = 2"
            )
            let contents = try await store.load()
            #expect(contents.head.revision == 2)
            #expect(contents.namespaces["default"]?.entries["app.background.color"] == nil)
            #expect(contents.namespaces["default"]?.entries["app.fun_button.text"]?.value == .string("x"))
            let changed = try await store.values(in: "default", at: 1)
            #expect(Set(try #require(changed).keys) == ["app.fun_button.text", "app.background.color"])
        }

        @Test func updatesUseUpNoIDs() async throws {
            let place = try await MariaDBPlace()
            try await Self.makeLegacyTable(in: place, rows: 1)
            try await place.run("ALTER TABLE config MODIFY id TINYINT NOT NULL AUTO_INCREMENT")
            let store = try place.store()
            let entry = try #require(try await store.load().namespaces["default"]?.entries["key.1"])
            for step in 0..<50 {
                let publishes = (0..<6).map { number in
                    let edit: [String: EntryValue?] = [
                        "key.1": .integer(step * 6 + number), "app.fun_button.url": .integer(number),
                    ]
                    return Publish(namespace: "default", change: .edit(edit))
                }
                for outcome in try await store.commit(publishes) {
                    #expect(outcome.commit?.changes["key.1"]??.id == entry.id)
                }
            }
            #expect(try await place.rows("SELECT value FROM config WHERE `key` = 'key.1'") == [["299"]])
            // The same text as another type, within a second.
            #expect(try await store.edit(["key.1": .string("299")]).commit?.changes["key.1"]??.id == entry.id)
            // New keys use them up, and that is reported.
            var failure: StoreError?
            for number in 0..<130 where failure == nil {
                do throws(StoreError) {
                    try await store.edit(["new.\(number)": .integer(number)])
                } catch {
                    failure = error
                }
            }
            #expect(failure?.code == .full && failure?.reason == .quota, "\(failure?.message ?? "")")
            #expect(failure?.message.contains("ALTER TABLE config MODIFY id INT UNSIGNED") == true)
            #expect(await store.problem()?.reason == .quota)
            #expect(try await store.edit(["key.1": .integer(300)]).commit != nil)
            try await place.run("ALTER TABLE config MODIFY id INT UNSIGNED NOT NULL AUTO_INCREMENT")
            #expect(try await store.edit(["last": .integer(300)]).commit != nil)
            #expect(await store.problem() == nil)
        }

        @Test(arguments: [
            (ConfigIDs(type: "int", isUnsigned: true, next: 1000), nil as String?, UInt64(4_294_967_295)),
            (ConfigIDs(type: "int", isUnsigned: false, next: 1_717_986_916), nil, 2_147_483_647),
            (ConfigIDs(type: "int", isUnsigned: false, next: 1_800_000_001), "1800000000 of 2147483647", 2_147_483_647),
            (ConfigIDs(type: "smallint", isUnsigned: false, next: 1), "0 of 32767 ids (SMALLINT)", 32_767),
            (ConfigIDs(type: "tinyint", isUnsigned: true, next: 256), "255 of 255 ids (TINYINT)", 255),
            (ConfigIDs(type: "mediumint", isUnsigned: false, next: 9), "8 of 8388607 ids (MEDIUMINT)", 8_388_607),
        ])
        func fewRemainingIDsAreWarnedOf(ids: ConfigIDs, warning: String?, last: UInt64) {
            #expect(ids.last == last)
            #expect((ids.warning == nil) == (warning == nil))
            #expect(ids.warning?.contains(warning ?? "") ?? true)
            #expect(ids.isUsedUp == (ids.next > last))
        }

        @Test(arguments: [
            ("CREATE TABLE config (id INT, name TEXT)", "columns are missing"),
            (
                "CREATE TABLE config (id BIGINT AUTO_INCREMENT PRIMARY KEY, `key` VARCHAR(128) UNIQUE, value TEXT, created_at TIMESTAMP, updated_at TIMESTAMP)",
                "id is not an AUTO_INCREMENT number"
            ),
            (
                "CREATE TABLE config (id INT AUTO_INCREMENT PRIMARY KEY, `key` VARCHAR(200) UNIQUE, value TEXT, created_at TIMESTAMP, updated_at TIMESTAMP)",
                "key is not a unique VARCHAR"
            ),
            (
                "CREATE TABLE config (id INT AUTO_INCREMENT PRIMARY KEY, `key` VARCHAR(128) UNIQUE, value BLOB, created_at TIMESTAMP, updated_at TIMESTAMP)",
                "value is not a TEXT"
            ),
        ])
        func tablesOfOtherProgramsAreLeftAlone(table: String, reason: String) async throws {
            let place = try await MariaDBPlace()
            try await place.run(table)
            let columns = try await place.rows("SHOW COLUMNS FROM config")
            let store = try place.store()
            let error = await #expect(throws: StoreError.self) { try await store.load() }
            #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
            #expect(try await place.rows("SHOW COLUMNS FROM config") == columns)
        }
    }
#endif
