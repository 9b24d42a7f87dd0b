// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import Foundation
internal import GRDB

/// The settings of SQLite: when it flushes to the disk, and how long it waits for other programs.
enum SQLiteSettings {
    /// The maximum wait for another program's lock, and the pause between two attempts, in seconds. The next batch of writes
    /// may have to wait as long, and its writers wait for both.
    private static let (busyTime, busyPause) = (3.0, 0.002)

    /// Opens a database that each commit flushes to the disk before it returns.
    static func databasePool(at path: String) throws -> DatabasePool {
        var configuration = Configuration()
        configuration.label = "livery"
        // Another program may be copying the log to the database, as sqlite3 and replication tools do, or the whole database,
        // as VACUUM does. SQLite's own handler tries ten times a second, and would miss the time between two such transactions.
        configuration.busyMode = .callback { tries in
            Thread.sleep(forTimeInterval: busyPause)
            return Double(tries) * busyPause < busyTime
        }
        configuration.prepareDatabase { db in
            // On macOS, where a plain synchronization may leave data in the drive's cache.
            try db.execute(sql: "PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON")
            // A commit is read back before the log is copied to the database.
            try db.execute(sql: "PRAGMA wal_autocheckpoint = 0")
        }
        let pool = try DatabasePool(path: path.asSQLiteName, configuration: configuration)
        // A pool sets NORMAL as the last thing when it opens, by which the last commits may be lost with the power.
        try pool.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA synchronous = FULL") }
        return pool
    }
}

extension String {
    /// The name by which SQLite opens the file of a path: the path, or an address where its bytes are not UTF-8.
    var asSQLiteName: String {
        // A path that begins like an address would be taken for one.
        guard carriesBytes || utf8.starts(with: "file:".utf8) else { return self }
        let isPlain = { (byte: UInt8) in byte.isLetter || byte.isDigit || "/-._~".utf8.contains(byte) }
        let encoded = pathBytes.map { byte in
            isPlain(byte) ? String(Unicode.Scalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return "file:" + encoded.joined()
    }
}
