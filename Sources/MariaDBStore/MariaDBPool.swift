// SPDX-License-Identifier: Apache-2.0

#if MariaDB
    internal import ConfigModel
    internal import ConfigStore
    internal import Dispatch
    internal import Foundation
    internal import Synchronization

    /// The connections of one server: one that writes, so that writes keep their order, one for what the server itself needs to
    /// know, and a few that read for clients.
    struct MariaDBPool: Sendable {
        let writer: MariaDBWorker
        let own: MariaDBWorker
        private let readers: [MariaDBWorker]
        /// Opens another connection.
        let connect: @Sendable () throws -> MariaDBConnection

        init(_ address: MariaDBAddress, password: StorePassword?) {
            let connect: @Sendable () throws -> MariaDBConnection = {
                let connection = try MariaDBConnection(address, password: password)
                try MariaDBServer.check(connection)
                try connection.execute("SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ")
                try connection.execute(Self.session)
                return connection
            }
            self.connect = connect
            writer = MariaDBWorker {
                let connection = try connect()
                try connection.execute(Self.writingSession)
                return connection
            }
            own = MariaDBWorker(connect: connect)
            readers = (0..<2).map { _ in MariaDBWorker(connect: connect) }
        }

        /// The reading connection with the least to do.
        var reader: MariaDBWorker { readers.min { $0.load < $1.load } ?? writer }

        private static let session: SQL = """
            SET SESSION time_zone = '+00:00', sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION', autocommit = 1,
                lock_wait_timeout = 20
            """

        // The triggers are for writes by others. A server that hangs in a transaction must not block the others for long.
        // Only the lock of the head is waited for (see MariaDBTables): the holder of a row of the table "config" may
        // itself be waiting for the head in a trigger.
        private static let writingSession: SQL = """
            SET @livery_writes = 1, SESSION idle_transaction_timeout = 3, SESSION innodb_lock_wait_timeout = 0
            """
    }

    /// A connection on a separate queue: libmariadb's calls block, and must not be made on the threads that tasks share.
    final class MariaDBWorker: Sendable {
        private let queue = DispatchQueue(label: "livery.mariadb")
        private let link: Mutex<MariaDBLink>
        private let jobs = Atomic(0)

        init(connect: @escaping @Sendable () throws -> MariaDBConnection) {
            link = Mutex(MariaDBLink(connect: connect))
        }

        /// The number of jobs that wait or run.
        var load: Int { jobs.load(ordering: .relaxed) }

        /// Runs a job. Cancelling the caller has no effect.
        func perform<Value: Sendable>(_ body: @escaping @Sendable (MariaDBLink) throws -> Value) async throws -> Value {
            jobs.add(1, ordering: .relaxed)
            defer { jobs.subtract(1, ordering: .relaxed) }
            return try await withCheckedThrowingContinuation { continuation in
                queue.async { [self] in
                    continuation.resume(with: Result { try link.withLock { try body($0) } })
                }
            }
        }
    }

    /// Whether a server is suitable for a store.
    struct MariaDBServer: Sendable {
        /// For example `10.11.6-MariaDB`.
        var name: String
        /// For example 101106.
        var version: UInt
        /// The number of members of the Galera cluster that the server belongs to, if it does.
        var galeraMembers: UInt64?

        /// The reason why the server is unsuitable; `nil` if it is suitable.
        var problem: StoreError? {
            guard name.localizedStandardContains("mariadb"), version >= 100_500 else {
                let shown = name.excerpt(ofScalars: 40)
                let message = "the store requires MariaDB 10.5 or later; the server is '\(shown)'"
                return StoreError(.unavailable, message, reason: .version)
            }
            guard let galeraMembers, galeraMembers > 1 else { return nil }
            return StoreError(
                .unavailable,
                """
                Galera clusters with several writers are not supported (\(galeraMembers) members): row locks are not \
                cluster-wide, so revisions could be reordered; use one primary with replicas, or etcd
                """,
                reason: .version
            )
        }

        /// - Throws: ``StoreError`` if the server is not suitable.
        static func check(_ connection: MariaDBConnection) throws {
            let (name, version) = connection.server
            let server = MariaDBServer(name: name, version: version, galeraMembers: try connection.value(Self.galera))
            if let problem = server.problem { throw problem }
        }

        private static let galera: SQL = """
            SELECT s.VARIABLE_VALUE FROM information_schema.GLOBAL_VARIABLES AS v
                JOIN information_schema.GLOBAL_STATUS AS s ON s.VARIABLE_NAME = 'WSREP_CLUSTER_SIZE'
            WHERE v.VARIABLE_NAME = 'WSREP_ON' AND v.VARIABLE_VALUE IN ('ON', '1')
            """
    }
#endif
