#if MariaDB
    internal import CMariaDB
    internal import ConfigStore

    /// A connection to the server. Its calls block, and all of them are made on one thread.
    final class MariaDBConnection {
        /// The limits for the server and the network, in seconds.
        struct Timeouts: Hashable, Sendable {
            var connect: UInt32 = 5
            var read: UInt32 = 20
            var write: UInt32 = 20
        }

        /// The library's initialisation is not thread-safe.
        private static let libraryIsReady = mysql_server_init(0, nil, nil) == 0

        private let handle: UnsafeMutablePointer<MYSQL>
        private var statements: [SQL: MariaDBStatement] = [:]

        init(_ address: MariaDBAddress, password: StorePassword?, timeouts: Timeouts = Timeouts()) throws {
            guard Self.libraryIsReady, let handle = mysql_init(nil) else {
                throw MariaDBError(number: UInt32(CR_OUT_OF_MEMORY), message: "there is no memory for a connection")
            }
            self.handle = handle
            set(timeouts)
            mysql_options(handle, MYSQL_SET_CHARSET_NAME, "utf8mb4")
            // Otherwise a server could request files of this machine.
            var filesAreSent: UInt32 = 0
            mysql_options(handle, MYSQL_OPT_LOCAL_INFILE, &filesAreSent)
            set(address.tls)
            var transport = (address.socket == nil ? MYSQL_PROTOCOL_TCP : MYSQL_PROTOCOL_SOCKET).rawValue
            mysql_options(handle, MYSQL_OPT_PROTOCOL, &transport)
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
                throw MariaDBError(number: UInt32(CR_SSL_CONNECTION_ERROR), message: "the server does not encrypt")
            }
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

        /// Runs a prepared command, and returns the id of the row that it has inserted.
        @discardableResult
        func run(
            _ sql: SQL,
            _ parameters: [MariaDBValue] = [],
            _ body: (MariaDBRow) throws -> Void = { _ in }
        ) throws -> UInt64 {
            let statement = try statements[sql] ?? MariaDBStatement(sql, on: handle)
            statements[sql] = statement
            return try statement.run(parameters, body)
        }

        /// The rows of a prepared command.
        func rows(_ sql: SQL, _ parameters: [MariaDBValue] = []) throws -> [MariaDBRow] {
            var rows: [MariaDBRow] = []
            try run(sql, parameters) { rows.append($0) }
            return rows
        }

        /// The server's name and version: `10.11.6-MariaDB` and 101106.
        var server: (name: String, version: UInt) {
            (String(cString: mysql_get_server_info(handle)), UInt(mysql_get_server_version(handle)))
        }

        private func set(_ timeouts: Timeouts) {
            var (connect, read, write) = (timeouts.connect, timeouts.read, timeouts.write)
            mysql_options(handle, MYSQL_OPT_CONNECT_TIMEOUT, &connect)
            mysql_options(handle, MYSQL_OPT_READ_TIMEOUT, &read)
            mysql_options(handle, MYSQL_OPT_WRITE_TIMEOUT, &write)
        }

        private func set(_ tls: StoreTLS) {
            guard tls.mode != .off else { return }
            var isWanted: my_bool = 1
            var isVerified: my_bool = tls.mode == .on ? 1 : 0
            mysql_options(handle, MYSQL_OPT_SSL_ENFORCE, &isWanted)
            mysql_options(handle, MYSQL_OPT_SSL_VERIFY_SERVER_CERT, &isVerified)
            if let authorities = tls.authorities { mysql_options(handle, MYSQL_OPT_SSL_CA, authorities) }
            if let identity = tls.identity {
                mysql_options(handle, MYSQL_OPT_SSL_CERT, identity.certificate)
                mysql_options(handle, MYSQL_OPT_SSL_KEY, identity.privateKey)
            }
        }
    }

    extension MariaDBConnection {
        /// Runs the body in one transaction, which is rolled back if the body throws.
        ///
        /// - Throws: what the body throws, or ``LostAnswer`` if COMMIT failed, so that the outcome is unknown.
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
                throw LostAnswer(underlying: error)
            }
            return value
        }

        /// Reads at one moment.
        func snapshot<Value>(_ body: () throws -> Value) throws -> Value {
            do {
                return try transaction("START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY", body)
            } catch let lost as LostAnswer {
                throw lost.underlying
            }
        }
    }

    /// COMMIT was sent, and its answer has not come.
    struct LostAnswer: Error {
        let underlying: any Error
    }

    /// A connection that is opened when it is needed, and again after it was lost, with a backoff while that fails. It
    /// belongs to one thread.
    final class MariaDBLink {
        private let connect: () throws -> MariaDBConnection
        private var connection: MariaDBConnection?
        private var backoff = Backoff(from: .milliseconds(25), to: .seconds(2))
        private var refusal: (until: ContinuousClock.Instant, error: any Error)?

        init(connect: @escaping () throws -> MariaDBConnection) {
            self.connect = connect
        }

        /// Uses the connection, which is dropped if it is lost meanwhile.
        func use<Value>(_ body: (MariaDBConnection) throws -> Value) throws -> Value {
            do {
                return try body(try connected())
            } catch let error as MariaDBError where error.isLostConnection {
                connection = nil
                throw error
            } catch let error as LostAnswer {
                connection = nil
                throw error
            }
        }

        /// Runs something that can be repeated: a second time if an old connection was lost.
        func read<Value>(_ body: (MariaDBConnection) throws -> Value) throws -> Value {
            let isFromBefore = connection != nil
            do {
                return try use(body)
            } catch let error as MariaDBError where error.isLostConnection && isFromBefore {
                return try use(body)
            }
        }

        private func connected() throws -> MariaDBConnection {
            if let connection { return connection }
            if let refusal, refusal.until > .now { throw refusal.error }
            do {
                let connection = try connect()
                self.connection = connection
                (backoff, refusal) = (Backoff(), nil)
                return connection
            } catch {
                refusal = (.now + backoff.next(), error)
                throw error
            }
        }
    }
#endif
