// SPDX-License-Identifier: Apache-2.0

package import SystemPackage

/// The operations on the file system by which a program stores its files, one step per function, so that a test can simulate a
/// crash after any of them.
package protocol Disk: Sendable {
    /// Makes a folder and those above it, for the user alone.
    func makeFolder(_ path: String) throws(FileError)
    /// The length of a file in bytes; `nil` if there is none.
    func length(of path: String) throws(FileError) -> Int?
    /// Reads a file from an offset to its end, or as many bytes; `nil` if there is none. A link is not followed.
    func read(_ path: String, from offset: Int, atMost count: Int) throws(FileError) -> [UInt8]?
    /// Makes a file for the user alone, empty if it was there.
    func create(_ path: String) throws(FileError)
    /// Sets the owner, the group and the mode of another file.
    func giveAccess(to path: String, like other: FileState) throws(FileError)
    /// Writes at the end of a file of this length; a failure leaves the file as it was if it can.
    func append(_ bytes: [UInt8], to path: String, at length: Int) throws(FileError)
    /// Returns once a file's content would survive a loss of power.
    func flush(_ path: String) throws(FileError)
    /// Returns once a folder's names would survive a loss of power.
    func flushFolder(_ path: String) throws(FileError)
    /// Renames a file, replacing the one with the new name.
    func move(_ path: String, to other: String) throws(FileError)
    /// Runs a closure while no other process runs one under this lock.
    ///
    /// - Parameter patience: how long to wait for a process that has the lock.
    /// - Throws: the error of the body, and `resourceTemporarilyUnavailable` after the deadline.
    func locked<Outcome>(
        _ path: String,
        patience: Duration,
        _ body: () throws(FileError) -> Outcome
    ) throws(FileError) -> Outcome
}

extension Disk {
    /// Replaces a file: a reader gets the old content or the new, and so does a program that starts after a loss of power.
    ///
    /// - Parameters:
    ///   - former: the file whose owner, group and mode the new one has; `nil` for one of the user alone.
    ///   - temporary: the file that is written and then renamed. Only the holder of a lock may use its name; one that a
    ///     program has left when it died is overwritten.
    ///   - flushesFolder: whether the new content is sure to survive a loss of power, at the cost of a second flush.
    package func replace(
        _ path: String,
        with bytes: [UInt8],
        like former: FileState? = nil,
        via temporary: String? = nil,
        flushesFolder: Bool = true
    ) throws(FileError) {
        let temporary = temporary ?? path + ".new"
        try create(temporary)
        if let former { try giveAccess(to: temporary, like: former) }
        try append(bytes, to: temporary, at: 0)
        try flush(temporary)
        try move(temporary, to: path)
        if flushesFolder { try flushFolder(path.folderOfPath) }
    }
}

