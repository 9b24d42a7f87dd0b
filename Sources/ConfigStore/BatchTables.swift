// SPDX-License-Identifier: Apache-2.0

package import ConfigModel

/// The bulk reads and writes that a database must provide so that a batch of publishes can be committed in one of its
/// transactions. Reads see earlier writes.
package protocol BatchTables {
    /// The lowest revision whose state the history still has.
    func floor() throws -> UInt64

    /// The last revisions of namespaces; none of one that no revision has changed.
    ///
    /// - Parameter namespaces: at least one.
    func revisions(of namespaces: [String]) throws -> [String: UInt64]

    /// The live entries of keys.
    ///
    /// - Parameter keys: at least one.
    func entries(_ keys: [String], in namespace: String) throws -> [String: StoredEntry]

    /// The live entries whose keys begin with an ASCII text; all entries if it is empty.
    func entries(in namespace: String, from beginning: String) throws -> [String: StoredEntry]

    /// The values at a revision of the keys that later revisions have changed; `nil` for a key that had none.
    func values(in namespace: String, at revision: UInt64) throws -> [String: EntryValue?]

    /// Writes revisions, with their history and the final entries of the changed keys.
    ///
    /// - Returns: the ids of entries by their provisional ids in the batch, where they differ.
    mutating func write(_ batch: RevisionBatch) throws -> [Int64: Int64]
}
