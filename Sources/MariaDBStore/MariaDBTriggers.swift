#if MariaDB
    extension MariaDBSchema {
        /// The triggers make a revision of each row that others change in the table `config`. A server's own writes set
        /// `@livery_writes`.
        static let triggers: [SQL] = [
            "CREATE OR REPLACE TRIGGER livery_after_insert AFTER INSERT ON config FOR EACH ROW "
                + whole + beginRevision + recordNew + endRevision,
            "CREATE OR REPLACE TRIGGER livery_after_update AFTER UPDATE ON config FOR EACH ROW "
                + whole + unlessSame + beginRevision + recordOldUnlessKept + recordNew + endRevision,
            "CREATE OR REPLACE TRIGGER livery_after_delete AFTER DELETE ON config FOR EACH ROW "
                + whole + beginRevision + recordOld + endRevision,
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

        private static let recordOldUnlessKept: SQL =
            "\nIF NOT OLD.`key` <=> NEW.`key` THEN " + recordOld + "\nEND IF;"

        private static let recordOld: SQL =
            "\nIF " + isKey("OLD.`key`") + """
                 THEN
                    SET v_changes = 1;
                    INSERT INTO livery_history (namespace, `key`, revision, entry_id, created_at, is_json, value)
                        VALUES ('default', OLD.`key`, v_revision, OLD.id, v_time, 0, NULL);
                    DELETE FROM livery_entries WHERE namespace = 'default' AND `key` = OLD.`key`;
                END IF;
                """

        // What was JSON before stays JSON; new rows are texts.
        private static let recordNew: SQL =
            "\nIF " + isKey("NEW.`key`") + """
                 THEN
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

        /// A condition that holds if an expression is a valid key, except for its length, which the column limits.
        static func isKey(_ expression: SQL) -> SQL {
            "(" + expression + " <> '' AND " + expression + " NOT REGEXP '[^A-Za-z0-9._-]' AND " + expression
                + " NOT LIKE '.%' AND " + expression + " NOT LIKE '%.' AND " + expression + " NOT LIKE '%..%')"
        }
    }
#endif
