// SPDX-License-Identifier: Apache-2.0

/// The bulk reads and writes that a database must provide so that a batch of publishes can be committed in one of its
/// transactions. Reads see earlier writes.
package protocol BatchTables: StoreTables where Failure == any Error {
    /// The last revisions of namespaces; none of one that no revision has changed.
    ///
    /// - Parameter namespaces: at least one.
    func revisions(of namespaces: [String]) throws -> [String: UInt64]

    /// The live entries of keys.
    ///
    /// - Parameter keys: at least one.
    func entries(_ keys: [String], in namespace: String) throws -> [String: StoredEntry]

    /// Writes revisions, with their history and the final entries of the changed keys.
    ///
    /// - Returns: the ids of entries by their provisional ids in the batch, where they differ.
    mutating func write(_ batch: RevisionBatch) throws -> [Int64: Int64]
}
