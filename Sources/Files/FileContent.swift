// SPDX-License-Identifier: Apache-2.0

package import Basics
internal import SystemPackage

/// The system's metadata of a file. It changes when the file is written to or replaced, or when its permissions change.
package struct FileState: Hashable, Sendable {
    /// The identity of a file, independent of its names.
    package struct Identity: Hashable, Sendable {
        fileprivate var device: UInt64
        fileprivate var inode: UInt64
    }

    package let identity: Identity
    /// The permissions: the lowest twelve bits of the mode.
    package let mode: UInt32
    package let owner: UInt32
    package let group: UInt32
    /// Whether it is a regular file, and no folder, link, pipe or device.
    package let isRegular: Bool
    package let isFolder: Bool
    /// In bytes.
    package let size: Int
    /// The time of the last write of its content, in nanoseconds since 1970.
    package let modified: Int64
    private let changed: Int64

    /// The file that a path leads to; `nil` if it does not exist or is inaccessible.
    package init?(path: String, followsLink: Bool = true) {
        guard let status = try? Stat(FilePath(text: path), followTargetSymlink: followsLink) else { return nil }
        self.init(status)
    }

    /// An open file; `nil` if the descriptor is not open.
    package init?(descriptor: Int32) {
        guard let status = try? Stat(FileDescriptor(rawValue: descriptor)) else { return nil }
        self.init(status)
    }

    fileprivate init(_ status: Stat) {
        identity = Identity(
            device: UInt64(truncatingIfNeeded: status.deviceID.rawValue),
            inode: UInt64(truncatingIfNeeded: status.inode.rawValue)
        )
        mode = UInt32(status.mode.rawValue) & 0o7777
        (owner, group) = (status.userID.rawValue, status.groupID.rawValue)
        (isRegular, isFolder) = (status.type == .regular, status.type == .directory)
        size = Int(status.size)
        (modified, changed) = (System.nanoseconds(status.st_mtim), System.nanoseconds(status.st_ctim))
    }
}

/// A consistent snapshot of a regular file's bytes, without a byte-order mark of UTF-8 at its beginning: no file that
/// this package reads has one as content.
package struct FileContent: Sendable {
    package let bytes: [UInt8]
    /// The state of the file when it was read.
    package let state: FileState

    /// The number of attempts to read a file that changes during the read, before the last one counts.
    private static let attempts = 4
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Reads a file from its beginning to its end.
    /// - Throws: `FileError`, which is ``FileError/isIrregular`` for anything but a regular file, and
    ///   ``FileError/isTooLarge`` beyond the limit.
    package init(reading path: String, atMost limit: Int) throws(FileError) {
        (bytes, state) = try FileDescriptor.opened(path, .readOnly) {
            (file) throws(FileError) -> ([UInt8], FileState) in
            var before = try Self.state(of: file)
            var content = try Self.bytes(of: file, atMost: limit, expecting: before.size)
            for _ in 1..<Self.attempts {
                let after = try Self.state(of: file)
                if after == before { break }
                before = after
                try file.seek(to: 0)
                content = try Self.bytes(of: file, atMost: limit, expecting: before.size)
            }
            return (content, before)
        }
    }

    private static func state(of file: FileDescriptor) throws(FileError) -> FileState {
        try FileError.catching("stat") { FileState(try Stat(file)) }
    }

    /// The bytes of a regular file, or of a pipe or terminal that this process has open already: `/dev/stdin`, or
    /// `/dev/fd/63` as a shell passes `<(…)`. Another user may put a pipe at any other path,
    /// where a reader would block forever.
    ///
    /// - Throws: `FileError`, which is ``FileError/isIrregular`` for anything else, and ``FileError/isTooLarge`` beyond the
    ///   limit.
    package static func bytes(at path: String, atMost limit: Int) throws(FileError) -> [UInt8] {
        guard path.isOfOpenDescriptor else { return try FileContent(reading: path, atMost: limit).bytes }
        return try FileDescriptor.opened(path, .readOnly, isBlocking: true) { (file) throws(FileError) in
            try bytes(of: file, atMost: limit)
        }
    }

    /// The bytes of standard input.
    /// - Throws: `FileError` with the code `fileTooLarge` beyond the limit.
    package static func standardInput(atMost limit: Int) throws(FileError) -> [UInt8] {
        try bytes(of: .standardInput, atMost: limit)
    }

    private static func bytes(
        of file: FileDescriptor,
        atMost limit: Int,
        expecting size: Int = 0
    ) throws(FileError) -> [UInt8] {
        var bytes = try file.bytes(atMost: limit + 1, expecting: size)
        if bytes.count > limit { throw FileError(step: "read", code: .fileTooLarge) }
        if bytes.starts(with: byteOrderMark) { bytes.removeFirst(byteOrderMark.count) }
        return bytes
    }
}

