// SPDX-License-Identifier: Apache-2.0

#if MariaDB
    internal import CMariaDB

    /// Rows of parameters at fixed addresses, for the library to read: an array for each column.
    final class ParameterArena {
        private struct Column {
            var type = MYSQL_TYPE_STRING
            var isUnsigned = false
            /// Numbers of 64 bits, or the addresses of texts.
            let values: UnsafeMutableBufferPointer<UInt64>
            let lengths: UnsafeMutableBufferPointer<UInt>
            /// The flags of NULL values.
            let indicators: UnsafeMutableBufferPointer<CChar>
        }

        private var columns: [Column] = []
        private var texts: [UnsafeMutableRawBufferPointer] = []

        /// - Parameter rows: at least one, all of the same number of parameters; those of a column have one type, or are NULL.
        init(_ rows: [[SQL.Parameter]]) {
            for index in rows[0].indices { add(rows.map { $0[index] }) }
        }

        deinit {
            for column in columns {
                column.values.deallocate()
                column.lengths.deallocate()
                column.indicators.deallocate()
            }
            for text in texts { text.deallocate() }
        }

        private func add(_ parameters: [SQL.Parameter]) {
            var column = Column(
                values: .allocate(capacity: parameters.count),
                lengths: .allocate(capacity: parameters.count),
                indicators: .allocate(capacity: parameters.count)
            )
            column.values.initialize(repeating: 0)
            column.lengths.initialize(repeating: 0)
            column.indicators.initialize(repeating: CChar(STMT_INDICATOR_NONE.rawValue))
            for (row, parameter) in parameters.enumerated() {
                switch parameter {
                case .null: column.indicators[row] = CChar(STMT_INDICATOR_NULL.rawValue)
                case .integer(let number):
                    column.type = MYSQL_TYPE_LONGLONG
                    column.values[row] = UInt64(bitPattern: number)
                case .unsigned(let number):
                    (column.type, column.isUnsigned) = (MYSQL_TYPE_LONGLONG, true)
                    column.values[row] = number
                case .text(let text):
                    column.type = MYSQL_TYPE_STRING
                    let bytes = text.utf8
                    let place = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, bytes.count), alignment: 1)
                    place.copyBytes(from: bytes)
                    texts.append(place)
                    column.values[row] = UInt64(UInt(bitPattern: place.baseAddress))
                    column.lengths[row] = UInt(bytes.count)
                }
            }
            columns.append(column)
        }

        /// The bindings for the library: of all rows, or of the first one alone.
        func binds(isArray: Bool) -> [MYSQL_BIND] {
            columns.map { column in
                var bind = MYSQL_BIND()
                bind.buffer_type = column.type
                bind.is_unsigned = column.isUnsigned ? 1 : 0
                bind.length = column.lengths.baseAddress
                bind.buffer = UnsafeMutableRawPointer(column.values.baseAddress)
                if isArray {
                    bind.u.indicator = column.indicators.baseAddress
                } else if column.indicators[0] != CChar(STMT_INDICATOR_NONE.rawValue) {
                    bind.buffer_type = MYSQL_TYPE_NULL
                } else if column.type == MYSQL_TYPE_STRING {
                    bind.buffer = UnsafeMutableRawPointer(bitPattern: UInt(column.values[0]))
                    bind.buffer_length = column.lengths[0]
                }
                return bind
            }
        }
    }
#endif
