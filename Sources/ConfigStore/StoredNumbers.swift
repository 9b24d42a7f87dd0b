// SPDX-License-Identifier: Apache-2.0

package import ConfigModel

// Anyone with access to a database can change its numbers, and a number out of range must not reach arithmetic.
extension UInt64 {
    /// Revisions count up from 0 one by one, so a larger number was not written by a server.
    private static let lastRevision: Int64 = 1 << 62

    /// Reads a revision from a database.
    ///
    /// - Parameter column: the column of the number, for the message, such as `meta.head`.
    /// - Throws: `damaged` if no server can have written it.
    package init(storedRevision number: Int64, in column: String) throws(StoreError) {
        guard (0...Self.lastRevision).contains(number) else {
            throw StoreError(.damaged, "invalid revision in the store: \(column) is \(number); restore a backup")
        }
        self = UInt64(number)
    }
}

extension Timestamp {
    /// Reads a date from a database, in milliseconds since 1970.
    ///
    /// - Parameter column: the column of the number, for the message, such as `meta.updated_at`.
    /// - Throws: `damaged` if it is not of the years 0–9999.
    package init(storedMilliseconds number: Int64, in column: String) throws(StoreError) {
        self.init(milliseconds: number)
        guard Self.years.contains(self) else {
            throw StoreError(.damaged, "invalid date in the store: \(column) is \(number); restore a backup")
        }
    }
}
