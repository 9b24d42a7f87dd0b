// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigStore
internal import Files
internal import Foundation
internal import GRDB

extension Result where Failure == any Error {
    /// The value, or the error as the store reports it.
    func orStoreError(at path: String) throws(StoreError) -> Success {
        try mapError { StoreError($0, path: path) }.get()
    }
}

extension StoreError {
    /// The store error for an error of SQLite.
    ///
    /// - Parameter systemError: the system's error behind one of input or output, as in `errno`; 0 if that is unknown.
    init(_ error: any Error, path: String, systemError: Int32 = 0) {
        if let error = error as? StoreError {
            self = error
            return
        }
        if error is RowDecodingError {
            // The error has the value, which may be secret.
            self.init(.damaged, "a value in the database '\(path)' has a wrong type; \(OpenedFile.advice)")
            return
        }
        guard let failure = error as? DatabaseError else {
            self = .unusable(path, "\(error)", error)
            return
        }
        let reason = failure.message ?? "SQLite error \(failure.resultCode.rawValue)"
        switch failure.resultCode {
        case .SQLITE_FULL:
            self = .full(path, error)
        case .SQLITE_READONLY:
            self = .readOnly("the database '\(path)'", error)
        // The statements are fixed: an error of one is that of a table, a column or a trigger that this program did not make.
        case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR, .SQLITE_CONSTRAINT:
            let message = "the file '\(path)' is not a valid database (\(reason)); \(OpenedFile.advice)"
            self.init(.damaged, message, underlying: error)
        case .SQLITE_TOOBIG:
            self.init(.tooLarge, "the write is too large for the database; publish it in parts", underlying: error)
        case .SQLITE_BUSY:
            let message = "the database '\(path)' is locked by another program; stop it, or try again in a moment"
            self.init(.unavailable, message, underlying: error)
        case .SQLITE_IOERR, .SQLITE_CANTOPEN:
            self = .refused(systemError, path, reason, error)
        default:
            self = .unusable(path, reason, error)
        }
    }

    /// Converts an error of the system.
    private static func refused(_ number: Int32, _ path: String, _ reason: String, _ error: any Error) -> StoreError {
        let cause = "cannot write the database '\(path)': \(String(cString: strerror(number)))"
        switch number {
        case ENOSPC: return .full(path, error)
        case EDQUOT:
            let message = "\(cause); free space or raise the quota"
            return StoreError(.full, message, reason: .diskQuota, underlying: error)
        case EFBIG:
            let message = "\(cause); raise the file size limit (ulimit -f, LimitFSIZE)"
            return StoreError(.full, message, reason: .fileSize, underlying: error)
        case EROFS: return .readOnly("the database '\(path)'", error)
        case 0: return DiskState.problem(at: path) ?? .unusable(path, reason, error)
        default:
            return DiskState.problem(at: path)
                ?? .unusable(path, "\(reason): \(String(cString: strerror(number)))", error)
        }
    }

    fileprivate static func full(_ path: String, _ error: (any Error)? = nil) -> StoreError {
        StoreError(.full, "no space left for the database '\(path)'; free disk space", underlying: error)
    }

    fileprivate static func readOnly(_ what: String, _ error: (any Error)? = nil) -> StoreError {
        StoreError(.readOnly, "\(what) is read-only; make it writable", underlying: error)
    }

    private static func unusable(_ path: String, _ reason: String, _ error: any Error) -> StoreError {
        StoreError(.unavailable, "cannot use the database '\(path)': \(reason)", underlying: error)
    }
}

/// The state of the file system where a database is.
enum DiskState {
    /// The reason why the file could not be written to; `nil` if it seems writable.
    static func problem(at path: String) -> StoreError? {
        let folder = AbsolutePath(path).text.folderOfPath
        guard allows(F_OK, folder) else {
            return StoreError(
                .unavailable,
                "the folder '\(folder)' of the database does not exist; create it",
                reason: .missing
            )
        }
        if !allows(W_OK, folder) { return .readOnly("the folder '\(folder)' of the database") }
        if allows(F_OK, path), !allows(W_OK, path) { return .readOnly("the database '\(path)'") }
        var state = statvfs()
        let isFull = folder.withPathBytes({ statvfs($0, &state) }) == 0 && state.f_blocks > 0 && state.f_bavail == 0
        return isFull ? .full(path) : nil
    }

    private static func allows(_ mode: Int32, _ path: String) -> Bool { path.withPathBytes { access($0, mode) } == 0 }
}
