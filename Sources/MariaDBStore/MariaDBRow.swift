#if MariaDB
    internal import ConfigModel
    internal import ConfigStore

    /// A parameter of a statement, or the value of a column.
    enum MariaDBValue: Hashable, Sendable {
        case null
        case integer(Int64)
        case unsigned(UInt64)
        case text(String)
        case bytes([UInt8])

        init(_ text: String?) {
            self = text.map(Self.text) ?? .null
        }
    }

    /// A row of a result.
    struct MariaDBRow: Sendable {
        let values: [MariaDBValue]

        func optionalText(_ column: Int) throws -> String? {
            switch values[column] {
            case .null: nil
            case .text(let text): text
            default: throw unexpected(column)
            }
        }

        func text(_ column: Int) throws -> String {
            guard let text = try optionalText(column) else { throw unexpected(column) }
            return text
        }

        func unsigned(_ column: Int) throws -> UInt64 {
            switch values[column] {
            case .unsigned(let number): return number
            case .integer(let number) where number >= 0: return UInt64(number)
            default: throw unexpected(column)
            }
        }

        func integer(_ column: Int) throws -> Int64 {
            switch values[column] {
            case .integer(let number): return number
            case .unsigned(let number) where number <= UInt64(Int64.max): return Int64(number)
            default: throw unexpected(column)
            }
        }

        func isNull(_ column: Int) -> Bool { values[column] == .null }

        private func unexpected(_ column: Int) -> StoreError {
            StoreError(
                .damaged,
                "a table of the store has an unexpected value in a column (\(column)); restore a backup of the database"
            )
        }
    }

    /// A value as the table `config` has it: a string is its own text, and everything else is JSON, which a flag marks.
    ///
    /// Texts written by hand are strings, unless the entry was JSON before and the new text is valid JSON: so a number
    /// that is edited by hand stays a number.
    struct StoredText: Hashable, Sendable {
        var text: String
        var isJSON: Bool

        init(_ value: EntryValue) {
            switch value {
            case .string(let text): (self.text, isJSON) = (text, false)
            default: (text, isJSON) = (value.canonicalJSON, true)
            }
        }

        /// - Returns: `nil` for NULL, and for a value that is too large.
        static func value(_ text: String?, isJSON: Bool) -> EntryValue? {
            guard let text else { return nil }
            let value = (isJSON ? json(text) : nil) ?? .string(text)
            return value.canonicalJSON.utf8.count > EntryValue.maximumBytes ? nil : value
        }

        private static func json(_ text: String) -> EntryValue? {
            guard var scanner = try? JSONScanner(Array(text.utf8)), let value = try? scanner.value() else { return nil }
            scanner.skipWhitespace()
            return scanner.current == nil ? value : nil
        }
    }

    /// A command for the database, which can only be a literal in the program, so that data never become part of one. Data
    /// are passed as parameters.
    struct SQL: ExpressibleByStringLiteral, Hashable, Sendable {
        let text: String

        init(stringLiteral text: StaticString) {
            self.text = "\(text)"
        }

        private init(joined text: String) {
            self.text = text
        }

        static func + (left: SQL, right: SQL) -> SQL {
            SQL(joined: left.text + right.text)
        }
    }
#endif
