package import SystemPackage

/// What a program does to the file system to keep its files, one step a function, so that a test can end the world after
/// any of them.
package protocol Disk: Sendable {
    /// Makes a folder and those above it, for the user alone.
    func makeFolder(_ path: String) throws(FileError)
    /// The length of a file in bytes; `nil` if there is none.
    func length(of path: String) throws(FileError) -> Int?
    /// Reads a file from an offset to its end, or as many bytes; `nil` if there is none. A link is not followed.
    func read(_ path: String, from offset: Int, atMost count: Int) throws(FileError) -> [UInt8]?
    /// Makes a file for the user alone, empty if it was there.
    func create(_ path: String) throws(FileError)
    /// Writes at the end of a file of this length; a failure leaves the file as it was if it can.
    func append(_ bytes: [UInt8], to path: String, at length: Int) throws(FileError)
    /// Returns once a file's content would survive a loss of power.
    func flush(_ path: String) throws(FileError)
    /// Returns once a folder's names would survive a loss of power.
    func flushFolder(_ path: String) throws(FileError)
    /// Gives a file another name, in place of the one that had it.
    func move(_ path: String, to other: String) throws(FileError)
    /// Does something while no other process does the same under this lock.
    func locked<Outcome>(
        _ path: String,
        _ body: () throws(FileError) -> Outcome
    ) throws(FileError) -> Outcome
}

extension Disk {
    /// Replaces a file: a reader gets the old content or the new, and so does a program that starts after a loss of power.
    ///
    /// - Parameters:
    ///   - temporary: the file that is written and then renamed. Only the holder of a lock may use its name; one that a
    ///     program has left when it died is overwritten.
    ///   - flushesFolder: whether the new content is sure to survive a loss of power, at the cost of a second flush.
    package func replace(
        _ path: String,
        with bytes: [UInt8],
        via temporary: String? = nil,
        flushesFolder: Bool = true
    ) throws(FileError) {
        let temporary = temporary ?? path + ".new"
        try create(temporary)
        try append(bytes, to: temporary, at: 0)
        try flush(temporary)
        try move(temporary, to: path)
        if flushesFolder { try flushFolder(path.folderOfPath) }
    }
}

/// A step that the file system refused.
package struct FileError: Error, Hashable, CustomStringConvertible {
    /// What was tried, such as `open`.
    package var step: String
    /// Why it was refused.
    package var code: Errno

    package init(step: String, code: Errno) {
        self.step = step
        self.code = code
    }

    /// Whether there is no file of the name.
    package var isMissing: Bool { code == .noSuchFileOrDirectory || code == .notDirectory }
    /// Whether a file is larger than what was asked for.
    package var isTooLarge: Bool { code == .fileTooLarge }
    /// Whether something else than a regular file was found.
    package var isIrregular: Bool { code == .isDirectory }
    /// The system's words, such as `Permission denied`.
    package var reason: String { code.description }

    package var description: String { "\(step): \(reason)" }
}

extension FileError {
    /// Does something of which swift-system reports the error.
    static func catching<Outcome>(_ step: String, _ body: () throws -> Outcome) throws(FileError) -> Outcome {
        do {
            return try body()
        } catch {
            throw FileError(step: step, code: error as? Errno ?? .ioError)
        }
    }
}
