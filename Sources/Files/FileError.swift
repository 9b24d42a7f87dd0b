package import SystemPackage

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

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
    /// The error that the system has just reported.
    static func last(_ step: String) -> FileError { FileError(step: step, code: Errno(rawValue: errno)) }

    /// Does something of which swift-system reports the error.
    static func catching<Outcome>(_ step: String, _ body: () throws -> Outcome) throws(FileError) -> Outcome {
        do {
            return try body()
        } catch {
            throw FileError(step: step, code: error as? Errno ?? .ioError)
        }
    }
}
