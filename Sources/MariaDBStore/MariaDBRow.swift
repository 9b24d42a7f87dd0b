#if MariaDB
    internal import ConfigStore

    /// What goes into a statement's `?` and comes out of a column.
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
                "a table of the store has something unexpected in a column (\(column)); restore a backup of the database"
            )
        }
    }
#endif
