// SPDX-License-Identifier: Apache-2.0

#if MariaDB
    internal import CMariaDB
    internal import ConfigModel
    internal import ConfigStore

    /// An error of libmariadb or the server.
    struct MariaDBError: Error {
        /// The server's error number, or the library's, which lies between 2000 and 2999 or above 5000.
        var number: UInt32
        var message: String
    }

    extension MariaDBError {
        init(connection: UnsafeMutablePointer<MYSQL>) {
            self.init(number: mysql_errno(connection), message: String(cString: mysql_error(connection)))
        }

        init(statement: UnsafeMutablePointer<MYSQL_STMT>) {
            let number = mysql_stmt_errno(statement)
            // A connection that is lost between streamed rows leaves no error in the statement.
            let lost = "lost connection to server during query"
            self.init(
                number: number == 0 ? 2013 : number,
                message: number == 0 ? lost : String(cString: mysql_stmt_error(statement))
            )
        }

        static let outOfIDs = MariaDBError(number: 167, message: "the next id of the table 'config' is out of range")

        static let readOnly = MariaDBError(number: 1290, message: "the server is running with read_only")

        /// Whether the connection is lost: all errors of the library itself, and those of a server that ends the connection
        /// or itself.
        var isLostConnection: Bool {
            switch number {
            case 2000...2999, 5000...5999: true
            case 1053, 1080, 1152, 1158...1161, 1184, 1927, 4031: true
            default: false
            }
        }

        /// Whether there is no server at the address: then writes fail at once.
        var isRefusedConnection: Bool { (2001...2005).contains(number) }

        /// Whether the user lacks a privilege. A connection has the privileges of the moment when it was opened.
        var isDenied: Bool { [1044, 1142, 1143, 1370].contains(number) }

        /// Whether the table `config` has no ids left for new rows.
        var isOutOfIDs: Bool { [167, 1467].contains(number) }

        /// Whether another transaction interfered, so that a retry can succeed: a lock timeout, a deadlock, a row that has
        /// changed since the snapshot, NOWAIT.
        var isConflict: Bool { [1205, 1213, 1020, 3572].contains(number) }

        /// Whether the server supports no bulk operations, as with a statement-based binary log. Nothing was changed.
        var isBulkRefused: Bool { number == 4033 }

        /// Whether the message contains the system's error number of a full disk.
        fileprivate var isFull: Bool { message.contains("28") || message.contains("No space left") }
    }

    extension StoreError {
        /// The store error for an error of MariaDB.
        init(_ error: any Error, at address: MariaDBAddress) {
            switch error {
            case let error as StoreError: self = error
            case let error as LostCommitResponse:
                let message = "lost the connection to MariaDB during a commit; the result of the write is unknown"
                self.init(.uncertain, message, underlying: error.underlying)
            case let error as MariaDBError: self.init(error, at: address)
            default: self.init(.unavailable, "cannot use MariaDB: \(error)", underlying: error)
            }
        }

        private init(_ error: MariaDBError, at address: MariaDBAddress) {
            let place = address.socket ?? HostAndPort(host: address.host, port: address.port).description
            let reason = error.message.excerpt(ofScalars: 200)
            let (code, cause, message): (Code, Reason?, String) =
                switch error.number {
                case 1290, 1792, 1836:
                    (.readOnly, nil, "MariaDB at \(place) is read-only; use the primary, or unset read_only")
                case 1021, 1114,
                    1030 where error.isFull, 3 where error.isFull:
                    (.full, nil, "MariaDB at \(place) has no space left; free disk space")
                case _ where error.isOutOfIDs:
                    (.full, .quota, "the table 'config' has no ids left for new keys; run \(ConfigIDs.repair)")
                case 1153, 1301, 2020:
                    (.tooLarge, nil, "the write is too large for MariaDB; raise max_allowed_packet")
                case _ where error.isDenied:
                    (
                        .unavailable, .permission,
                        "the user '\(address.user)' lacks a privilege (\(reason)); run \(address.grant)"
                    )
                case 1227, 1419:
                    (
                        .unavailable, .permission,
                        """
                        the user '\(address.user)' cannot create triggers with binary logging; set \
                        log_bin_trust_function_creators = 1 in the server's configuration, and with SET GLOBAL as an \
                        administrator
                        """
                    )
                case 1045, 1698:
                    (
                        .unavailable, .credentials,
                        "MariaDB at \(place) rejected the user '\(address.user)'; check the user and the password"
                    )
                case 1049:
                    (.unavailable, .missing, "database '\(address.database)' not found at \(place); create it")
                case 1054, 1146:
                    (
                        .unavailable, .definition,
                        "a table of the store was removed or modified (\(reason)); restore a backup of the database"
                    )
                case 2026:
                    (
                        .unavailable, .certificate,
                        """
                        TLS connection to MariaDB at \(place) failed: \(reason); check the settings tls, ca, cert and \
                        key
                        """
                    )
                case _ where error.isConflict:
                    (.unavailable, nil, "timeout waiting for a lock of another transaction; end it, or try again")
                case 126, 127, 145, 1034, 1035, 1194, 1195, 1712, 1932:
                    (.damaged, nil, "a table of the store is corrupt (\(reason)); restore a backup of the database")
                // 1040: too many connections.
                case _ where error.isLostConnection || error.number == 1040:
                    (.unavailable, nil, "MariaDB at \(place) is unreachable: \(reason)")
                default:
                    (.unavailable, nil, "MariaDB error \(error.number): \(reason)")
                }
            self.init(code, message, reason: cause, underlying: error)
        }
    }

    extension MariaDBAddress {
        /// The command that grants the user the privileges that a store needs.
        fileprivate var grant: String {
            """
            GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, ALTER, INDEX, DROP, TRIGGER ON `\(database)`.* TO '\(user)'
            """
        }
    }
#endif
