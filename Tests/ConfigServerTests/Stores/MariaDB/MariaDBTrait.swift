#if MariaDB
    import ConfigModel
    import ConfigStore
    import ConfigStoreTesting
    import Logging
    import MariaDBStore
    import TestSupport
    import Testing

    /// Runs one MariaDB for all tests of a suite, which ends with them.
    struct MariaDBTrait: SuiteTrait, TestScoping {
        @TaskLocal static var running: RunningMariaDB?

        var options: [String]

        @concurrent
        func provideScope(
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
        static var mariaDB: Self { MariaDBTrait(options: []) }

        /// A MariaDB with options of its own, for the whole suite.
        static func mariaDB(_ options: [String]) -> Self { MariaDBTrait(options: options) }
    }

    /// A database of the suite's MariaDB, empty at first.
    struct MariaDBPlace: StorePlace {
        let server: RunningMariaDB
        let database: String

        init() async throws {
            let server = try #require(MariaDBTrait.running)
            self.server = server
            database = try await onDedicatedThread { try server.makeDatabase() }
        }

        func open(now: @escaping @Sendable () -> Timestamp) async throws -> any ConfigStore {
            var options = MariaDBStore.Options()
            options.now = now
            return try store(options)
        }

        func close(_ store: any ConfigStore) async throws {
            (store as? MariaDBStore)?.close()
        }

        /// A store in the database.
        ///
        /// - Parameter port: where to reach the server, if not directly.
        func store(_ options: MariaDBStore.Options = .init(), port: Int? = nil) throws -> MariaDBStore {
            let address = MariaDBAddress(
                user: "root",
                host: "127.0.0.1",
                port: port ?? server.port,
                database: database
            )
            return MariaDBStore(
                address,
                options: options,
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            )
        }

        func run(_ sql: String) async throws {
            try await onDedicatedThread { [self] in try server.run(sql, in: database) }
        }

        func rows(_ sql: String) async throws -> [[String]] {
            try await onDedicatedThread { [self] in try server.rows(sql, in: database) }
        }
    }
#endif
