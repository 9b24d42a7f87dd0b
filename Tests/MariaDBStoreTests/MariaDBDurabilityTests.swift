// SPDX-License-Identifier: Apache-2.0

#if MariaDB
    import ConfigModel
    import ConfigStore
    import Foundation
    import MariaDBStore
    import StoreTestSupport
    import TestSupport
    import Testing

    /// A commit of another server that the database shows, but does not have on disk yet: InnoDB loses it if it is killed.
    ///
    /// The database writes its log only for commits here, and not once a second as well, so that a log that must not be written
    /// stays unwritten.
    @Suite(.mariaDB(["--innodb-flush-log-at-timeout=2700"]), .serialized, .timeLimit(.minutes(5)))
    struct MariaDBDurabilityTests {
        /// Commits as another server whose log is still to be written.
        private func commitUnwritten(_ key: String, in place: MariaDBPlace) async throws {
            try await place.run(
                """
                SET GLOBAL innodb_flush_log_at_trx_commit = 0;
                INSERT INTO config (`key`, value) VALUES ('\(key)', 'v');
                SET GLOBAL innodb_flush_log_at_trx_commit = 1;
                """
            )
        }

        /// The contents of the database after it was killed.
        private func keysAfterKill(_ place: MariaDBPlace) async throws -> [[String]] {
            try await onDedicatedThread {
                try place.server.stop(signal: SIGKILL)
                try place.server.start()
            }
            return try await place.rows("SELECT `key` FROM livery_entries ORDER BY `key`")
        }

        @Test func aCommitThatHasBeenReportedIsNotLost() async throws {
            let place = try await MariaDBPlace()
            var options = MariaDBEntryStore.Options()
            options.pollInterval = .seconds(3600)
            let store = try await place.opened(options)
            defer { store.close() }
            try await place.run("INSERT INTO config (`key`, value) VALUES ('first', 'v')")
            var commits = ForeignCommits(in: store)
            #expect(await commits.next()?.changes.keys.first == "first")
            // From now on it polls on request.
            try await commitUnwritten("reported", in: place)
            _ = try await store.head()
            #expect(await commits.next()?.changes.keys.first == "reported")
            #expect(try await keysAfterKill(place) == [["first"], ["reported"]])
        }

        @Test func aCommitThatHasBeenLoadedIsNotLost() async throws {
            let place = try await MariaDBPlace()
            let store = try await place.opened()
            store.close()
            try await commitUnwritten("loaded", in: place)
            #expect(try await store.load().namespaces["default"]?.entries.keys.sorted() == ["loaded"])
            #expect(try await keysAfterKill(place) == [["loaded"]])
        }
    }
#endif
