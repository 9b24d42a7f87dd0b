// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigStore
internal import Files
internal import Foundation
internal import Synchronization
internal import SystemPackage

/// The right to be the only server that writes to a file, held until the lock is released or the process ends.
///
/// The file itself is locked, by its device and inode, so that a second server cannot open it by another name, such as a
/// symbolic or hard link. SQLite's own locks are on other bytes of the file.
///
/// A file next to it (`….lock`) is locked first: closing any descriptor of a database releases SQLite's locks on it in this
/// process, and a store that is refused this first lock has not opened one.
final class StoreLock: Sendable {
    /// The file's path without links, next to which SQLite puts its own files.
    let path: String
    let identity: FileState.Identity
    /// Whether the file was created just now.
    let isNew: Bool
    private let file: Mutex<DatabaseFile?>
    private let guardian: Mutex<DatabaseFile?>

    /// - Parameter path: the database's file, which is created, empty, if it does not exist.
    init(of path: String) throws(StoreError) {
        self.path = path.resolvingLinks()
        let guardian = try DatabaseFile(self.path + ".lock")
        guard flock(guardian.descriptor, LOCK_EX | LOCK_NB) == 0 else { throw Self.refused(path, errno) }
        let file = try DatabaseFile(self.path)
        guard WholeFileLock.acquire(on: file.descriptor) else { throw Self.refused(path, errno) }
        (identity, isNew) = (file.identity, file.isNew)
        self.file = Mutex(file)
        self.guardian = Mutex(guardian)
    }

    deinit { release() }

    /// The error for a lock that cannot be acquired.
    static func refused(_ path: String, _ number: Int32) -> StoreError {
        guard number == EAGAIN else {
            let reason = String(cString: strerror(number))
            return StoreError(.unavailable, "cannot lock the database '\(path)': \(reason); use a local file system")
        }
        let message = "the database '\(path)' is in use by another server; stop it or choose another file"
        return StoreError(.unavailable, message, reason: .inUse)
    }

    /// Whether it has not been released.
    var isHeld: Bool { file.withLock { $0 != nil } }

    /// The first bytes of the file; `nil` if it is shorter or cannot be read.
    func beginning(_ count: Int) -> [UInt8]? {
        // Not through another descriptor: closing one releases SQLite's locks.
        file.withLock { $0?.read(count, at: 0) }
    }

    /// Releases the file for another server; a second call does nothing.
    func release() {
        // Unlocked explicitly, since a process that is being started may have a copy of the descriptors.
        if let file = file.withLock({ $0.take() }) { WholeFileLock.release(on: file.descriptor) }
        // The file is already closed: the holder of the other lock may have SQLite lock it.
        if let guardian = guardian.withLock({ $0.take() }) { flock(guardian.descriptor, LOCK_UN) }
    }
}

/// A regular file, open to be read and written, that is private to its owner where it is new.
///
/// A new file has mode 0600. In a folder that its group can write to and that passes its group on (mode 2770 or similar) it has
/// 0660, since such a folder is shared on purpose. If the superuser creates a file in a folder of another user, such as the
/// server's, the file belongs to that user.
final class DatabaseFile: Sendable {
    let descriptor: Int32
    let identity: FileState.Identity
    /// Whether it was created just now.
    let isNew: Bool

    /// Opens the file. A link at the path's end is not followed.
    ///
    /// - Parameters:
    ///   - isExclusive: whether the file must not exist yet.
    ///   - model: a file whose owner and mode it gets.
    init(_ path: String, isExclusive: Bool = false, like model: FileState? = nil) throws(StoreError) {
        let folder = FileState(path: path.folderOfPath)
        let isShared = folder.map { $0.mode & 0o2020 == 0o2020 } ?? false
        // Without blocking: it may be a pipe.
        let flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
        var descriptor = path.withPathBytes { open($0, flags | O_CREAT | O_EXCL, isShared ? 0o660 : 0o600) }
        isNew = descriptor >= 0
        if descriptor < 0, errno == EEXIST, !isExclusive { descriptor = path.withPathBytes { open($0, flags) } }
        guard descriptor >= 0 else { throw Self.refused(path, errno) }
        guard let state = FileState(descriptor: descriptor), state.isRegular else {
            close(descriptor)
            throw Self.notRegular(path)
        }
        if geteuid() == 0, let owner = model ?? (isNew ? folder : nil) { fchown(descriptor, owner.owner, owner.group) }
        if let model { fchmod(descriptor, mode_t(model.mode & 0o777)) }
        (self.descriptor, identity) = (descriptor, state.identity)
    }

    deinit { close(descriptor) }

    /// Reads bytes from an offset; `nil` if there are fewer, or they cannot be read.
    func read(_ count: Int, at offset: Int) -> [UInt8]? {
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, length in
            length = read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
        }
        return bytes.count == count ? bytes : nil
    }

    /// Fills a buffer with the bytes from an offset.
    ///
    /// - Returns: the number of bytes: fewer at the end of the file, or if they cannot be read.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
        let file = FileDescriptor(rawValue: descriptor)
        var done = 0
        while done < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
            // An error is the end of what can be read.
            guard let read = try? file.read(fromAbsoluteOffset: Int64(offset + done), into: rest), read > 0 else {
                break
            }
            done += read
        }
        return done
    }

    /// Writes bytes at an offset.
    ///
    /// - Returns: whether all were written.
    func write(_ bytes: ArraySlice<UInt8>, at offset: Int) -> Bool {
        let file = FileDescriptor(rawValue: descriptor)
        // Callers need no more than whether it has failed.
        return (try? file.writeAll(toAbsoluteOffset: Int64(offset), bytes)) != nil
    }

    /// The regular file at a path; `nil` if there is nothing, and an error if there is anything else.
    static func replaceable(at path: String) throws(StoreError) -> FileState? {
        guard let state = FileState(path: path, followsLink: false) else { return nil }
        guard state.isRegular else { throw notRegular(path) }
        return state
    }

    private static func notRegular(_ path: String) -> StoreError {
        StoreError(.unavailable, "'\(path)' is not a regular file; choose another file")
    }

    private static func refused(_ path: String, _ number: Int32) -> StoreError {
        if [ELOOP, ENXIO, EISDIR].contains(number) { return notRegular(path) }
        let reason = String(cString: strerror(number))
        return DiskState.problem(at: path) ?? StoreError(.unavailable, "cannot open '\(path)': \(reason)")
    }
}