/// The file system of the machine.
package struct SystemDisk: Disk {
    package init() {}

    package func makeFolder(_ path: String) throws(FileError) {
        do throws(FileError) {
            try System.makeFolder(FilePath(text: path))
        } catch {
            let parent = FilePath(text: path).removingLastComponent().text
            guard error.code == .noSuchFileOrDirectory, !parent.isEmpty, parent.utf8.count < path.utf8.count else {
                throw error
            }
            try makeFolder(parent)
            // Fails again where the parent is a link that leads nowhere.
            try System.makeFolder(FilePath(text: path))
        }
    }

    package func length(of path: String) throws(FileError) -> Int? {
        try unlessMissing { () throws(FileError) in
            try FileError.catching("stat") { Int(try Stat(FilePath(text: path)).size) }
        }
    }

    package func read(_ path: String, from offset: Int, atMost count: Int) throws(FileError) -> [UInt8]? {
        try unlessMissing { () throws(FileError) in
            try FileDescriptor.opened(path, .readOnly, .noFollow) { (file) throws(FileError) in
                if offset > 0 { try file.seek(to: offset) }
                return try file.bytes(atMost: count)
            }
        }
    }

    package func create(_ path: String) throws(FileError) {
        try FileDescriptor.opened(path, .writeOnly, [.noFollow, .create, .truncate]) { (file) throws(FileError) in
            try System.makePrivate(file)
        }
    }

    /// Makes a file for the user alone; `fileExists` if there is something of this name.
    func createNew(_ path: String) throws(FileError) {
        try FileDescriptor.opened(path, .writeOnly, [.noFollow, .create, .exclusiveCreate]) {
            (file) throws(FileError) in
            try System.makePrivate(file)
        }
    }

    /// Dates a regular file to now, and makes it for the user alone if it is not there. Its content stays.
    package func touch(_ path: String) throws(FileError) {
        func touch() throws(FileError) {
            try FileDescriptor.opened(path, .writeOnly, [.noFollow, .create]) { (file) throws(FileError) in
                try System.touch(file)
            }
        }
        do throws(FileError) {
            try touch()
        } catch {
            // Another user's; the owner of the folder may replace it.
            guard error.code == .permissionDenied else { throw error }
            System.remove(FilePath(text: path))
            try touch()
        }
    }

    package func giveAccess(to path: String, like other: FileState) throws(FileError) {
        try FileDescriptor.opened(path, .writeOnly, .noFollow) { (file) throws(FileError) in
            try System.makeAccessible(file, like: other)
        }
    }

    package func append(_ bytes: [UInt8], to path: String, at length: Int) throws(FileError) {
        try FileDescriptor.opened(path, .writeOnly, [.noFollow, .append]) { (file) throws(FileError) in
            do throws(FileError) {
                _ = try FileError.catching("write") { try file.writeAll(bytes) }
            } catch {
                // The error of the write is the one to report.
                try? file.resize(to: Int64(length))
                throw error
            }
        }
    }

    package func flush(_ path: String) throws(FileError) {
        try FileDescriptor.opened(path, .readOnly, .noFollow) { (file) throws(FileError) in try System.flush(file) }
    }

    /// Returns once the content of an open file would survive a loss of power.
    package func flush(descriptor: Int32) throws(FileError) { try System.flush(FileDescriptor(rawValue: descriptor)) }

    package func flushFolder(_ path: String) throws(FileError) {
        try FileDescriptor.opened(path, .readOnly, [.noFollow, .directory]) { (file) throws(FileError) in
            do throws(FileError) {
                try System.flush(file)
            } catch {
                // Some file systems cannot do this for a folder, and have no need to.
                if error.code != .invalidArgument { throw error }
            }
        }
    }

    package func move(_ path: String, to other: String) throws(FileError) {
        try System.move(FilePath(text: path), to: FilePath(text: other))
    }

    package func locked<Outcome>(
        _ path: String,
        patience: Duration,
        _ body: () throws(FileError) -> Outcome
    ) throws(FileError) -> Outcome {
        let deadline = ContinuousClock.now + patience
        while true {
            let outcome = try FileDescriptor.opened(path, .readWrite, [.noFollow, .create]) {
                (file) throws(FileError) -> Outcome? in
                try file.lock(until: deadline, askingEvery: 1)
                // The folder may have been emptied during the wait, and others may have locked a new file of this name.
                let isNamed = FileState(path: path)?.identity == FileState(descriptor: file.rawValue)?.identity
                return isNamed ? try body() : nil
            }
            if let outcome { return outcome }
            // The file of this name is replaced again and again.
            guard ContinuousClock.now < deadline else {
                throw FileError(step: "lock", code: .resourceTemporarilyUnavailable)
            }
        }
    }

    private func unlessMissing<Outcome>(
        _ body: () throws(FileError) -> Outcome
    ) throws(FileError) -> Outcome? {
        do throws(FileError) {
            return try body()
        } catch {
            if error.isMissing { return nil }
            throw error
        }
    }
}

