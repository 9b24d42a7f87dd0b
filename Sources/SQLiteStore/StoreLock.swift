internal import ConfigStore
internal import Files
internal import Foundation

/// The right to be the one server that writes to a file, held until the lock is let go of or the process ends.
///
/// It is the file itself that is locked, by its device and its inode, so that no other name of it, be it a symbolic or a hard
/// link, leads a second server to it. SQLite's own locks are on other bytes of the file.
///
/// A file beside it (`….lock`) is locked first: closing any descriptor of a database gives up the locks that SQLite has on
/// it in this process, and a store that is refused there has opened none.
final class StoreLock: Sendable {
    /// The file that is locked.
    let identity: FileState.Identity
    /// Its path without links. What SQLite puts beside the file stands beside this one.
    let path: String
    /// Whether the file was made for this lock.
    let isNew: Bool
    private let guardian: Int32
    private let database: Int32

    /// - Parameter path: the database's file, which is made, empty, if it is not there.
    /// - Throws: ``StoreError`` if another server has it or it is no file to write to.
    init(of path: String) throws(StoreError) {
        self.path = path.withoutLinks
        let beside = try PrivateFile.open(self.path + ".lock")
        guard flock(beside.descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(beside.descriptor)
            throw Self.inUse(path)
        }
        guardian = beside.descriptor
        let file: PrivateFile.Opened
        do throws(StoreError) {
            file = try PrivateFile.open(self.path)
        } catch {
            close(beside.descriptor)
            throw error
        }
        (database, isNew, identity) = (file.descriptor, file.isNew, file.state.identity)
        guard WholeFileLock.take(on: file.descriptor) else { throw Self.inUse(path) }
    }

    deinit {
        // Said, since a process that is just being started may have a copy of the descriptor for a moment.
        WholeFileLock.release(on: database)
        flock(guardian, LOCK_UN)
        close(database)
        close(guardian)
    }

    private static func inUse(_ path: String) -> StoreError {
        StoreError(.unavailable, "the database '\(path)' is in use by another server; stop it or name another file")
    }
}
