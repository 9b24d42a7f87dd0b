// SPDX-License-Identifier: Apache-2.0

#if MariaDB
    import ConfigModel
    @testable import MariaDBStore
    import ConfigStore
    import StoreTestSupport
    import TestSupport
    import Testing

    /// Users, rights and servers that cannot be written to.
    @Suite(.mariaDB, .serialized, .timeLimit(.minutes(5)))
    struct MariaDBAccessTests {
        private static func store(
            _ place: MariaDBPlace,
            granting rights: String,
            password: String = "hunter2",
            tls: StoreTLS = StoreTLS(mode: .off)
        ) async throws -> MariaDBEntryStore {
            let user = place.database + "user"
            try await place.run(
                """
                CREATE USER IF NOT EXISTS '\(user)'@'127.0.0.1' IDENTIFIED BY 'hunter2';
                GRANT \(rights) ON \(place.database).* TO '\(user)'@'127.0.0.1'
                """
            )
            let address = MariaDBAddress(
                user: user,
                host: "127.0.0.1",
                port: place.server.port,
                database: place.database,
                tls: tls
            )
            return MariaDBEntryStore(address, password: StorePassword(password))
        }

        @Test func aMissingGrantIsNamed() async throws {
            let place = try await MariaDBPlace()
            let store = try await Self.store(
                place,
                granting: "SELECT, INSERT, UPDATE, DELETE, CREATE, ALTER, INDEX, DROP"
            )
            let error = await #expect(throws: StoreError.self) { try await store.load() }
            #expect(error?.code == .unavailable)
            #expect(error?.message.contains("TRIGGER") == true, "\(error?.message ?? "")")
            #expect(error?.message.contains("GRANT SELECT") == true)
            #expect(error?.reason == .permission)
        }

        @Test func aPrivilegeThatIsGrantedLaterIsSeen() async throws {
            let place = try await MariaDBPlace()
            let rights = "SELECT, INSERT, UPDATE, DELETE, CREATE, ALTER, INDEX, DROP, TRIGGER"
            let store = try await Self.store(place, granting: rights)
            _ = try await store.load()
            let user = "'\(place.database)user'@'127.0.0.1'"
            for privilege in ["INSERT", "UPDATE", "DELETE"] {
                try await place.run("REVOKE \(privilege) ON \(place.database).* FROM \(user)")
                // The connections keep what they had.
                let ids = try await place.rows(
                    "SELECT ID FROM information_schema.PROCESSLIST WHERE USER = '\(place.database)user'"
                )
                try await place.run(ids.map { "KILL \($0[0]);" }.joined(separator: "\n"))
                let edit: [String: EntryValue?] = ["k": .string(privilege)]
                await #expect(throws: StoreError.self) {
                    try await store.edit(edit)
                    // Without a row to delete, a commit needs no permission for it.
                    try await store.edit(["k": nil])
                }
                let problem = await store.problem()
                #expect(problem?.reason == .permission, "\(privilege): \(problem?.message ?? "ready")")
                #expect(await store.problem()?.reason == .permission)
                try await place.run("GRANT \(privilege) ON \(place.database).* TO \(user)")
                #expect(await store.problem() == nil)
                #expect(try await store.edit(["k": .string(privilege + " again")]).commit != nil)
            }
        }

        @Test func aProbeChangesNothing() async throws {
            let place = try await MariaDBPlace()
            let store = try await place.opened()
            try await store.edit(["k": 1])
            let tables = [
                "config", "livery_meta", "livery_entries", "livery_history", "livery_revisions", "livery_pruning",
            ]
            let checksums = "CHECKSUM TABLE \(tables.joined(separator: ", "))"
            let before = try await place.rows(checksums)
            // After a failure the probe also commits.
            try await place.run("SET GLOBAL read_only = 1")
            await #expect(throws: StoreError.self) { try await store.edit(["k": 2]) }
            try await place.run("SET GLOBAL read_only = 0")
            #expect(await store.problem() == nil)
            #expect(try await place.rows(checksums) == before)
        }

        @Test func aWrongPasswordIsReportedAndNotPrinted() async throws {
            let place = try await MariaDBPlace()
            let store = try await Self.store(place, granting: "SELECT", password: "hunter3")
            let error = await #expect(throws: StoreError.self) { try await store.load() }
            #expect(error?.message.contains("rejected the user") == true, "\(error?.message ?? "")")
            #expect(error?.reason == .credentials)
            #expect(error.map { "\($0) \(String(reflecting: $0))" }?.contains("hunter3") == false)
        }

        @Test func aMissingDatabaseIsReported() async throws {
            let server = try #require(MariaDBTrait.running)
            let address = MariaDBAddress(user: "root", host: "127.0.0.1", port: server.port, database: "nowhere")
            let store = MariaDBEntryStore(address)
            let error = await #expect(throws: StoreError.self) { try await store.load() }
            #expect(error?.message.contains("database 'nowhere' not found") == true, "\(error?.message ?? "")")
            #expect(error?.reason == .missing)
        }

        /// An administrator could write there in spite of it.
        @Test(arguments: [false, true])
        func readOnlyServersServeReadsUntilTheyAcceptWrites(asAdministrator: Bool) async throws {
            let place = try await MariaDBPlace()
            let store = asAdministrator ? try place.store() : try await Self.store(place, granting: "ALL")
            _ = try await store.load()
            let publish = Publish(namespace: "default", change: .edit(["k": .string("v")]))
            try await place.run("SET GLOBAL read_only = 1")
            let error = await #expect(throws: StoreError.self) { try await store.commit([publish]) }
            #expect(error?.code == .readOnly)
            #expect(await store.problem()?.code == .readOnly)
            #expect(try await store.load().head.revision == 0)
            try await place.run("SET GLOBAL read_only = 0")
            #expect(await store.problem() == nil)
            #expect(try await store.commit([publish])[0].commit?.revision == 1)
        }

        @Test func aLockHeldForLongIsReportedAndNothingIsLost() async throws {
            let place = try await MariaDBPlace()
            let store = try await place.opened()
            defer { store.close() }
            async let holding: Void = place.run(
                "START TRANSACTION; INSERT INTO config (`key`, value) VALUES ('slow', 'x'); SELECT SLEEP(2); COMMIT"
            )
            var commits = ForeignCommits(in: store)
            let outcome = try await store.edit(["k": .string("v")])
            try await holding
            let slow = try #require(await commits.next())
            #expect(Set([slow.revision, outcome.commit?.revision ?? 0]) == [1, 2])
        }

        @Test(arguments: [
            (MariaDBServer(name: "10.11.6-MariaDB", version: 101_106), nil as String?),
            (MariaDBServer(name: "5.5.5-10.4.1-MariaDB", version: 100_401), "10.5 or later"),
            (MariaDBServer(name: "8.0.36", version: 80_036), "requires MariaDB"),
            (MariaDBServer(name: "11.4.2-MariaDB", version: 110_402, galeraMembers: 1), nil),
            (
                MariaDBServer(name: "11.4.2-MariaDB", version: 110_402, galeraMembers: 3),
                "Galera clusters with several writers are not supported (3 members)"
            ),
        ])
        func unsupportedServersAreRefused(server: MariaDBServer, reason: String?) {
            #expect(server.problem?.message.contains(reason ?? "") == (reason == nil ? nil : true))
        }
    }
#endif
