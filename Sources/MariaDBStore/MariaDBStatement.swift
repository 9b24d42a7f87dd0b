// SPDX-License-Identifier: Apache-2.0

#if MariaDB
    internal import CMariaDB

    /// A prepared statement, which only one thread at a time uses.
    final class MariaDBStatement {
        private let handle: UnsafeMutablePointer<MYSQL_STMT>
        /// The library's output about the columns of a row.
        private let columns: UnsafeMutableBufferPointer<(length: UInt, isNull: my_bool)>
        private let names: [String]

        init(_ sql: String, on connection: UnsafeMutablePointer<MYSQL>) throws {
            guard let handle = mysql_stmt_init(connection) else { throw MariaDBError(connection: connection) }
            self.handle = handle
            guard mysql_stmt_prepare(handle, sql, UInt(sql.utf8.count)) == 0 else {
                (columns, names) = (.allocate(capacity: 0), [])
                throw MariaDBError(statement: handle)
            }
            columns = .allocate(capacity: Int(mysql_stmt_field_count(handle)))
            columns.initialize(repeating: (0, 0))
            names = Self.names(in: mysql_stmt_result_metadata(handle))
        }

        private static func names(in result: UnsafeMutablePointer<MYSQL_RES>?) -> [String] {
            guard let result else { return [] }
            defer { mysql_free_result(result) }
            let fields = UnsafeBufferPointer(start: mysql_fetch_fields(result), count: Int(mysql_num_fields(result)))
            return fields.map { $0.name.map { String(cString: $0) } ?? "" }
        }

        deinit {
            mysql_stmt_close(handle)
            columns.deallocate()
        }

        /// Runs the command once for each row of parameters, all of them in one round trip.
        ///
        /// For several rows, the server has to know bulk operations, and the command must have no result.
        ///
        /// - Parameters:
        ///   - rows: at least one: the values of the `?`, in their order.
        ///   - isStreamed: whether the rows are received one by one, and not all of them before the first.
        ///   - body: is called for each row of the result. While rows are streamed, it must not use the connection.
        /// - Returns: the number of rows that were affected, of a command without a result.
        func run(
            _ rows: [[SQL.Parameter]],
            isStreamed: Bool = false,
            _ body: (MariaDBRow) throws -> Void = { _ in }
        ) throws -> UInt64 {
            // The caller may release it while it runs.
            defer { withExtendedLifetime(self) {} }
            let count = Int(mysql_stmt_param_count(handle))
            guard count > 0 || rows.count == 1, rows.allSatisfy({ $0.count == count }) else {
                throw Self.missingParameters
            }
            try execute(ParameterArena(rows), rows: rows.count == 1 ? 0 : UInt32(rows.count))
            if !columns.isEmpty { try fetchAll(isStreamed: isStreamed, body) }
            return mysql_stmt_affected_rows(handle)
        }

        /// - Parameter rows: the number of rows in the arena; 0 for one row that is not an array.
        private func execute(_ arena: ParameterArena, rows: UInt32) throws {
            var (binds, rows) = (arena.binds(isArray: rows > 0), rows)
            mysql_stmt_attr_set(handle, STMT_ATTR_ARRAY_SIZE, &rows)
            // The library reads the arena's memory while it executes, which the compiler does not see.
            let isDone = withExtendedLifetime(arena) {
                (binds.isEmpty || mysql_stmt_bind_param(handle, &binds) == 0) && mysql_stmt_execute(handle) == 0
            }
            guard isDone else { throw MariaDBError(statement: handle) }
        }

        private static var missingParameters: MariaDBError {
            MariaDBError(number: UInt32(CR_PARAMS_NOT_BOUND), message: "a statement's parameters are missing")
        }

        /// Rows are fetched without their values, but with the lengths of these, and then the values one by one.
        private func fetchAll(isStreamed: Bool, _ body: (MariaDBRow) throws -> Void) throws {
            var binds = columns.indices.map { index in
                var bind = MYSQL_BIND()
                bind.buffer_type = MYSQL_TYPE_STRING
                let column = columns.baseAddress.map { $0 + index }
                bind.length = column?.pointer(to: \.length)
                bind.is_null = column?.pointer(to: \.isNull)
                return bind
            }
            // Receives and drops the rows that are left, if the body throws.
            defer { mysql_stmt_free_result(handle) }
            guard mysql_stmt_bind_result(handle, &binds) == 0, isStreamed || mysql_stmt_store_result(handle) == 0 else {
                throw MariaDBError(statement: handle)
            }
            while true {
                switch mysql_stmt_fetch(handle) {
                case 0, Int32(MYSQL_DATA_TRUNCATED):
                    try body(MariaDBRow(columns: columns.indices.map(text), names: names))
                case Int32(MYSQL_NO_DATA): return
                default: throw MariaDBError(statement: handle)
                }
            }
        }

        private func text(of index: Int) throws -> String? {
            if columns[index].isNull != 0 { return nil }
            let length = Int(columns[index].length)
            if length == 0 { return "" }
            return try String(unsafeUninitializedCapacity: length) { buffer in
                var bind = MYSQL_BIND()
                bind.buffer_type = MYSQL_TYPE_STRING
                bind.buffer = UnsafeMutableRawPointer(buffer.baseAddress)
                bind.buffer_length = UInt(length)
                guard mysql_stmt_fetch_column(handle, &bind, UInt32(index), 0) == 0 else {
                    throw MariaDBError(statement: handle)
                }
                return length
            }
        }
    }
#endif
