// SPDX-License-Identifier: Apache-2.0

#if MariaDB
    internal import ConfigModel
    internal import ConfigStore

    /// The tables of a store. There is one schema so far; once it is released, later ones begin with it.
    ///
    /// The namespace `default` is in the legacy table `config`, which people and programs can read and also write to:
    /// triggers make revisions of their changes. Everything else is in tables whose names begin with `livery_`.
    enum MariaDBSchema {
        /// The name of the schema, which the table of schemas has once the tables are made.
        private static let name = "1 tables"

        /// Makes the tables of the current schema. MariaDB commits at each change of a table, so this runs again where it was
        /// interrupted, and must be idempotent.
        static func migrate(_ connection: MariaDBConnection) throws {
            if try isMigrated(connection) { return }
            // Of several servers that start at once, one upgrades.
            guard try connection.value(lock) == true else {
                throw StoreError(.unavailable, "another server is upgrading the database; retrying")
            }
            // The server unlocks when the connection ends, in any case.
            defer { _ = try? connection.run(unlock) }
            try connection.execute(migrationsTable)
            if try isMigrated(connection) { return }
            for table in tables { try connection.execute(table) }
            try LegacyTable.upgrade(connection)
            for trigger in triggers { try connection.execute(trigger) }
            let epoch = Epoch.random().description
            try connection.run(
                "INSERT IGNORE INTO livery_meta (id, epoch, head, updated_at) VALUES (1, \(epoch), 0, 0)"
            )
            try connection.run("INSERT IGNORE INTO livery_pruning (id) VALUES (1)")
            try connection.run("INSERT INTO livery_migrations (name) VALUES (\(name))")
        }

        /// Whether a database has the current schema.
        static func isMigrated(_ connection: MariaDBConnection) throws -> Bool {
            let tables = try connection.rows(
                """
                SELECT TABLE_NAME FROM information_schema.TABLES
                WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'livery_migrations'
                """
            )
            if tables.isEmpty { return false }
            let applied: [String] = try connection.rows("SELECT name FROM livery_migrations").map { try $0[0] }
            guard applied.allSatisfy({ $0 == name }) else {
                let message = "the database was written by another version of livery-server; install that version"
                throw StoreError(.damaged, message, reason: .version)
            }
            return !applied.isEmpty
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
        // Schemas and rules are entries whose keys begin with `schema:` and `rule:`, so they are longer than a key of `config`.
        // Times are milliseconds since 1970. Texts are compared by their bytes. A row of the history whose value is
        // NULL is a tombstone.
        private static let tables: [SQL] = [
            """
            CREATE TABLE IF NOT EXISTS livery_meta (
                id TINYINT UNSIGNED PRIMARY KEY CHECK (id = 1),
                epoch CHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
                head BIGINT UNSIGNED NOT NULL,
                updated_at BIGINT NOT NULL,
                next_id BIGINT NOT NULL DEFAULT 4294967296 COMMENT 'beyond the ids of the table config',
                left_out BIGINT UNSIGNED NOT NULL DEFAULT 0 COMMENT 'changes of rows with an invalid key'
            ) ENGINE = InnoDB
            """,
            """
            CREATE TABLE IF NOT EXISTS livery_pruning (
                id TINYINT UNSIGNED PRIMARY KEY CHECK (id = 1),
                floor BIGINT UNSIGNED NOT NULL DEFAULT 0,
                swept_revision BIGINT UNSIGNED NOT NULL DEFAULT 0,
                swept_key VARCHAR(160) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin NOT NULL DEFAULT ''
            ) ENGINE = InnoDB
            """,
            """
            CREATE TABLE IF NOT EXISTS livery_namespaces (
                name VARCHAR(65) PRIMARY KEY,
                revision BIGINT UNSIGNED NOT NULL
            ) ENGINE = InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin
            """,
            """
            CREATE TABLE IF NOT EXISTS livery_entries (
                namespace VARCHAR(65) NOT NULL,
                `key` VARCHAR(160) NOT NULL,
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
                namespace VARCHAR(65) NOT NULL,
                previous BIGINT UNSIGNED NOT NULL,
                updated_at BIGINT NOT NULL,
                writer BIGINT UNSIGNED NULL,
                author MEDIUMTEXT NULL,
                message MEDIUMTEXT NULL
            ) ENGINE = InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin
            """,
            """
            CREATE TABLE IF NOT EXISTS livery_history (
                namespace VARCHAR(65) NOT NULL,
                `key` VARCHAR(160) NOT NULL,
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

    extension MariaDBSchema {
        /// Commands as commits and pruning run them, which find no row.
        static let probes: [SQL] = [
            """
            INSERT INTO config (`key`, value, created_at, updated_at)
            SELECT `key`, value, created_at, updated_at FROM config WHERE FALSE
            """,
            "INSERT INTO livery_revisions SELECT * FROM livery_revisions WHERE FALSE",
            "INSERT INTO livery_history SELECT * FROM livery_history WHERE FALSE",
            "INSERT INTO livery_entries SELECT * FROM livery_entries WHERE FALSE",
            "INSERT INTO livery_namespaces SELECT * FROM livery_namespaces WHERE FALSE",
            "INSERT INTO livery_writers SELECT * FROM livery_writers WHERE FALSE",
            """
            UPDATE livery_meta AS m, livery_namespaces AS n, livery_entries AS e, livery_writers AS w, livery_pruning AS p,
                config AS c
            SET m.head = 0, n.revision = 0, e.revision = 0, w.batch = 0, p.floor = 0, c.value = '' WHERE FALSE
            """,
            """
            DELETE r, h, e, w, c FROM livery_revisions AS r, livery_history AS h, livery_entries AS e, livery_writers AS w,
                config AS c
            WHERE FALSE
            """,
        ]

        /// The triggers make a revision of each row that others change in the table `config`. A server's own writes set
        /// `@livery_writes`.
        static let triggers: [SQL] = [
            """
            CREATE OR REPLACE TRIGGER livery_after_insert AFTER INSERT ON config FOR EACH ROW
            \(whole)\(beginRevision)\(recordNew)\(endRevision)
            """,
            """
            CREATE OR REPLACE TRIGGER livery_after_update AFTER UPDATE ON config FOR EACH ROW
            \(whole)\(unlessSame)\(beginRevision)IF NOT OLD.`key` <=> NEW.`key` THEN \(recordOld) END IF;
            \(recordNew)\(endRevision)
            """,
            """
            CREATE OR REPLACE TRIGGER livery_after_delete AFTER DELETE ON config FOR EACH ROW
            \(whole)\(beginRevision)\(recordOld)\(endRevision)
            """,
        ]

        // The head is locked until the transaction ends, so that revisions are committed in their order.
        private static let whole: SQL = """
            livery: BEGIN
                DECLARE v_revision, v_previous BIGINT UNSIGNED DEFAULT 0;
                DECLARE v_time BIGINT DEFAULT 0;
                DECLARE v_created BIGINT DEFAULT NULL;
                DECLARE v_json, v_changes TINYINT DEFAULT 0;
                IF @livery_writes IS NOT NULL THEN LEAVE livery; END IF;

            """

        private static let unlessSame: SQL = """
            IF OLD.`key` <=> NEW.`key` AND OLD.value <=> NEW.value AND OLD.id = NEW.id THEN LEAVE livery; END IF;

            """

        private static let beginRevision: SQL = """
            SELECT head + 1, GREATEST(TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000, updated_at + 1)
                INTO v_revision, v_time FROM livery_meta WHERE id = 1 FOR UPDATE;
            SELECT COALESCE(MAX(revision), 0) INTO v_previous FROM livery_namespaces WHERE name = 'default' FOR UPDATE;

            """

        private static let endRevision: SQL = """

                IF v_changes = 0 THEN
                    UPDATE livery_meta SET left_out = left_out + 1 WHERE id = 1;
                    LEAVE livery;
                END IF;
                INSERT INTO livery_revisions (revision, namespace, previous, updated_at, author, message)
                    VALUES (v_revision, 'default', v_previous, v_time, USER(), 'by SQL');
                INSERT INTO livery_namespaces (name, revision) VALUES ('default', v_revision)
                    ON DUPLICATE KEY UPDATE revision = v_revision;
                UPDATE livery_meta SET head = v_revision, updated_at = v_time WHERE id = 1;
            END
            """

        private static let recordOld: SQL = """
            IF \(isKey("OLD.`key`")) THEN
                SET v_changes = 1;
                INSERT INTO livery_history (namespace, `key`, revision, entry_id, created_at, is_json, value)
                    VALUES ('default', OLD.`key`, v_revision, OLD.id, v_time, 0, NULL);
                DELETE FROM livery_entries WHERE namespace = 'default' AND `key` = OLD.`key`;
            END IF;
            """

        // Existing JSON stays JSON; new rows are strings.
        private static let recordNew: SQL = """
            IF \(isKey("NEW.`key`")) THEN
                SET v_changes = 1;
                SELECT MAX(e.created_at), COALESCE(MAX(h.is_json), 0) INTO v_created, v_json
                    FROM livery_entries AS e LEFT JOIN livery_history AS h
                        ON h.namespace = e.namespace AND h.`key` = e.`key` AND h.revision = e.revision
                    WHERE e.namespace = 'default' AND e.`key` = NEW.`key` FOR UPDATE;
                INSERT INTO livery_history (namespace, `key`, revision, entry_id, created_at, is_json, value)
                    VALUES ('default', NEW.`key`, v_revision, NEW.id, COALESCE(v_created, v_time), v_json, NEW.value);
                INSERT INTO livery_entries (namespace, `key`, id, revision, created_at, updated_at)
                    VALUES ('default', NEW.`key`, NEW.id, v_revision, COALESCE(v_created, v_time), v_time)
                    ON DUPLICATE KEY UPDATE id = NEW.id, revision = v_revision, updated_at = v_time;
            END IF;
            """

        /// A condition that is true if an expression is a valid key, except for its length, which the column limits.
        static func isKey(_ key: SQL) -> SQL {
            """
            (\(key) <> '' AND \(key) NOT REGEXP '[^A-Za-z0-9._-]' AND \(key) NOT LIKE '.%' AND \(key) NOT LIKE '%.'
                AND \(key) NOT LIKE '%..%')
            """
        }
    }
#endif
