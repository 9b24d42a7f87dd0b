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
        /// The size of others' commits that are read at once is limited.
        @Test func largeCommitsOfOthersArriveInParts() async throws {
            let place = try await MariaDBPlace()
            let (writing, reading) = (try place.store(), try place.store())
            defer { for store in [writing, reading] { store.close() } }
            for store in [writing, reading] { _ = try await store.load() }
            let value = EntryValue.string(String(repeating: "x", count: 60_000))
            for _ in 0..<12 {
                var edits: [String: EntryValue?] = [:]
                for key in 0..<32 { edits["k\(key)"] = .array([.integer(Int.random(in: 0...999_999)), value]) }
                try #require(try await writing.edit(edits).commit != nil)
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

        @Test func aManualStatementAndAStoreDoNotConflict() async throws {
            let place = try await MariaDBPlace()
            let store = try await place.opened()
            try await store.edit(["k": .string("0")])
            async let byHand: Void = place.run(
                String(repeating: "UPDATE config SET value = CONCAT(value, 'h') WHERE `key` = 'k';\n", count: 300)
            )
            for count in 1...100 {
                try #require(try await store.edit(["k": .string("\(count)")]).commit != nil)
            }
            try await byHand
            #expect(try await store.load().head.revision == 401)
        }
    }
#endif
