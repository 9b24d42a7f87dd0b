#if MariaDB
    internal import ConfigStore

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
        // others for long. Only the head is waited for (see MariaDBTransaction): who holds a row of the table "config" may
        // be waiting for the head in a trigger.
        private static let writingSession: SQL = """
            SET @livery_writes = 1, SESSION idle_transaction_timeout = 3, SESSION innodb_lock_wait_timeout = 0
            """
    }
#endif
