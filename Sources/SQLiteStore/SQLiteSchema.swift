// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigStore
internal import GRDB

/// The tables of a store. Migrations are only ever added at the end, and never changed once released.
enum SQLiteSchema {
    /// Marks a file as a database of this program: "LVRY" in ASCII.
    static let applicationID = 0x4C56_5259

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 tables") { db in
            try db.execute(sql: "PRAGMA application_id = \(applicationID)")
            try db.execute(sql: tables)
            try db.execute(
                sql: "INSERT INTO meta (id, epoch, head, updated_at) VALUES (1, ?, 0, 0)",
                arguments: [Epoch.random().description]
            )
        }
        return migrator
    }

    // Schemas and rules are entries whose keys begin with `schema:` and `rule:`. Values, authors and messages are JSON, which
    // can represent every Swift string, U+0000 included. Times are milliseconds since 1970. A row of the history whose
    // value is NULL is a tombstone. Comparison is by bytes.
    private static let tables = """
        CREATE TABLE meta (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            epoch TEXT NOT NULL,
            head INTEGER NOT NULL,
            updated_at INTEGER NOT NULL,
            floor INTEGER NOT NULL DEFAULT 0,
            swept_revision INTEGER NOT NULL DEFAULT 0,
            swept_key TEXT NOT NULL DEFAULT ''
        ) STRICT;
        CREATE TABLE namespaces (
            name TEXT PRIMARY KEY,
            revision INTEGER NOT NULL,
            digest TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE entries (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            namespace TEXT NOT NULL,
            key TEXT NOT NULL,
            value TEXT NOT NULL,
            revision INTEGER NOT NULL,
            created_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL,
            UNIQUE (namespace, key)
        ) STRICT;
        CREATE TABLE revisions (
            revision INTEGER PRIMARY KEY,
            namespace TEXT NOT NULL,
            updated_at INTEGER NOT NULL,
            author TEXT,
            message TEXT
        ) STRICT;
        CREATE TABLE history (
            namespace TEXT NOT NULL,
            key TEXT NOT NULL,
            revision INTEGER NOT NULL,
            value TEXT,
            PRIMARY KEY (namespace, key, revision)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX history_by_revision ON history (namespace, revision, key);
        """
}

extension EntryValue {
    /// Reads a stored value.
    init(stored json: String) throws {
        do {
            self = try EntryValue(stored: Array(json.utf8))
        } catch {
            let shown = json.prefix(40)
            throw StoreError(.damaged, "invalid value in the store: \(shown)", underlying: error)
        }
    }
}

extension String {
    /// The text as it is stored.
    var stored: String { EntryValue.string(self).canonicalJSON }

    /// Reads a stored text.
    init?(stored json: String?) throws {
        guard let json, case .string(let text) = try EntryValue(stored: json) else { return nil }
        self = text
    }
}

extension UInt64 {
    /// The number as it is stored, clamped: numbers beyond SQLite's range exceed any revision.
    var stored: Int64 { Int64(clamping: self) }
}
