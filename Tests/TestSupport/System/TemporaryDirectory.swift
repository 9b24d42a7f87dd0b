// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
package import Foundation

/// A new folder in the system's temporary folder, removed with everything in it when no longer used.
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

    /// The path of an existing or new file in the folder.
    ///
    /// - Parameter relativePath: A path below the folder.
    package subscript(relativePath: String) -> String { path + "/" + relativePath }

    /// Writes a file, in one step and with its missing parent folders, and returns its path.
    @discardableResult
    package func write(_ contents: Data, to relativePath: String) throws -> String {
        let file = url.appending(path: relativePath, directoryHint: .notDirectory)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try contents.write(to: file, options: .atomic)
        return self[relativePath]
    }

    /// Writes a text file as UTF-8, in one step and with its missing parent folders, and returns its path.
    @discardableResult
    package func write(_ contents: String, to relativePath: String) throws -> String {
        try write(Data(contents.utf8), to: relativePath)
    }

    /// Writes a text file that only its owner can read, as a secret has to be.
    package func writeSecret(_ contents: String, to relativePath: String) throws {
        let path = try write(contents, to: relativePath)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }

    /// The bytes of one of the folder's files.
    package func read(_ relativePath: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: url.appending(path: relativePath, directoryHint: .notDirectory)))
    }

    /// The names in the folder, or in a folder below it, sorted.
    package func contents(of name: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: self[name]).sorted()
    }

    /// The access rights of a file or folder, such as `0o600`.
    package func mode(of name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: self[name])[.posixPermissions] as? Int
    }

    /// Removes the folder now. Doing it again is harmless.
    package func remove() {
        try? FileManager.default.removeItem(at: url)
    }
}

/// File operations of editors, shells and users.
extension TemporaryDirectory {
    /// Names that differ by their bytes only: in each normal form, and one that is not UTF-8.
    package static let names = NormalForm.names.map { $0 + ".json" } + [String(pathBytes: [0x66, 0xFC, 0x72])]

    package func makeFolder(_ name: String) throws {
        if name.carriesBytes { return try check(self[name].withPathBytes { mkdir($0, 0o755) }) }
        try FileManager.default.createDirectory(atPath: self[name], withIntermediateDirectories: true)
    }

    /// Writes into the file that is there, or makes one; the file is cut to its new length at the end.
    package func overwrite(_ text: String, at name: String) throws {
        try change(name, O_WRONLY | O_CREAT) { descriptor in
            try put(text, to: descriptor)
            try check(ftruncate(descriptor, off_t(text.utf8.count)))
        }
    }

    /// Empties the file, then writes, as shells do.
    package func truncateAndWrite(_ text: String, to name: String) throws {
        try change(name, O_WRONLY | O_CREAT | O_TRUNC) { try put(text, to: $0) }
    }

    /// Writes another file and moves it to the name, as editors do.
    package func replace(_ name: String, with text: String) throws {
        try overwrite(text, at: name + ".new")
        try move(name + ".new", to: name)
    }

    package func move(_ name: String, to other: String) throws {
        try check(self[name].withPathBytes { name in self[other].withPathBytes { rename(name, $0) } })
    }

    package func remove(_ name: String) throws {
        try FileManager.default.removeItem(atPath: self[name])
    }

    package func link(_ name: String, to target: String) throws {
        try check(symlink(target, self[name]))
    }

    /// Does the same as `ln -sfn`: another link is made and moved to the name.
    package func relink(_ name: String, to target: String) throws {
        try link(name + ".new", to: target)
        try move(name + ".new", to: name)
    }

    package func allow(_ mode: mode_t, on name: String) throws {
        try check(chmod(self[name], mode))
    }

    /// Writes a script that can be started, and returns its path.
    ///
    /// Another process writes it. If this one did, a program that is started on another thread at that moment would have the
    /// file open for writing until it runs, and a file that is open for writing cannot be executed.
    package func writeProgram(_ script: String, to name: String) throws -> String {
        let writer = Command("/bin/sh", ["-c", #"printf %s "$1" >"$0" && chmod 755 "$0""#, self[name], script])
        guard try writer.run().status.isSuccess else { throw POSIXError(.EIO) }
        return self[name]
    }

    private func change(_ name: String, _ flags: Int32, _ body: (Int32) throws -> Void) throws {
        let descriptor = self[name].withPathBytes { open($0, flags | O_CLOEXEC, 0o644) }
        try check(descriptor)
        defer { close(descriptor) }
        try body(descriptor)
    }

    private func put(_ text: String, to descriptor: Int32) throws {
        let bytes = Array(text.utf8)
        let count = bytes.withUnsafeBytes { unsafe in Foundation.write(descriptor, unsafe.baseAddress, unsafe.count) }
        if count != bytes.count { throw POSIXError(.EIO) }
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

/// Throws what a system call reports.
package func check(_ result: Int32) throws {
    if result < 0 { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
