#if MariaDB
    internal import ConfigModel
    internal import ConfigStore

    /// The tables of a store. Migrations are only ever added at the end, and never changed once released.
    ///
    /// The namespace `default` is in the legacy table `config`, which people and programs can read and also write to:
    /// triggers make revisions of their changes. Everything else is in tables whose names begin with `livery_`.
    enum MariaDBSchema {
        /// A step from one schema to the next. MariaDB commits at each change of a table, so an interrupted step runs again,
        /// and must be idempotent.
        struct Migration: Sendable {
            let name: String
            let apply: @Sendable (MariaDBConnection) throws -> Void
        }

        static let migrations = [
            Migration(name: "1 entries and their history") { connection in
                for table in tables { try connection.execute(table) }
                try LegacyTable.upgrade(connection)
                for trigger in triggers { try connection.execute(trigger) }
                try connection.run(
                    "INSERT IGNORE INTO livery_meta (id, epoch, head, updated_at) VALUES (1, ?, 0, 0)",
                    [.text(Epoch.random().description)]
                )
                try connection.run("INSERT IGNORE INTO livery_pruning (id) VALUES (1)")
            }
        ]

        /// Upgrades a database to the current schema.
        static func migrate(_ connection: MariaDBConnection) throws {
            if try isMigrated(connection) { return }
            // Of several servers that start at once, one upgrades.
            guard try connection.rows(lock).first?.integer(0) == 1 else {
                throw StoreError(.unavailable, "another server is upgrading the database; retrying")
            }
            defer { _ = try? connection.run(unlock) }
            try connection.execute(migrationsTable)
            for migration in try missing(connection) {
                try migration.apply(connection)
                try connection.run("INSERT INTO livery_migrations (name) VALUES (?)", [.text(migration.name)])
            }
        }

        /// Whether a database has the current schema.
        static func isMigrated(_ connection: MariaDBConnection) throws -> Bool {
            try missing(connection).isEmpty
        }

        private static func missing(_ connection: MariaDBConnection) throws -> [Migration] {
            let tables = try connection.rows(
                """
                SELECT TABLE_NAME FROM information_schema.TABLES
                WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'livery_migrations'
                """
            )
            guard !tables.isEmpty else { return migrations }
            let applied = Set(try connection.rows("SELECT name FROM livery_migrations").map { try $0.text(0) })
            guard applied.isSubset(of: migrations.map(\.name)) else {
                throw StoreError(.damaged, "a newer version of this program wrote the database; install that version")
            }
            return migrations.filter { !applied.contains($0.name) }
        }

        // Names of locks are global to the server.
        private static let lock: SQL = "SELECT COALESCE(GET_LOCK(CONCAT('livery.', LEFT(DATABASE(), 50)), 15), 0)"
        private static let unlock: SQL = "DO RELEASE_LOCK(CONCAT('livery.', LEFT(DATABASE(), 50)))"

        private static let migrationsTable: SQL = """
            CREATE TABLE IF NOT EXISTS livery_migrations (
                name VARCHAR(128) PRIMARY KEY,
                applied_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP
            ) ENGINE = InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin
            """

        // Queries force the index of the history: while a table grows quickly, the server's statistics are those of a small
        // one, and by them it may read a whole namespace for each revision.
        //
        // Times are milliseconds since 1970. Texts are compared by their bytes. A row of the history whose value is NULL
        // is a tombstone.
        private static let tables: [SQL] = [
            """
            CREATE TABLE IF NOT EXISTS livery_meta (
                id TINYINT UNSIGNED PRIMARY KEY CHECK (id = 1),
                epoch CHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
                head BIGINT UNSIGNED NOT NULL,
                updated_at BIGINT NOT NULL,
                next_id BIGINT NOT NULL DEFAULT 4294967296 COMMENT 'beyond the ids of the table config',
                left_out BIGINT UNSIGNED NOT NULL DEFAULT 0 COMMENT 'changes of rows whose key is none'
            ) ENGINE = InnoDB
            """,
            """
            CREATE TABLE IF NOT EXISTS livery_pruning (
                id TINYINT UNSIGNED PRIMARY KEY CHECK (id = 1),
                floor BIGINT UNSIGNED NOT NULL DEFAULT 0,
                swept_revision BIGINT UNSIGNED NOT NULL DEFAULT 0,
                swept_key VARCHAR(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL DEFAULT ''
            ) ENGINE = InnoDB
            """,
            """
            CREATE TABLE IF NOT EXISTS livery_namespaces (
                name VARCHAR(64) PRIMARY KEY,
                revision BIGINT UNSIGNED NOT NULL
            ) ENGINE = InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin
            """,
            """
            CREATE TABLE IF NOT EXISTS livery_entries (
                namespace VARCHAR(64) NOT NULL,
                `key` VARCHAR(128) NOT NULL,
                id BIGINT NOT NULL,
                revision BIGINT UNSIGNED NOT NULL,
                created_at BIGINT NOT NULL,
                updated_at BIGINT NOT NULL,
                PRIMARY KEY (namespace, `key`)
            ) ENGINE = InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin
            """,
            """
            CREATE TABLE IF NOT EXISTS livery_revisions (
                revision BIGINT UNSIGNED PRIMARY KEY,
                namespace VARCHAR(64) NOT NULL,
                previous BIGINT UNSIGNED NOT NULL,
                updated_at BIGINT NOT NULL,
                writer BIGINT UNSIGNED NULL,
                author MEDIUMTEXT NULL,
                message MEDIUMTEXT NULL
            ) ENGINE = InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin
            """,
            """
            CREATE TABLE IF NOT EXISTS livery_history (
                namespace VARCHAR(64) NOT NULL,
                `key` VARCHAR(128) NOT NULL,
                revision BIGINT UNSIGNED NOT NULL,
                entry_id BIGINT NOT NULL,
                created_at BIGINT NOT NULL,
                is_json TINYINT(1) NOT NULL,
                value LONGTEXT NULL,
                PRIMARY KEY (namespace, `key`, revision),
                INDEX by_revision (namespace, revision, `key`)
            ) ENGINE = InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin
            """,
            """
            CREATE TABLE IF NOT EXISTS livery_writers (
                writer BIGINT UNSIGNED PRIMARY KEY,
                batch BIGINT UNSIGNED NOT NULL,
                written_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP
            ) ENGINE = InnoDB
            """,
        ]
    }
#endif
