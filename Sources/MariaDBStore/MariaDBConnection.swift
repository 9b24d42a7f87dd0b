// SPDX-License-Identifier: Apache-2.0

#if MariaDB
    internal import CMariaDB
    internal import ConfigStore

    /// A connection to the server. Its calls block, and are made one at a time.
    final class MariaDBConnection {
        /// The library's initialisation is not thread-safe.
        private static let libraryIsReady = mysql_server_init(0, nil, nil) == 0

        private let handle: UnsafeMutablePointer<MYSQL>
        private var statements: [String: MariaDBStatement] = [:]
        /// Whether a command can be run for many rows in one round trip.
        private var knowsBulk = false

        init(_ address: MariaDBAddress, password: StorePassword?) throws {
            if address.tls.mode != .off { try address.tls.checkFiles() }
            guard Self.libraryIsReady, let handle = mysql_init(nil) else {
                throw MariaDBError(number: UInt32(CR_OUT_OF_MEMORY), message: "out of memory for a connection")
            }
            self.handle = handle
            // In seconds.
            set(MYSQL_OPT_CONNECT_TIMEOUT, UInt32(5))
            set(MYSQL_OPT_READ_TIMEOUT, UInt32(20))
            set(MYSQL_OPT_WRITE_TIMEOUT, UInt32(20))
            mysql_options(handle, MYSQL_SET_CHARSET_NAME, "utf8mb4")
            // Otherwise a server could request files of this machine.
            set(MYSQL_OPT_LOCAL_INFILE, UInt32(0))
            if address.tls.mode != .off { set(address.tls) }
            let transport = address.socket == nil ? MYSQL_PROTOCOL_TCP : MYSQL_PROTOCOL_SOCKET
            set(MYSQL_OPT_PROTOCOL, transport.rawValue)
            let connected = mysql_real_connect(
                handle,
                address.socket == nil ? address.host : nil,
                address.user,
                password?.text,
                address.database,
                UInt32(address.port),
                address.socket,
                0
            )
            guard connected != nil else { throw MariaDBError(connection: handle) }
            guard address.tls.mode == .off || mysql_get_ssl_cipher(handle) != nil else {
                throw MariaDBError(number: UInt32(CR_SSL_CONNECTION_ERROR), message: "the server does not support TLS")
            }
            knowsBulk = offersBulk()
        }

        deinit {
            statements = [:]
            mysql_close(handle)
        }

        /// Runs a command without parameters and rows.
        func execute(_ sql: SQL) throws {
            guard mysql_real_query(handle, sql.text, UInt(sql.text.utf8.count)) == 0 else {
                throw MariaDBError(connection: handle)
            }
        }

        /// Runs a prepared command.
        ///
        /// - Parameters:
        ///   - isStreamed: whether the rows are received one by one, and not all of them before the first.
        ///   - body: is called for each row of the result. While rows are streamed, it must not use the connection.
        /// - Returns: the number of rows that were affected, of a command without a result: two for a row that
        ///   `ON DUPLICATE KEY UPDATE` has changed, and none for one that is as it was.
        @discardableResult
        func run(
            _ sql: SQL,
            isStreamed: Bool = false,
            _ body: (MariaDBRow) throws -> Void = { _ in }
        ) throws -> UInt64 {
            try statement(sql.text).run([sql.parameters], isStreamed: isStreamed, body)
        }

        /// Runs a prepared command once for each of some items, in as few round trips as their size allows.
        ///
        /// - Parameter command: the command for an item: always the same text with other parameters. It has no result.
        /// - Returns: the number of rows that were affected.
        @discardableResult
        func run<Item>(each items: some Sequence<Item>, _ command: (Item) throws -> SQL) throws -> UInt64 {
            var affected: UInt64 = 0
            var (text, rows, bytes) = ("", [[SQL.Parameter]](), 0)
            for item in items {
                let sql = try command(item)
                let size = sql.parameterBytes
                if !rows.isEmpty, rows.count == Self.bulkRows || bytes + size > Self.bulkBytes {
                    affected += try run(text, rows: rows)
                    (rows, bytes) = ([], 0)
                }
                text = sql.text
                rows.append(sql.parameters)
                bytes += size
            }
            if !rows.isEmpty { affected += try run(text, rows: rows) }
            return affected
        }

        // Far below the least packet that a server accepts by default, which is 16 MiB.
        private static let (bulkRows, bulkBytes) = (1024, 1024 * 1024)

        private func run(_ text: String, rows: [[SQL.Parameter]]) throws -> UInt64 {
            let statement = try statement(text)
            if knowsBulk, rows.count > 1 {
                do {
                    return try statement.run(rows)
                } catch let error as MariaDBError where error.isBulkRefused {
                    knowsBulk = false
                }
            }
            return try rows.reduce(0) { $0 + (try statement.run([$1])) }
        }

        private func statement(_ text: String) throws -> MariaDBStatement {
            if let statement = statements[text] { return statement }
            let statement = try MariaDBStatement(text, on: handle)
            statements[text] = statement
            return statement
        }

        /// The rows of a prepared command.
        func rows(_ sql: SQL) throws -> [MariaDBRow] {
            var rows: [MariaDBRow] = []
            try run(sql) { rows.append($0) }
            return rows
        }

        /// The first column of the first row of a prepared command.
        func value<Value: MariaDBColumn>(_ sql: SQL) throws -> Value? {
            try rows(sql).first.flatMap { try $0[0] }
        }

        /// The server's name and version: `10.11.6-MariaDB` and 101106.
        var server: (name: String, version: UInt) {
            (String(cString: mysql_get_server_info(handle)), UInt(mysql_get_server_version(handle)))
        }

        /// Whether the server offers bulk operations: MariaDB does, but not every proxy before it.
        private func offersBulk() -> Bool {
            var capabilities: UInt = 0
            let result = mariadb_get_info(handle, MARIADB_CONNECTION_EXTENDED_SERVER_CAPABILITIES, &capabilities)
            return result == 0 && capabilities & UInt(MARIADB_CLIENT_STMT_BULK_OPERATIONS >> 32) != 0
        }

        private func set(_ tls: StoreTLS) {
            set(MYSQL_OPT_SSL_ENFORCE, my_bool(1))
            set(MYSQL_OPT_SSL_VERIFY_SERVER_CERT, my_bool(tls.mode == .on ? 1 : 0))
            if let authorities = tls.authorities { mysql_options(handle, MYSQL_OPT_SSL_CA, authorities) }
            if let identity = tls.identity {
                mysql_options(handle, MYSQL_OPT_SSL_CERT, identity.certificate)
                mysql_options(handle, MYSQL_OPT_SSL_KEY, identity.privateKey)
            }
        }

        private func set<Value: FixedWidthInteger>(_ option: mysql_option, _ value: Value) {
            _ = withUnsafePointer(to: value) { mysql_options(handle, option, $0) }
        }

        /// Runs the body in one transaction, which is rolled back if the body throws.
        ///
        /// - Throws: the error of the body, or ``LostCommitResponse`` if COMMIT failed, so that the outcome is unknown.
        func transaction<Value>(_ begin: SQL = "START TRANSACTION", _ body: () throws -> Value) throws -> Value {
            try execute(begin)
            let value: Value
            do {
                value = try body()
            } catch {
                // The server does the same when a connection is lost.
                try? execute("ROLLBACK")
                throw error
            }
            do {
                try execute("COMMIT")
            } catch {
                throw LostCommitResponse(underlying: error)
            }
            return value
        }

        /// Reads at one moment.
        func snapshot<Value>(_ body: () throws -> Value) throws -> Value {
            do {
                return try transaction("START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY", body)
            } catch let lost as LostCommitResponse {
                throw lost.underlying
            }
        }
    }

    /// COMMIT was sent, and its answer has not come.
    struct LostCommitResponse: Error {
        let underlying: any Error
    }

    /// A connection that is opened when it is needed, and again after it was lost, with a backoff while that fails.
    final class MariaDBLink {
        /// The entries that the batches on this connection have read and written.
        var memory = BatchMemory()
        private let connect: () throws -> MariaDBConnection
        private var connection: MariaDBConnection?
        private var backoff = Backoff(from: .milliseconds(25), to: .seconds(2))
        private var refusal: (until: ContinuousClock.Instant, error: any Error)?

        init(connect: @escaping () throws -> MariaDBConnection) { self.connect = connect }

        /// Whether the next job uses a connection that was opened before.
        var isConnected: Bool { connection != nil }

        /// Uses the connection, which is dropped if it is lost, or if its privileges do not suffice.
        func use<Value>(_ body: (MariaDBTables) throws -> Value) throws -> Value {
            do {
                return try body(MariaDBTables(connection: try connected()))
            } catch {
                let isUseless = (error as? MariaDBError).map { $0.isLostConnection || $0.isDenied } ?? false
                if error is LostCommitResponse || isUseless { connection = nil }
                throw error
            }
        }

        /// Runs something that can be repeated: a second time if an old connection was lost, or has old privileges.
        func read<Value>(_ body: (MariaDBTables) throws -> Value) throws -> Value {
            let isFromBefore = isConnected
            do {
                return try use(body)
            } catch let error as MariaDBError where (error.isLostConnection || error.isDenied) && isFromBefore {
                return try use(body)
            }
        }

        func snapshot<Value>(_ body: (MariaDBTables) throws -> Value) throws -> Value {
            try read { tables in try tables.connection.snapshot { try body(tables) } }
        }

        private func connected() throws -> MariaDBConnection {
            if let connection { return connection }
            if let refusal, refusal.until > .now { throw refusal.error }
            do {
                let connection = try connect()
                self.connection = connection
                backoff.reset()
                refusal = nil
                return connection
            } catch {
                refusal = (.now + backoff.next(), error)
                throw error
            }
        }
    }
#endif
