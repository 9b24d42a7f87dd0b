internal import Foundation

/// The right to be the one server that writes to a file, held until the lock is let go of or the process ends.
///
/// It stands in a file of its own: closing any descriptor of a database gives up SQLite's own locks on it.
final class StoreLock: Sendable {
    private let descriptor: Int32

    /// - Parameters:
    ///   - path: the lock's file.
    ///   - database: the database's file, for messages.
    init(path: String, of database: String) throws(StoreError) {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let reason = String(cString: strerror(errno))
            throw DiskState.problem(at: database)
                ?? StoreError(.unavailable, "the lock '\(path)' cannot be opened: \(reason)")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            let message = "the database '\(database)' is in use by another server; stop it or name another file"
            throw StoreError(.unavailable, message)
        }
    }

    deinit {
        // Said, since a process that is just being started may have a copy of the descriptor for a moment.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
