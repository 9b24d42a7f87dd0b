#if MariaDB
    internal import CMariaDB

    /// A prepared statement. It belongs to the thread of its connection.
    final class MariaDBStatement {
        private let handle: UnsafeMutablePointer<MYSQL_STMT>
        private var columns: [ColumnBuffer] = []

        init(_ sql: SQL, on connection: UnsafeMutablePointer<MYSQL>) throws {
            guard let handle = mysql_stmt_init(connection) else { throw MariaDBError(connection: connection) }
            self.handle = handle
            guard mysql_stmt_prepare(handle, sql.text, UInt(sql.text.utf8.count)) == 0 else {
                throw MariaDBError(statement: handle)
            }
            try makeColumns()
        }

        deinit {
            mysql_stmt_close(handle)
        }

        /// Runs the command.
        ///
        /// - Parameters:
        ///   - parameters: the values of the `?`, in their order.
        ///   - body: is called for each row of the result.
        /// - Returns: the id of the row that the command has inserted.
        @discardableResult
        func run(_ parameters: [MariaDBValue], _ body: (MariaDBRow) throws -> Void = { _ in }) throws -> UInt64 {
            // The caller may release it while it runs.
            defer { withExtendedLifetime(self) {} }
            guard mysql_stmt_param_count(handle) == parameters.count else {
                throw MariaDBError(number: UInt32(CR_PARAMS_NOT_BOUND), message: "a statement's parameters are missing")
            }
            let arena = ParameterArena(parameters)
            var binds = arena.binds
            // The library reads the arena's memory while it executes, which the compiler does not see.
            let isDone = withExtendedLifetime(arena) {
                (parameters.isEmpty || mysql_stmt_bind_param(handle, &binds) == 0) && mysql_stmt_execute(handle) == 0
            }
            guard isDone else { throw MariaDBError(statement: handle) }
            let id = mysql_stmt_insert_id(handle)
            if !columns.isEmpty { try fetchAll(body) }
            return id
        }

        private func makeColumns() throws {
            guard let metadata = mysql_stmt_result_metadata(handle) else { return }
            defer { mysql_free_result(metadata) }
            for index in 0..<Int(mysql_num_fields(metadata)) {
                columns.append(ColumnBuffer(mysql_fetch_field_direct(metadata, UInt32(index)).pointee))
            }
        }

        private func fetchAll(_ body: (MariaDBRow) throws -> Void) throws {
            var binds = columns.map(\.bind)
            guard mysql_stmt_bind_result(handle, &binds) == 0, mysql_stmt_store_result(handle) == 0 else {
                throw MariaDBError(statement: handle)
            }
            defer { mysql_stmt_free_result(handle) }
            while true {
                switch mysql_stmt_fetch(handle) {
                case 0, Int32(MYSQL_DATA_TRUNCATED): try body(row())
                case Int32(MYSQL_NO_DATA): return
                default: throw MariaDBError(statement: handle)
                }
            }
        }

        private func row() throws -> MariaDBRow {
            var values: [MariaDBValue] = []
            values.reserveCapacity(columns.count)
            for (index, column) in columns.enumerated() {
                values.append(try column.value ?? longValue(of: index, length: column.length))
            }
            return MariaDBRow(values: values)
        }

        /// A value that is longer than the buffer of its column.
        private func longValue(of index: Int, length: Int) throws -> MariaDBValue {
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: length, alignment: 1)
            defer { buffer.deallocate() }
            var bind = MYSQL_BIND()
            bind.buffer_type = columns[index].type
            bind.buffer = buffer.baseAddress
            bind.buffer_length = UInt(length)
            guard mysql_stmt_fetch_column(handle, &bind, UInt32(index), 0) == 0 else {
                throw MariaDBError(statement: handle)
            }
            return columns[index].value(of: UnsafeRawBufferPointer(buffer))
        }
    }

    /// The memory that the library writes the values of a column to.
    private final class ColumnBuffer {
        let type: enum_field_types
        private let isUnsigned: Bool
        private let isBinary: Bool
        private let bytes: UnsafeMutableRawBufferPointer
        private let state: UnsafeMutablePointer<(length: UInt, isNull: my_bool, error: my_bool)>

        init(_ field: MYSQL_FIELD) {
            let isInteger = [MYSQL_TYPE_TINY, MYSQL_TYPE_SHORT, MYSQL_TYPE_INT24, MYSQL_TYPE_LONG, MYSQL_TYPE_LONGLONG]
                .contains { $0 == field.type }
            type = isInteger ? MYSQL_TYPE_LONGLONG : MYSQL_TYPE_STRING
            isUnsigned = field.flags & UInt32(UNSIGNED_FLAG) != 0
            // The character set "binary".
            isBinary = field.charsetnr == 63
            bytes = .allocate(byteCount: isInteger ? 8 : 512, alignment: 8)
            state = .allocate(capacity: 1)
            state.initialize(to: (0, 0, 0))
        }

        deinit {
            bytes.deallocate()
            state.deallocate()
        }

        var bind: MYSQL_BIND {
            var bind = MYSQL_BIND()
            bind.buffer_type = type
            bind.buffer = bytes.baseAddress
            bind.buffer_length = UInt(bytes.count)
            bind.is_unsigned = isUnsigned ? 1 : 0
            bind.length = state.pointer(to: \.length)
            bind.is_null = state.pointer(to: \.isNull)
            bind.error = state.pointer(to: \.error)
            return bind
        }

        var length: Int { Int(state.pointee.length) }

        /// The value, unless it is too long for the buffer.
        var value: MariaDBValue? {
            if state.pointee.isNull != 0 { return .null }
            if type == MYSQL_TYPE_LONGLONG {
                return isUnsigned ? .unsigned(bytes.load(as: UInt64.self)) : .integer(bytes.load(as: Int64.self))
            }
            guard length <= bytes.count else { return nil }
            return value(of: UnsafeRawBufferPointer(rebasing: bytes[..<length]))
        }

        func value(of bytes: UnsafeRawBufferPointer) -> MariaDBValue {
            isBinary ? .bytes(Array(bytes)) : .text(String(decoding: bytes, as: UTF8.self))
        }
    }

    /// Parameters at fixed addresses, for the library to read.
    private final class ParameterArena {
        private(set) var binds: [MYSQL_BIND] = []
        private var places: [UnsafeMutableRawBufferPointer] = []

        init(_ parameters: [MariaDBValue]) {
            for parameter in parameters { binds.append(bind(parameter)) }
        }

        deinit {
            for place in places { place.deallocate() }
        }

        private func bind(_ parameter: MariaDBValue) -> MYSQL_BIND {
            var bind = MYSQL_BIND()
            switch parameter {
            case .null:
                bind.buffer_type = MYSQL_TYPE_NULL
            case .integer(let number):
                bind.buffer_type = MYSQL_TYPE_LONGLONG
                withUnsafeBytes(of: number) { keep($0, &bind) }
            case .unsigned(let number):
                bind.buffer_type = MYSQL_TYPE_LONGLONG
                bind.is_unsigned = 1
                withUnsafeBytes(of: number) { keep($0, &bind) }
            case .text(var text):
                bind.buffer_type = MYSQL_TYPE_STRING
                text.withUTF8 { keep(UnsafeRawBufferPointer($0), &bind) }
            case .bytes(let bytes):
                bind.buffer_type = MYSQL_TYPE_BLOB
                bytes.withUnsafeBytes { keep($0, &bind) }
            }
            return bind
        }

        private func keep(_ bytes: UnsafeRawBufferPointer, _ bind: inout MYSQL_BIND) {
            let place = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, bytes.count), alignment: 8)
            place.copyMemory(from: bytes)
            places.append(place)
            bind.buffer = place.baseAddress
            bind.buffer_length = UInt(bytes.count)
        }
    }
#endif