extension String {
    /// Whether a path names a descriptor of the process that opens it.
    fileprivate var isOfOpenDescriptor: Bool {
        if self == "/dev/stdin" { return true }
        let folder = ["/dev/fd/", "/proc/self/fd/"].first { utf8.starts(with: $0.utf8) }
        let number = utf8.dropFirst(folder?.utf8.count ?? utf8.count)
        return !number.isEmpty && number.allSatisfy { (0x30...0x39).contains($0) }
    }
}

/// A file that is accepted only if no other user can read it.
package enum PrivateFile {
    /// - Returns: `nil` if there is no such file.
    /// - Throws: `insecure` if others may read it, `unreadable`, `tooLarge`.
    package static func read(_ path: String, atMost limit: Int) throws(OperationFailure) -> [UInt8]? {
        do throws(FileError) {
            let content = try FileContent(reading: path, atMost: limit)
            if content.state.mode & 0o077 == 0 { return content.bytes }
        } catch {
            if error.isMissing { return nil }
            if error.isTooLarge {
                throw OperationFailure(.tooLarge, "the file is larger than \(limit) bytes", source: path)
            }
            throw OperationFailure(.unreadable, "cannot read the file: \(error.reason)", source: path)
        }
        let message = "this file contains secrets and is readable by others; run `chmod 600` on it"
        throw OperationFailure(.insecure, message, source: path)
    }
}

extension PrivateFile {
    /// Checks that only its owner and the groups of this process can use a service's secret file: packages store such files as
    /// `root:livery` with the mode 0640. Anything but a regular file, such as a pipe, has no other readers, and systemd
    /// provides the files in `$CREDENTIALS_DIRECTORY` for this service alone.
    ///
    /// - Parameter name: the description of the file for the message: `the token file`.
    /// - Throws: `insecure`.
    package static func checkIsOfService(_ path: String, _ name: String) throws(OperationFailure) {
        guard let state = FileState(path: path), state.isRegular, !isCredential(path) else { return }
        if state.mode & 0o007 != 0 {
            throw OperationFailure(.insecure, "\(name) \(path) is accessible to all users; run chmod o= \(path)")
        }
        // The mode is a mask of the list.
        guard state.mode & 0o070 != 0 else { return }
        if let list = AccessList(path: path) {
            let isOpenToUser = list.admitsUser(otherThan: [System.user, state.owner])
            guard isOpenToUser || list.admitsGroup(otherThan: System.groups, owning: state.group) else { return }
            let others = isOpenToUser ? "another user" : "a group that this user is not a member of"
            let message = "\(name) \(path) is accessible to \(others) by its access control list; see getfacl \(path)"
            throw OperationFailure(.insecure, message)
        }
        if !System.groups.contains(state.group) {
            let advice = "run chmod g= \(path), or change its group to one of this user"
            throw OperationFailure(
                .insecure,
                "\(name) \(path) is accessible to a group that this user is not a member of; \(advice)"
            )
        }
    }

    private static func isCredential(_ path: String) -> Bool {
        guard let folder = System.variable("CREDENTIALS_DIRECTORY"), folder.isAbsolutePath else { return false }
        return path.resolvingLinks().folderOfPath == folder.resolvingLinks()
    }
}
