// SPDX-License-Identifier: Apache-2.0

#if MariaDB
    package import ConfigModel
    package import ConfigStore
    internal import ConfigStoreTesting
    package import Logging
    package import MariaDBStore
    package import TestSupport
    package import Testing

    /// Runs one MariaDB for all tests of a suite, which ends with them.
    package struct MariaDBTrait: SuiteTrait, TestScoping {
        @TaskLocal package static var running: RunningMariaDB?

        var options: [String]

        @concurrent
        package func provideScope(
            for test: Test,
            testCase: Test.Case?,
            performing function: @Sendable @concurrent () async throws -> Void
        ) async throws {
            let options = options
            let running = try await onDedicatedThread { try RunningMariaDB(options: options) }
            try await Self.$running.withValue(running) { try await function() }
        }
    }

    extension Trait where Self == MariaDBTrait {
        /// A MariaDB, for the whole suite.
        package static var mariaDB: Self { MariaDBTrait(options: []) }

        /// A MariaDB with its own options, for the whole suite.
        package static func mariaDB(_ options: [String]) -> Self { MariaDBTrait(options: options) }
    }

    /// A database of the suite's MariaDB, empty at first.
    package struct MariaDBPlace: StorePlace {
        package let server: RunningMariaDB
        package let database: String

        package init() async throws {
            let server = try #require(MariaDBTrait.running)
            self.server = server
            database = try await onDedicatedThread { try server.makeDatabase() }
        }

        package func open(now: @escaping @Sendable () -> Timestamp) async throws -> any EntryStore {
            var options = MariaDBEntryStore.Options()
            options.now = now
            return try store(options)
        }

        package func close(_ store: any EntryStore) async throws {
            try await store.close()
        }

        /// A store in the database.
        ///
        /// - Parameter port: where to reach the server, if not directly.
        package func store(
            _ options: MariaDBEntryStore.Options = .init(),
            port: Int? = nil,
            logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        ) throws -> MariaDBEntryStore {
            let address = MariaDBAddress(user: "root", host: "127.0.0.1", port: port ?? server.port, database: database)
            return MariaDBEntryStore(address, options: options, logger: logger)
        }

        /// The same, loaded.
        package func opened(
            _ options: MariaDBEntryStore.Options = .init(),
            logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        ) async throws -> MariaDBEntryStore {
            let store = try store(options, logger: logger)
            _ = try await store.load()
            return store
        }

        package func run(_ sql: String) async throws {
            try await onDedicatedThread { [self] in try server.run(sql, in: database) }
        }

        package func rows(_ sql: String) async throws -> [[String]] {
            try await onDedicatedThread { [self] in try server.rows(sql, in: database) }
        }
    }
#endif
