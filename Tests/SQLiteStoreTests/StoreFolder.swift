// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigStore
import GRDB
import SQLiteStore
import TestSupport
import Testing

extension TemporaryDirectory {
    /// The path of a store in this folder.
    var store: String { self["livery.sqlite"] }
}

/// Changes a database by hand.
func change(_ path: String, _ sql: String) async throws {
    let database = try DatabaseQueue(path: path)
    try await database.write { db in try db.execute(sql: sql) }
    try database.close()
}

/// A store that has been opened.
func opened(_ path: String, _ change: (inout SQLiteEntryStore.Options) -> Void = { _ in }) async throws
    -> SQLiteEntryStore
{
    var options = SQLiteEntryStore.Options()
    change(&options)
    let store = SQLiteEntryStore(path: path, options: options)
    _ = try await store.load()
    return store
}

extension SQLiteEntryStore {
    /// Commits values, `nil` for keys to remove.
    @discardableResult
    func edit(_ values: [String: EntryValue?]) async throws -> Commit? {
        try await commit([Publish(namespace: "default", change: .edit(values))]).first?.commit
    }

    /// Sets `a`, and returns the revision.
    @discardableResult
    func put(_ value: Int) async throws -> UInt64? {
        let revision = try await edit(["a": .integer(value)])?.revision
        #expect(revision != nil)
        return revision
    }
}
