#if MariaDB
    internal import ConfigModel
    internal import ConfigStore
    internal import Dispatch
    internal import Foundation
    internal import Synchronization

    /// The connections of one server: one that writes, so that writes keep their order, and a few that read.
    final class MariaDBPool: Sendable {
        /// What commits.
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

        /// The connection that has the least to do.
        var reader: MariaDBWorker {
            readers.min { $0.load < $1.load } ?? writer
        }

        /// A connection beside these, for one thread of the caller's own.
        func link() -> MariaDBLink { MariaDBLink(connect: connect) }

        private static let session: SQL = """
            SET SESSION time_zone = '+00:00', sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION', autocommit = 1,
                lock_wait_timeout = 20
            """

        // The triggers are for what others write. A server that hangs in the middle of a transaction must not hold up the
        // others for long. Only the head is waited for (see MariaDBTables): who holds a row of the table "config" may
        // be waiting for the head in a trigger.
        private static let writingSession: SQL = """
            SET @livery_writes = 1, SESSION idle_transaction_timeout = 3, SESSION innodb_lock_wait_timeout = 0
            """
    }

    /// A thread with a connection of its own: libmariadb's calls block, so that they must not be made on the threads that
    /// tasks share.
    final class MariaDBWorker: Sendable {
        private typealias Job = @Sendable (MariaDBLink) -> Void

        private final class Queue: Sendable {
            let state = Mutex<(jobs: [Job], isClosed: Bool)>(([], false))
            let signal = DispatchSemaphore(value: 0)

            /// The next job, as soon as there is one; `nil` when all are done and no more come.
            func next() -> Job? {
                signal.wait()
                return state.withLock { $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }
            }
        }

        private let queue = Queue()

        /// Starts the thread, which connects when there is something to do.
        init(connect: @escaping @Sendable () throws -> MariaDBConnection) {
            Thread.detachNewThread { [queue] in
                let link = MariaDBLink(connect: connect)
                while let job = queue.next() { job(link) }
            }
        }

        deinit { close() }

        /// Ends the thread when it has done what it was given.
        func close() {
            queue.state.withLock { $0.isClosed = true }
            queue.signal.signal()
        }

        /// How much waits for the thread.
        var load: Int { queue.state.withLock { $0.jobs.count } }

        /// Does something on the thread. Cancelling the caller changes nothing.
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

    /// What a server has to be for a store to be kept in it.
    struct MariaDBServer: Hashable {
        /// Such as `10.11.6-MariaDB`.
        var name: String
        /// Such as 101106.
        var version: UInt
        /// Whether the server is a member of a Galera cluster.
        var isGalera = false
        /// How many members the cluster has.
        var galeraMembers = 0

        /// Why no store can be kept in the server, or `nil` if one can.
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

        /// - Throws: ``StoreError``, if no store can be kept in the server.
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
