internal import ConfigStore
internal import Files
internal import Foundation

/// The right to be the only server that writes to a file, held until the lock is released or the process ends.
///
/// The file itself is locked, by its device and inode, so that a second server cannot open it by another name, such as a
/// symbolic or hard link. SQLite's own locks are on other bytes of the file.
///
/// A file beside it (`….lock`) is locked first: closing any descriptor of a database releases the locks that SQLite holds
/// on it in this process, and a store that is refused by this first lock has not opened one.
final class StoreLock: Sendable {
    /// The file that is locked.
    let identity: FileState.Identity
    /// Its path without links, beside which SQLite puts its own files.
    let path: String
    /// Whether the file was created for this lock.
    let isNew: Bool
    private let guardian: Int32
    private let database: Int32

    /// - Parameter path: the database's file, which is created, empty, if it does not exist.
    /// - Throws: ``StoreError`` if another server has it, or it cannot be written to.
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
        guard WholeFileLock.acquire(on: file.descriptor) else { throw Self.inUse(path) }
    }

    deinit {
        // Explicitly, since a process that is just being started may hold a copy of the descriptor.
        WholeFileLock.release(on: database)
        flock(guardian, LOCK_UN)
        close(database)
        close(guardian)
    }

    private static func inUse(_ path: String) -> StoreError {
        StoreError(.unavailable, "the database '\(path)' is in use by another server; stop it or choose another file")
    }
}

/// Opens files that are private to their owner, and creates them where they do not exist.
///
/// A new file has mode 0600. In a folder that its group can write to and that passes its group on (mode 2770 or the like)
/// it has 0660, since such a folder is shared on purpose. Where the superuser creates a file in a folder of another user,
/// such as the one that a server runs as, the file belongs to that user.
enum PrivateFile {
    /// An open file.
    struct Opened {
        var descriptor: Int32
        var state: FileState
        /// Whether it was created just now.
        var isNew: Bool
    }

    /// Opens a regular file to be read and written. A link at the path's end is not followed.
    ///
    /// - Parameter isExclusive: whether the file must not exist yet.
    /// - Throws: ``StoreError`` if it cannot be opened, or is not a regular file.
    static func open(_ path: String, isExclusive: Bool = false) throws(StoreError) -> Opened {
        let folder = FileState(path: URL(fileURLWithPath: path).deletingLastPathComponent().path)
        let isShared = folder.map { $0.mode & 0o2020 == 0o2020 } ?? false
        // Without blocking: it may be a pipe.
        let flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
        var descriptor = Foundation.open(path, flags | O_CREAT | O_EXCL, isShared ? 0o660 : 0o600)
        let isNew = descriptor >= 0
        if descriptor < 0, errno == EEXIST, !isExclusive { descriptor = Foundation.open(path, flags) }
        guard descriptor >= 0 else { throw refused(path, errno) }
        guard let state = FileState(descriptor: descriptor), state.isRegular else {
            close(descriptor)
            throw notRegular(path)
        }
        if isNew, geteuid() == 0, let folder { fchown(descriptor, folder.owner, folder.group) }
        return Opened(descriptor: descriptor, state: state, isNew: isNew)
    }

    /// The regular file at a path; `nil` if there is nothing.
    ///
    /// - Throws: ``StoreError`` if there is anything else.
    static func replaceable(at path: String) throws(StoreError) -> FileState? {
        guard let state = FileState(path: path, followsLink: false) else { return nil }
        guard state.isRegular else { throw notRegular(path) }
        return state
    }

    private static func notRegular(_ path: String) -> StoreError {
        StoreError(.unavailable, "'\(path)' is not a regular file; choose another")
    }

    private static func refused(_ path: String, _ number: Int32) -> StoreError {
        if [ELOOP, ENXIO, EISDIR].contains(number) { return notRegular(path) }
        let reason = String(cString: strerror(number))
        return DiskState.problem(at: path) ?? StoreError(.unavailable, "'\(path)' cannot be opened: \(reason)")
    }
}

extension String {
    /// The path without links; where there is no file, that of its folder with the name at its end.
    var withoutLinks: String {
        if let path = Self.resolved(self) { return path }
        let url = URL(fileURLWithPath: self)
        guard let folder = Self.resolved(url.deletingLastPathComponent().path) else { return self }
        return (folder == "/" ? "" : folder) + "/" + url.lastPathComponent
    }

    private static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
