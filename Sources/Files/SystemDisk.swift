internal import SystemPackage

/// The file system of the machine.
package struct SystemDisk: Disk {
    package init() {}

    package func makeFolder(_ path: String) throws(FileError) {
        do throws(FileError) {
            try Self.makeLastFolder(path)
        } catch {
            let parent = FilePath(path).removingLastComponent().string
            guard error.code == .noSuchFileOrDirectory, !parent.isEmpty, parent.utf8.count < path.utf8.count else {
                throw error
            }
            try makeFolder(parent)
            // Fails again where the parent is a link that leads nowhere.
            try Self.makeLastFolder(path)
        }
    }

    private static func makeLastFolder(_ path: String) throws(FileError) {
        do throws(FileError) {
            try System.makeFolder(path)
        } catch {
            if error.code != .fileExists { throw error }
        }
    }

    package func length(of path: String) throws(FileError) -> Int? {
        try unlessMissing { () throws(FileError) in
            try FileError.catching("stat") { Int(try Stat(FilePath(path)).size) }
        }
    }

    package func read(_ path: String, from offset: Int, atMost count: Int) throws(FileError) -> [UInt8]? {
        try unlessMissing { () throws(FileError) in
            try opened(path, .readOnly, .nonBlocking) { (file) throws(FileError) in
                if offset > 0 {
                    _ = try FileError.catching("seek") { try file.seek(offset: Int64(offset), from: .start) }
                }
                return try file.bytes(atMost: count)
            }
        }
    }

    package func create(_ path: String) throws(FileError) {
        try opened(path, .writeOnly, [.create, .truncate]) { (file) throws(FileError) in
            try System.makePrivate(file)
        }
    }

    package func append(_ bytes: [UInt8], to path: String, at length: Int) throws(FileError) {
        try opened(path, .writeOnly, .append) { (file) throws(FileError) in
            do throws(FileError) {
                _ = try FileError.catching("write") { try file.writeAll(bytes) }
            } catch {
                try? file.resize(to: Int64(length))
                throw error
            }
        }
    }

    package func flush(_ path: String) throws(FileError) {
        try opened(path, .readOnly) { (file) throws(FileError) in
            try System.flush(file)
        }
    }

    package func flushFolder(_ path: String) throws(FileError) {
        try opened(path, .readOnly, .directory) { (file) throws(FileError) in
            do throws(FileError) {
                try System.flush(file)
            } catch {
                // Some file systems cannot do this for a folder, and have no need to.
                if error.code != .invalidArgument { throw error }
            }
        }
    }

    package func move(_ path: String, to other: String) throws(FileError) {
        try System.move(path, to: other)
    }

    /// How long another process may hold the lock; it needs it only for as long as a write takes.
    private static let lockPatience = Duration.seconds(2)

    package func locked<Outcome>(
        _ path: String,
        _ body: () throws(FileError) -> Outcome
    ) throws(FileError) -> Outcome {
        let deadline = ContinuousClock.now + Self.lockPatience
        while true {
            let outcome = try opened(path, .readWrite, .create) { (file) throws(FileError) -> Outcome? in
                try file.lock(until: deadline, askingEvery: 1)
                // Somebody may have emptied the folder meanwhile, and others lock another file of this name by now.
                let isNamed = FileState(path: path)?.identity == FileState(descriptor: file.rawValue)?.identity
                return isNamed ? try body() : nil
            }
            if let outcome { return outcome }
            // The file of this name is another one again and again.
            guard ContinuousClock.now < deadline else {
                throw FileError(step: "lock", code: .resourceTemporarilyUnavailable)
            }
        }
    }

    private func opened<Outcome>(
        _ path: String,
        _ mode: FileDescriptor.AccessMode,
        _ options: FileDescriptor.OpenOptions = [],
        _ body: (FileDescriptor) throws(FileError) -> Outcome
    ) throws(FileError) -> Outcome {
        let file = try FileError.catching("open") {
            let options = options.union([.closeOnExec, .noFollow])
            return try FileDescriptor.open(FilePath(path), mode, options: options, permissions: .ownerReadWrite)
        }
        defer { try? file.close() }
        return try body(file)
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

extension FileDescriptor {
    /// Locks the file against all who do the same, until it is closed, which the system also does for a program that dies.
    ///
    /// Not by the waiting kind of `flock`: a process that was stopped while it held the lock must not stop this one.
    ///
    /// - Parameters:
    ///   - deadline: until when another program may have the lock. Then the code is `resourceTemporarilyUnavailable`.
    ///   - pause: in milliseconds.
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
