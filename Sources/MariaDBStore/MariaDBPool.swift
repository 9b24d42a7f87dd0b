#if MariaDB
    internal import ConfigModel
    internal import ConfigStore
    internal import Dispatch
    internal import Foundation
    internal import Synchronization

    /// The connections of one server: one that writes, so that writes keep their order, and a few that read.
    final class MariaDBPool: Sendable {
        /// The connection for commits.
        let writer: MariaDBWorker
        private let readers: [MariaDBWorker]
        private let connect: @Sendable () throws -> MariaDBConnection

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
            readers = (0..<2).map { _ in MariaDBWorker(connect: connect) }
        }

        func close() {
            for worker in readers + [writer] { worker.close() }
        }

        /// The reading connection with the least to do.
        var reader: MariaDBWorker {
            readers.min { $0.load < $1.load } ?? writer
        }

        /// Another connection, for a thread of the caller.
        func link() -> MariaDBLink { MariaDBLink(connect: connect) }

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

    /// A thread with its own connection: libmariadb's calls block, and must not be made on the threads that tasks share.
    final class MariaDBWorker: Sendable {
        private typealias Job = @Sendable (MariaDBLink) -> Void

        private final class Queue: Sendable {
            let state = Mutex<(jobs: [Job], isClosed: Bool)>(([], false))
            let signal = DispatchSemaphore(value: 0)

            /// Waits for the next job; `nil` when the queue is closed and empty.
            func next() -> Job? {
                signal.wait()
                return state.withLock { $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }
            }
        }

        private let queue = Queue()

        /// Starts the thread, which connects when there is a job.
        init(connect: @escaping @Sendable () throws -> MariaDBConnection) {
            Thread.detachNewThread { [queue] in
                let link = MariaDBLink(connect: connect)
                while let job = queue.next() { job(link) }
            }
        }

        deinit { close() }

        /// Ends the thread after its remaining jobs.
        func close() {
            queue.state.withLock { $0.isClosed = true }
            queue.signal.signal()
        }

        /// The number of waiting jobs.
        var load: Int { queue.state.withLock { $0.jobs.count } }

        /// Runs a job on the thread. Cancelling the caller has no effect.
        func perform<Value: Sendable>(_ body: @escaping @Sendable (MariaDBLink) throws -> Value) async throws -> Value {
            try await withCheckedContinuation { continuation in
                let isTaken = queue.state.withLock { state in
                    guard !state.isClosed else { return false }
                    state.jobs.append { link in continuation.resume(returning: Result { try body(link) }) }
                    return true
                }
                if isTaken {
                    queue.signal.signal()
                } else {
                    continuation.resume(returning: .failure(StoreError(.unavailable, "the store is closed")))
                }
            }.get()
        }
    }

    /// Whether a server is suitable for a store.
    struct MariaDBServer: Hashable {
        /// Such as `10.11.6-MariaDB`.
        var name: String
        /// Such as 101106.
        var version: UInt
        /// Whether the server is a member of a Galera cluster.
        var isGalera = false
        /// The number of members of the cluster.
        var galeraMembers = 0

        /// Why the server is not suitable; `nil` if it is.
        var problem: StoreError? {
            guard name.localizedStandardContains("mariadb"), version >= 100_500 else {
                let shown = name.excerpt(ofScalars: 40)
                return StoreError(.unavailable, "the store needs MariaDB 10.5 or later, and the server is '\(shown)'")
            }
            guard isGalera, galeraMembers > 1 else { return nil }
            return StoreError(
                .unavailable,
                """
                the database is a Galera cluster of \(galeraMembers) members that all write, where a row cannot be \
                locked for all of them, so that revisions would lose their order; use one primary with replicas, or etcd
                """
            )
        }

        /// - Throws: ``StoreError`` if the server is not suitable.
        static func check(_ connection: MariaDBConnection) throws {
            let (name, version) = connection.server
            var server = MariaDBServer(name: name, version: version)
            for row in try connection.rows(Self.galera) {
                switch (try row.text(0).lowercased(), try row.text(1)) {
                case ("wsrep_on", let value): server.isGalera = ["ON", "1"].contains(value)
                case (_, let value): server.galeraMembers = Int(value) ?? 0
                }
            }
            if let problem = server.problem { throw problem }
        }

        private static let galera: SQL = """
            SELECT VARIABLE_NAME, VARIABLE_VALUE FROM information_schema.GLOBAL_VARIABLES WHERE VARIABLE_NAME = 'WSREP_ON'
            UNION ALL
            SELECT VARIABLE_NAME, VARIABLE_VALUE FROM information_schema.GLOBAL_STATUS
            WHERE VARIABLE_NAME = 'WSREP_CLUSTER_SIZE'
            """
    }
#endif
