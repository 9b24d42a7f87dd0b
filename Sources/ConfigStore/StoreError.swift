// SPDX-License-Identifier: Apache-2.0

/// Why a store failed.
public struct StoreError: Error, Sendable {
    /// The kinds of error, by their stable names in logs.
    public enum Code: String, Hashable, Sendable {
        /// The store cannot be reached or opened at present. A later attempt may succeed.
        case unavailable
        /// The store can be read but not written to.
        case readOnly = "read_only"
        /// The disk or the database is full.
        case full
        /// The data are inconsistent, or of another version of this program.
        case damaged
        /// It is unknown whether the commit was made. Loading the store again shows it.
        case uncertain
        /// The request is larger than the store accepts.
        case tooLarge = "too_large"
        /// The namespace would exceed a quota.
        case overQuota = "over_quota"
    }

    /// The causes that a server shows to everyone, in `GET /ready`.
    ///
    /// Each is a fixed sentence: a ``StoreError/message`` may name addresses, users and paths, and is for the log.
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        /// The store has not been loaded yet.
        case starting
        /// The server is shutting down.
        case stopping
        /// More writes, or costlier ones, are waiting than the server can finish in time.
        case busy
        /// The store does not answer, or its file cannot be opened.
        case unreachable
        /// Another server has the store.
        case inUse = "in_use"
        /// The user or the password is wrong or missing.
        case credentials
        /// The user lacks a permission.
        case permission
        /// The store's certificate, or the server's own, is not accepted.
        case certificate
        /// The database, or the folder of a file, does not exist.
        case missing
        /// A table or a trigger is missing or has another definition.
        case definition
        /// The database or the prefix belongs to another program.
        case foreign
        /// The version of the database software, or of the data, is not supported.
        case version
        /// The file of the store was removed or replaced, or its file system has changed.
        case replaced
        /// The store can be read but not written to.
        case readOnly = "read_only"
        /// No space is left on the disk.
        case diskFull = "disk_full"
        /// A quota of the store, of the file system or of the process is used up.
        case quota
        /// The data are inconsistent.
        case damaged
    }

    /// The kind of error.
    public var code: Code
    /// What is wrong and what to do, as one sentence without a full stop.
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
        self.code = code
        self.message = message
        self.reason = reason ?? code.usualReason
        self.underlying = underlying
    }
}

extension StoreError.Code {
    fileprivate var usualReason: StoreError.Reason {
        switch self {
        case .unavailable, .uncertain, .tooLarge: .unreachable
        case .readOnly: .readOnly
        case .full: .diskFull
        case .damaged: .damaged
        case .overQuota: .quota
        }
    }
}

extension StoreError.Reason {
    /// The cause and the next step, without names, addresses and paths, as one sentence without a full stop.
    public var sentence: String {
        switch self {
        case .starting: "the server is starting and has not read its store yet; try again in a moment"
        case .stopping: "the server is shutting down; use another server, or try again in a moment"
        case .busy: "too many writes are waiting; send fewer at once, or try again in a moment"
        case .unreachable: "the store cannot be reached or opened; check that it is running and accepts connections"
        case .inUse: "another server has the store open; stop that server, or choose another store"
        case .credentials: "the store does not accept the user or the password; check both"
        case .permission: "the store denies the user a permission that the server needs; grant it"
        case .certificate: "the TLS connection to the store failed; check the certificates of both sides"
        case .missing: "the database or the folder of the store does not exist; create it"
        case .definition: "a table or a trigger of the store is missing or has been changed; restore its definition"
        case .foreign: "the store contains data of another program; choose another store or prefix"
        case .version: "the store is of a version that this server does not support; update the older of the two"
        case .replaced: "the store was removed or replaced while the server had it open; put it back, then restart"
        case .readOnly: "the store can be read but not written to; make it writable"
        case .diskFull: "the disk of the store is full; free some space"
        case .quota: "the quota of the store is used up; raise it or delete data"
        case .damaged: "the data in the store are damaged; restore a backup"
        }
    }
}

extension StoreError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}

/// How long to wait between attempts: about twice as long each time, up to a limit.
package struct Backoff: Sendable {
    private var delay: Duration
    private let limit: Duration

    /// - Parameter first: the longest first delay.
    package init(from first: Duration = .milliseconds(50), to limit: Duration = .seconds(5)) {
        (delay, self.limit) = (first, limit)
    }

    /// The next delay.
    package mutating func next() -> Duration {
        defer { delay = min(delay * 2, limit) }
        // With jitter, so that servers that collided once do not collide again.
        return delay * Double.random(in: 0.5...1)
    }
}
