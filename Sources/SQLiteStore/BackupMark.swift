// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigStore
internal import Files
internal import GRDB

/// The row by which a file proves that it is a backup, complete and unchanged.
///
/// No store has it: where a server writes to a backup, the mark no longer matches the data.
struct BackupMark: Hashable {
    private let head: RevisionCursor
    /// SHA-256 of all rows of the store.
    private let digest: String

    /// The tables of a store, in the order in which they are hashed.
    private static let tables = ["meta", "namespaces", "entries", "revisions", "history"]

    /// The mark that belongs to the data of a database.
    ///
    /// - Throws: `StoreError` if the data are inconsistent.
    init(of db: Database) throws {
        let contents = try SQLiteTables(db: db).contents()
        if let problem = contents.problem { throw StoreError(.damaged, "the data are corrupt: \(problem)") }
        var hash = SHA256()
        for table in Self.tables {
            hash.update(table.utf8)
            let rows = try Row.fetchCursor(db, sql: "SELECT * FROM \(table)")
            while let row = try rows.next() {
                for value in row.databaseValues { Self.add(value, to: &hash) }
            }
        }
        head = contents.head
        digest = hash.finishInHexadecimal()
    }

    /// Each value begins with its type, and a text with its length, so that no two rows have the same bytes.
    private static func add(_ value: DatabaseValue, to hash: inout SHA256) {
        switch value.storage {
        case .null: hash.update("n".utf8)
        case .int64(let number): hash.update("i\(number);".utf8)
        case .double(let number): hash.update("d\(number);".utf8)
        case .string(let text):
            hash.update("s\(text.utf8.count);".utf8)
            hash.update(text.utf8)
        case .blob(let bytes):
            hash.update("b\(bytes.count);".utf8)
            hash.update(bytes)
        }
    }

    /// Marks a database as a backup.
    func write(to db: Database) throws {
        try db.execute(
            sql: """
                DROP TABLE IF EXISTS backup;
                CREATE TABLE backup (
                    id INTEGER PRIMARY KEY CHECK (id = 1),
                    epoch TEXT NOT NULL,
                    head INTEGER NOT NULL,
                    digest TEXT NOT NULL,
                    made_at INTEGER NOT NULL
                ) STRICT;
                """
        )
        try db.execute(
            sql: "INSERT INTO backup VALUES (1, ?, ?, ?, ?)",
            arguments: [head.epoch.description, head.revision.stored, digest, Timestamp.ofClock().milliseconds]
        )
    }

    /// Removes the mark from a copy of a backup.
    ///
    /// - Parameter path: the backup.
    /// - Throws: `StoreError` if there is no mark, or the data do not match it.
    static func remove(from db: Database, of path: String) throws {
        guard try db.tableExists("backup") else {
            throw isMissing(path, "it was not written by 'livery-server backup'")
        }
        let row = try Row.fetchOne(db, sql: "SELECT epoch, head, digest FROM backup")
        let mark = try BackupMark(of: db)
        let (head, digest) = (mark.head, mark.digest.databaseValue)
        let expected = [head.epoch.description.databaseValue, head.revision.stored.databaseValue, digest]
        // Its values may be of any type.
        guard let row, row.databaseValues.elementsEqual(expected) else {
            let message = "the backup '\(path)' was modified after it was written; restore another backup"
            throw StoreError(.damaged, message)
        }
        try db.execute(sql: "DROP TABLE backup")
    }

    /// The error for a file that is not a backup.
    static func isMissing(_ path: String, _ cause: String) -> StoreError {
        let advice = "use a file written by 'livery-server backup'"
        return StoreError(.damaged, "'\(path)' is not a backup: \(cause); \(advice)", reason: .foreign)
    }
}

/// The first 100 bytes of a database, as SQLite's file format describes them, read without SQLite.
struct DatabaseHeader {
    private let bytes: [UInt8]

    /// - Parameter path: the file; a link at its end is not followed.
    init(of path: String) throws(FileError) {
        self.init(try SystemDisk().read(path, from: 0, atMost: 100) ?? [])
    }

    /// - Parameter bytes: the first bytes of a database.
    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isEmpty: Bool { bytes.isEmpty }

    var isDatabase: Bool { bytes.starts(with: "SQLite format 3\0".utf8) }

    /// The size of the database without its log, in bytes.
    var size: Int {
        let pageSize = number(at: 16, bytes: 2)
        return (pageSize == 1 ? 65_536 : pageSize) * number(at: 28)
    }

    /// Whether a database has a write-ahead log, as each store has and no backup.
    var isOfStore: Bool { number(at: 18, bytes: 1) == 2 }

    /// Whether a database is of another program. The file of a new store has one page, and the rest in its log; one that is cut
    /// off may be of any program.
    var belongsToAnotherProgram: Bool {
        if bytes.count < 100 { return false }
        let owner = number(at: 68)
        return owner != SQLiteSchema.applicationID && (owner != 0 || number(at: 28) > 1)
    }

    private func number(at offset: Int, bytes count: Int = 4) -> Int {
        bytes.dropFirst(offset).prefix(count).reduce(0) { $0 << 8 | Int($1) }
    }
}

/// The file next to a store whose date is that of the last backup: `livery.sqlite.last-backup`.
///
/// It is empty, so that other tools can record their backups by `touch`, and the server needs no right to read it.
struct BackupRecord {
    let path: String

    init(ofStore store: String) { path = store.resolvingLinks() + ".last-backup" }

    /// `nil` without a backup.
    var date: Timestamp? { FileState(path: path).map { Timestamp(milliseconds: $0.modified / 1_000_000) } }

    /// A link is not followed: root may run the backup, and the folder is another user's.
    func write() throws(StoreError) {
        do throws(FileError) {
            try SystemDisk().touch(path)
        } catch {
            let message = "cannot record the time of the backup in '\(path)', which must be a regular file"
            throw StoreError(.unavailable, "\(message): \(error.reason)", underlying: error)
        }
    }
}