/// A step that the file system refused.
package struct FileError: Error, Hashable, CustomStringConvertible {
    /// The operation that failed, such as `open`.
    package var step: String
    package var code: Errno

    package init(step: String, code: Errno) {
        self.step = step
        self.code = code
    }

    /// Whether another program has the lock.
    package var isInUse: Bool { code == .resourceTemporarilyUnavailable }
    package var isMissing: Bool { code == .noSuchFileOrDirectory || code == .notDirectory }
    /// Whether a file is larger than the requested maximum.
    package var isTooLarge: Bool { code == .fileTooLarge }
    /// Whether something else than a regular file was found.
    package var isIrregular: Bool { code == .isDirectory }
    static let irregular = FileError(step: "open", code: .isDirectory)
    /// The system's words, such as `Permission denied`.
    package var reason: String { isIrregular ? "Not a regular file" : code.description }

    package var description: String { "\(step): \(reason)" }

    /// Runs an operation whose error swift-system reports.
    static func catching<Outcome>(_ step: String, _ body: () throws -> Outcome) throws(FileError) -> Outcome {
        do {
            return try body()
        } catch {
            throw FileError(step: step, code: error as? Errno ?? .ioError)
        }
    }
}

extension FileDescriptor {
    /// Opens a regular file, which is the user's alone if it is new, until the body has returned.
    ///
    /// It never waits, as opening a pipe would for its other end, and never writes to a device.
    ///
    /// - Parameter isBlocking: whether a pipe or a device is opened too, and waited for.
    /// - Throws: `FileError`, which is ``FileError/isIrregular`` for anything else.
    static func opened<Outcome>(
        _ path: String,
        _ mode: AccessMode,
        _ options: OpenOptions = [],
        isBlocking: Bool = false,
        _ body: (FileDescriptor) throws(FileError) -> Outcome
    ) throws(FileError) -> Outcome {
        let file = try FileError.catching("open") {
            let options = options.union(isBlocking ? .closeOnExec : [.closeOnExec, .nonBlocking])
            return try open(FilePath(text: path), mode, options: options, permissions: .ownerReadWrite)
        }
        // close(2) reports errors of writes, which a flush reports before.
        defer { try? file.close() }
        let isAccepted = isBlocking || options.contains(.directory)
        guard isAccepted || FileState(descriptor: file.rawValue)?.isRegular == true else { throw .irregular }
        return try body(file)
    }

    func seek(to offset: Int) throws(FileError) {
        _ = try FileError.catching("seek") { try seek(offset: Int64(offset), from: .start) }
    }

    /// The bytes from here to the end, or up to a maximum.
    func bytes(atMost count: Int, expecting size: Int = 0) throws(FileError) -> [UInt8] {
        var bytes: [UInt8] = []
        // One byte more than expected, so that the end is found without reading another piece.
        var room = max(min(size, count - 1) + 1, 4096)
        while bytes.count < count {
            let piece = try piece(atMost: min(room, count - bytes.count))
            if piece.isEmpty { break }
            if bytes.isEmpty { bytes = piece } else { bytes += piece }
            room = 256 * 1024
        }
        return bytes
    }

    private func piece(atMost count: Int) throws(FileError) -> [UInt8] {
        try FileError.catching("read") {
            try [UInt8](unsafeUninitializedCapacity: count) { buffer, length in
                length = try read(into: UnsafeMutableRawBufferPointer(buffer))
            }
        }
    }

    /// Locks the file against all who do the same, until it is closed, which the system also does for a program that dies.
    ///
    /// Polls instead of using the waiting kind of `flock`: a process that was stopped while it held the lock must not stop this
    /// one. The pause is in milliseconds. After the deadline the code is `resourceTemporarilyUnavailable`.
    func lock(until deadline: ContinuousClock.Instant, askingEvery pause: Int32) throws(FileError) {
        while true {
            do throws(FileError) {
                return try System.lock(self)
            } catch {
                let isBusy = error.code == .resourceTemporarilyUnavailable || error.code == .interrupted
                guard isBusy, ContinuousClock.now < deadline else { throw error }
                System.wait(milliseconds: pause)
            }
        }
    }
}
