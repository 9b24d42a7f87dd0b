// SPDX-License-Identifier: Apache-2.0

package import Basics
internal import SystemPackage

/// A file that is replaced whole or not at all. It is the user's own, readable by its owner only (mode 0600).
package struct AtomicFile: Sendable {
    package let path: String
    private let keepsAccess: Bool
    private let lockPatience: Duration
    private let disk = SystemDisk()

    /// - Parameters:
    ///   - keepsAccess: whether the owner, the group and the mode of a file that is there stay, since others read it too.
    ///   - lockPatience: the maximum wait for another program's lock, which is held only during a write.
    package init(path: String, keepsAccess: Bool = false, lockPatience: Duration = .seconds(10)) {
        self.path = path
        self.keepsAccess = keepsAccess
        self.lockPatience = lockPatience
    }

    /// The file itself: a symbolic link to it, such as into a repository of settings, stays and its target is replaced.
    private var target: String { path.resolvingLinks(toNowhere: 40) }

    /// The file's bytes, or `nil` if there is none.
    /// - Throws: `unreadable`.
    package func read() throws(OperationFailure) -> [UInt8]? {
        do throws(FileError) {
            return try disk.read(target, from: 0, atMost: .max)
        } catch {
            throw problem("cannot read the file; check its permissions", error)
        }
    }

    /// Replaces the file, and makes its folder (mode 0700) if it is not there.
    /// A power failure leaves the old content or the new. The folder is not flushed, which would cost as much again.
    /// - Throws: `unreadable`; the file is then unchanged.
    package func replace(with bytes: [UInt8]) throws(OperationFailure) {
        let target = target
        let folder = target.folderOfPath
        let suffix = String(UInt64.random(in: .min ... .max), radix: 36)
        let temporary = "\(folder)/.\(target.fileNameOfPath).\(suffix)"
        do throws(FileError) {
            try disk.makeFolder(folder)
            let former = keepsAccess ? FileState(path: target) : nil
            try disk.replace(target, with: bytes, like: former, via: temporary, flushesFolder: false)
        } catch {
            System.remove(FilePath(text: temporary))
            throw problem("cannot write the file; check the folder's permissions and the free space", error)
        }
    }

    /// Writes a new file, in a folder that exists.
    ///
    /// - Returns: whether it did; false if there is something of this name, which stays as it is.
    /// - Throws: `unreadable`; there is no file then.
    package func create(with bytes: [UInt8]) throws(OperationFailure) -> Bool {
        do throws(FileError) {
            try disk.createNew(path)
        } catch {
            if error.code == .fileExists { return false }
            throw problem("cannot write the file; check the folder and its permissions", error)
        }
        do throws(FileError) {
            try disk.append(bytes, to: path, at: 0)
        } catch {
            System.remove(FilePath(text: path))
            throw problem("cannot write the file; check the free space", error)
        }
        return true
    }

    /// Runs a closure while no other program runs one with this lock in this folder.
    ///
    /// The folder itself is locked, since the file is replaced, and a separate lock file would have to be cleaned up. If the
    /// folder does not exist, there is nothing to protect, and writing reports the error.
    ///
    /// It waits for others, so do not call it on a thread that serves a screen.
    ///
    /// - Parameter failing: maps a failure with the code `unavailable` to the error that is thrown if another program does not
    ///   release the lock in time.
    package func withLock<Result, Problem>(
        failing: (OperationFailure) -> Problem,
        _ body: () throws(Problem) -> Result
    ) throws(Problem) -> Result {
        let folder = target.folderOfPath
        // If there is none, the body fails to write and reports why.
        try? disk.makeFolder(folder)
        guard
            let file = try? FileDescriptor.open(FilePath(text: folder), .readOnly, options: [.closeOnExec, .directory])
        else {
            return try body()
        }
        // Nothing was written through it.
        defer { try? file.close() }
        do throws(FileError) {
            try file.lock(until: .now + lockPatience, askingEvery: 5)
        } catch {
            if error.code == .resourceTemporarilyUnavailable {
                let message = "timeout waiting for a lock of another program on the folder; stop it, or try again"
                throw failing(OperationFailure(.unavailable, message, source: path))
            }
        }
        return try body()
    }

    /// Replaces a damaged file, and keeps it next to the new one, so that a person may look at it.
    ///
    /// - Returns: the name of the former file; its path, if a link leads to another folder.
    /// - Throws: `unreadable`; the file is then unchanged.
    package func replaceCorrupt(with bytes: [UInt8]) throws(OperationFailure) -> String {
        let target = target
        let start = "\(target).damaged-\(System.seconds)"
        var (aside, attempt) = (start, 0)
        while true {
            do throws(FileError) {
                // A rename would replace an earlier one.
                try System.addName(FilePath(text: aside), to: FilePath(text: target))
                break
            } catch {
                attempt += 1
                guard error.code == .fileExists, attempt < 100 else {
                    throw problem("cannot keep the corrupt file under another name; remove it", error)
                }
                aside = "\(start)-\(attempt)"
            }
        }
        do throws(OperationFailure) {
            try replace(with: bytes)
        } catch {
            System.remove(FilePath(text: aside))
            throw error
        }
        return target.folderOfPath == path.folderOfPath.resolvingLinks() ? aside.fileNameOfPath : aside
    }

    private func problem(_ message: String, _ underlying: FileError) -> OperationFailure {
        OperationFailure(.unreadable, message, source: path, underlying: underlying)
    }
}
