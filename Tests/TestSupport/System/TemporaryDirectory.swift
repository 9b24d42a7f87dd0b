package import Foundation

/// A fresh folder of its own under the system's temporary folder, removed with everything in it when no longer used.
///
/// ```swift
/// let folder = try TemporaryDirectory()
/// let file = try folder.write(#"{"color": "#FFB6C1"}"#, to: "config.json")
/// ```
package final class TemporaryDirectory: Sendable {
    /// The folder, with symbolic links resolved, so that paths a program prints compare equal.
    package let url: URL

    /// The folder's path, without a trailing slash.
    package var path: String {
        url.path(percentEncoded: false).trimmingTrailingSlash
    }

    /// Makes the folder, readable by its owner only.
    ///
    /// - Parameter prefix: The start of its name. Keep it short: the path of a Unix socket may have about 100 bytes.
    package init(prefix: String = "livery") throws {
        let name = "\(prefix)-\(UInt64.random(in: .min ... .max).hexadecimal)"
        let parent = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
        url = parent.appending(path: name, directoryHint: .isDirectory)
        try FileManager.default.createDirectory(
            at: url,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
    }

    deinit {
        remove()
    }

    /// Where a file of the folder is or would be.
    ///
    /// - Parameter relativePath: A path below the folder.
    package func path(to relativePath: String) -> String {
        path + "/" + relativePath
    }

    /// Writes a file, in one step and with its missing parent folders, and returns its path.
    @discardableResult
    package func write(_ contents: Data, to relativePath: String) throws -> String {
        let file = url.appending(path: relativePath, directoryHint: .notDirectory)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try contents.write(to: file, options: .atomic)
        return path(to: relativePath)
    }

    /// Writes a text file as UTF-8, in one step and with its missing parent folders, and returns its path.
    @discardableResult
    package func write(_ contents: String, to relativePath: String) throws -> String {
        try write(Data(contents.utf8), to: relativePath)
    }

    /// The bytes of one of the folder's files.
    package func read(_ relativePath: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: url.appending(path: relativePath, directoryHint: .notDirectory)))
    }

    /// Removes the folder now. Doing it again is harmless.
    package func remove() {
        try? FileManager.default.removeItem(at: url)
    }
}

extension String {
    fileprivate var trimmingTrailingSlash: String {
        hasSuffix("/") && count > 1 ? String(dropLast()) : self
    }
}

extension UInt64 {
    fileprivate var hexadecimal: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
