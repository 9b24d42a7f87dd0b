// SPDX-License-Identifier: Apache-2.0

#if MariaDB
    internal import ConfigModel
    internal import ConfigStore

    /// A command for the database.
    ///
    /// Its text can only be made of literals in the program, so that data never become part of it: interpolated values are
    /// passed as parameters, unless they are commands themselves.
    struct SQL: ExpressibleByStringInterpolation, Sendable {
        /// The text, with a `?` for each parameter.
        private(set) var text: String
        private(set) var parameters: [Parameter] = []

        enum Parameter: Sendable {
            case null
            case integer(Int64)
            case unsigned(UInt64)
            case text(String)

            fileprivate var text: String? {
                if case .text(let text) = self { text } else { nil }
            }
        }

        /// About how many bytes the parameters take on their way.
        var parameterBytes: Int {
            parameters.reduce(0) { $0 + 9 + ($1.text?.utf8.count ?? 0) }
        }

        init(stringLiteral text: StaticString) { self.text = "\(text)" }
        init(stringInterpolation: StringInterpolation) { self = stringInterpolation.sql }

        struct StringInterpolation: StringInterpolationProtocol {
            fileprivate var sql: SQL = ""

            init(literalCapacity: Int, interpolationCount: Int) {}

            mutating func appendLiteral(_ literal: StaticString) { sql.text += "\(literal)" }

            mutating func appendInterpolation(_ part: SQL) {
                sql.text += part.text
                sql.parameters += part.parameters
            }

            mutating func appendInterpolation(_ number: UInt64) { append(.unsigned(number)) }
            mutating func appendInterpolation(_ number: some SignedInteger) { append(.integer(Int64(number))) }
            mutating func appendInterpolation(_ flag: Bool) { append(.integer(flag ? 1 : 0)) }
            mutating func appendInterpolation(_ text: String?) { append(text.map { .text($0) } ?? .null) }
            mutating func appendInterpolation(_ time: Timestamp) { append(.integer(time.milliseconds)) }

            /// Texts for a set after `IN`, of which there is at least one.
            mutating func appendInterpolation(anyOf texts: [String]) {
                for (index, text) in texts.paddedToPowerOfTwo.enumerated() {
                    sql.text += index == 0 ? "" : ", "
                    append(.text(text))
                }
            }

            private mutating func append(_ parameter: Parameter) {
                sql.text += "?"
                sql.parameters.append(parameter)
            }
        }
    }

    /// A row of a result. A column is read as the type that the caller expects.
    struct MariaDBRow: Sendable {
        /// The columns as texts; `nil` for NULL.
        let columns: [String?]
        /// The names of the columns, for messages.
        let names: [String]

        /// A column that may be NULL.
        subscript<Value: MariaDBColumn>(index: Int) -> Value? {
            get throws {
                guard let text = columns[index] else { return nil }
                guard let value = Value(column: text) else { throw unexpected(index) }
                return value
            }
        }

        subscript<Value: MariaDBColumn>(index: Int) -> Value {
            get throws {
                guard let value: Value = try self[index] else { throw unexpected(index) }
                return value
            }
        }

        /// A revision, or an id assigned by the store.
        func revision(_ index: Int) throws -> UInt64 {
            try UInt64(storedRevision: try self[index], in: name(of: index))
        }

        func date(_ index: Int) throws -> Timestamp {
            try Timestamp(storedMilliseconds: try self[index], in: name(of: index))
        }

        private func name(of index: Int) -> String { names.indices.contains(index) ? names[index] : "column \(index)" }

        private func unexpected(_ index: Int) -> StoreError {
            let value = columns[index]?.excerpt(ofScalars: 40) ?? "NULL"
            let message = "invalid value in the store: \(name(of: index)) is \(value); restore a backup of the database"
            return StoreError(.damaged, message)
        }
    }

    /// A type that a column can be read as.
    protocol MariaDBColumn {
        init?(column text: String)
    }

    extension MariaDBColumn where Self: LosslessStringConvertible {
        init?(column text: String) { self.init(text) }
    }

    extension String: MariaDBColumn {}
    extension Int64: MariaDBColumn {}
    extension UInt64: MariaDBColumn {}

    extension Bool: MariaDBColumn {
        init?(column text: String) { self = text != "0" }
    }
#endif
