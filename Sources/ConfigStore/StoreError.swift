// SPDX-License-Identifier: Apache-2.0

/// The error of a store.
public struct StoreError: Error, Sendable {
    /// The kinds of error, which decide what the server does. There may be more in later versions.
    public struct Code: Hashable, Sendable {
        /// The stable name in logs.
        public let rawValue: String
        fileprivate let usualReason: Reason

        private init(_ rawValue: String, _ usualReason: Reason) {
            (self.rawValue, self.usualReason) = (rawValue, usualReason)
        }

        /// The store cannot be reached or opened at present. A later attempt may succeed.
        public static let unavailable = Code("unavailable", .unreachable)
        /// The store can be read but not written to.
        public static let readOnly = Code("read_only", .readOnly)
        /// The disk or the database is full.
        public static let full = Code("full", .diskFull)
        /// The data are inconsistent, or of another version of this program.
        public static let damaged = Code("damaged", .damaged)
        /// It is unknown whether the commit was made. Loading the store again shows it.
        public static let uncertain = Code("uncertain", .unreachable)
        /// The request is larger than the store accepts.
        public static let tooLarge = Code("too_large", .unreachable)
        /// The answer to a read would exceed what its ``ReadCharge`` allows.
        public static let overBudget = Code("over_budget", .busy)
        /// The namespace would exceed a quota.
        public static let overQuota = Code("over_quota", .quota)
    }

    /// The causes that a server shows to everyone, in `GET /ready`.
    ///
    /// Each is a fixed sentence: a ``StoreError/message`` may name addresses, users and paths, and is for the log.
    public struct Reason: Hashable, Sendable {
        /// The cause and the next step, without names, addresses and paths, as one sentence without a full stop.
        public let sentence: String

        /// Creates a reason of another store.
        public init(_ sentence: String) { self.sentence = sentence }

        /// The store has not been loaded yet.
        public static let starting = Reason(
            "the server is starting and loading its store; try again in a moment"
        )
        /// The server is shutting down.
        public static let stopping = Reason("the server is shutting down; use another server, or try again in a moment")
        /// More or costlier writes are waiting than the server can finish in time.
        public static let busy = Reason("too many pending writes; send fewer at once, or try again in a moment")
        /// The store does not answer, or its file cannot be opened.
        public static let unreachable = Reason(
            "the store is unreachable; check that it is running and accepts connections"
        )
        /// Another server has the store.
        public static let inUse = Reason("another server has the store open; stop that server, or choose another store")
        /// The user or the password is wrong or missing.
        public static let credentials = Reason("the store rejected the user or the password; check both")
        /// The user lacks a permission.
        public static let permission = Reason("the user of the store lacks a required permission; grant it")
        /// The store's certificate, or the server's own, is not accepted.
        public static let certificate = Reason(
            "the TLS connection to the store failed; check the certificates of both sides"
        )
        /// The database, or the folder of a file, does not exist.
        public static let missing = Reason("the database or the folder of the store does not exist; create it")
        /// A table or a trigger is missing or has another definition.
        public static let definition = Reason(
            "a table or trigger of the store is missing or was modified; restore its definition"
        )
        /// The database or the prefix belongs to another program.
        public static let foreign = Reason("the store contains data of another program; choose another store or prefix")
        /// The version of the database software, or of the data, is not supported.
        public static let version = Reason(
            "the server does not support this version of the store; upgrade the older of the two"
        )
        /// The file of the store was removed or replaced, or its file system has changed.
        public static let replaced = Reason(
            "the store was removed or replaced while in use; put it back and restart the server"
        )
        /// The store can be read but not written to.
        public static let readOnly = Reason("the store is read-only; make it writable")
        /// No space is left on the disk.
        public static let diskFull = Reason("the disk of the store is full; free some space")
        /// The disk quota of the server's user is used up.
        public static let diskQuota = Reason(
            "the disk quota of the store is used up; free some space or raise the quota"
        )
        /// A file has the largest size that the process may write.
        public static let fileSize = Reason(
            "the file size limit of the server is reached; raise it (ulimit -f, LimitFSIZE)"
        )
        /// A quota of the database, or of a namespace, is used up.
        public static let quota = Reason("the quota of the store is exhausted; raise it or delete data")
        /// The data are inconsistent.
        public static let damaged = Reason("the store is corrupt; restore a backup")
    }

    /// The kind of error.
    public var code: Code
    /// The cause and the next step, as one sentence without a full stop.
    public var message: String
    /// The cause, as far as it is shown to everyone.
    public var reason: Reason
    /// The underlying error, where another library reported it.
    public var underlying: (any Error)?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - reason: the cause that everyone may see; by default the one that the code implies.
    ///   - underlying: the error of another library.
    public init(_ code: Code, _ message: String, reason: Reason? = nil, underlying: (any Error)? = nil) {
        (self.code, self.message) = (code, message)
        self.reason = reason ?? code.usualReason
        self.underlying = underlying
    }
}

extension StoreError {
    /// The error of a store that has not been loaded yet, or is closed.
    package static let notOpen = StoreError(
        .unavailable,
        "the store is not open yet; try again in a moment",
        reason: .starting
    )
}

extension StoreError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}
