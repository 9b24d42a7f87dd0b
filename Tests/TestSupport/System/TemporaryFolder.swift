package import Foundation

/// A folder of its own for one test, deleted at the end.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init() throws {
        // Resolved, since the system's own folder for temporary files may be a link.
        let parent = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
        path = parent.appending(path: "livery-tests-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    package subscript(name: String) -> String { path + "/" + name }

    package func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: self[name], withIntermediateDirectories: true)
    }

    /// Writes into the file that is there, or makes one; the file is cut to its new length at the end.
    package func write(_ text: String, to name: String) throws {
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
        try write(text, to: name + ".new")
        try move(name + ".new", to: name)
    }

    package func move(_ name: String, to other: String) throws {
        try check(rename(self[name], self[other]))
    }

    package func remove(_ name: String) throws {
        try FileManager.default.removeItem(atPath: self[name])
    }

    package func link(_ name: String, to target: String) throws {
        try check(symlink(target, self[name]))
    }

    /// What `ln -sfn` does: another link is made and moved to the name.
    package func relink(_ name: String, to target: String) throws {
        try link(name + ".new", to: target)
        try move(name + ".new", to: name)
    }

    package func allow(_ mode: mode_t, on name: String) throws {
        try check(chmod(self[name], mode))
    }

    private func change(_ name: String, _ flags: Int32, _ body: (Int32) throws -> Void) throws {
        let descriptor = open(self[name], flags | O_CLOEXEC, 0o644)
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

/// Throws what a system call reports.
package func check(_ result: Int32) throws {
    if result < 0 { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
