#if MariaDB
    internal import CMariaDB

    /// What libmariadb or the server reports.
    struct MariaDBError: Error, Hashable {
        /// The server's error number, or the library's, which lies between 2000 and 2999 or above 5000.
        var number: UInt32
        var message: String

        init(number: UInt32, message: String) {
            self.number = number
            self.message = message
        }

        init(connection: UnsafeMutablePointer<MYSQL>) {
            self.init(number: mysql_errno(connection), message: String(cString: mysql_error(connection)))
        }

        init(statement: UnsafeMutablePointer<MYSQL_STMT>) {
            self.init(number: mysql_stmt_errno(statement), message: String(cString: mysql_stmt_error(statement)))
        }
    }

    extension MariaDBError {
        /// What a server says to those who are no administrators, when it takes no writes.
        static let readOnly = MariaDBError(number: 1290, message: "the server runs with read_only")

        /// Whether the connection is of no more use: everything that the library itself reports, and a server that ends
        /// the connection or itself.
        var isLostConnection: Bool {
            switch number {
            case 2000...2999, 5000...5999: true
            case 1053, 1080, 1152, 1158...1161, 1184, 1927, 4031: true
            default: false
            }
        }

        /// Whether there was no connecting to begin with.
        var isUnreachable: Bool {
            switch number {
            case 1040, 1053, 2001...2005, 2012, 2013: true
            default: false
            }
        }

        /// Whether another transaction was in the way, so that the same may succeed next time.
        var isConflict: Bool {
            switch number {
            // A lock that took too long, a deadlock, a row that has changed since the snapshot, a lock not waited for.
            case 1205, 1213, 1020, 3572: true
            default: false
            }
        }
    }
#endif
