// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigStore
internal import Files
internal import Foundation

/// A temporary file for a database, which is removed together with SQLite's files next to it.
///
/// Another program cannot have replaced it: its name is random, and it must not exist yet. It is locked, so that the next one
/// next to the same file finds and removes those of killed processes.
final class TemporaryDatabase {
    let path: String
    private let file: DatabaseFile

    private static let infix = ".partial-"

    /// - Parameters:
    ///   - model: the file whose owner and mode it gets.
    ///   - create: creates a file that must not exist yet.
    init(
        beside path: String,
        like model: FileState? = nil,
        creating create: (String, FileState?) throws(StoreError) -> DatabaseFile = { (path, model) throws(StoreError) in
            try DatabaseFile(path, isExclusive: true, like: model)
        }
    ) throws(StoreError) {
        Self.removeLeftovers(beside: path)
        for _ in 0..<10 {
            let place = path + Self.infix + UInt64.random(in: .min ... .max).hexDigits
            let file = try create(place, model)
            let isLocked = WholeFileLock.acquire(on: file.descriptor)
            // Another backup may have removed it as a leftover before that. SQLite would create a file that others can read.
            if isLocked, FileState(path: place, followsLink: false)?.identity == file.identity {
                (self.path, self.file) = (place, file)
                return
            }
            Self.remove(place)
        }
        let message = """
            cannot write '\(path)': cannot lock its temporary files, or another program removed them; stop other \
            backups to it, or choose another folder
            """
        throw StoreError(.unavailable, message)
    }

    deinit { Self.remove(path) }

    /// Whether a text is the random part of a name. A person's own file, such as `….partial-old`, is never removed.
    private static func areDigits(_ text: String) -> Bool { UInt64(text, radix: 16)?.hexDigits == text }

    private static func remove(_ path: String) {
        for suffix in [""] + StoreFiles.suffixes { _ = (path + suffix).withPathBytes { unlink($0) } }
    }

    private static func removeLeftovers(beside path: String) {
        // Without it, a file that is in use would look like one that is not.
        guard WholeFileLock.isAvailable else { return }
        let beginning = path.fileNameOfPath + infix
        // Leftovers that cannot be listed or opened stay: they only take space.
        let names = (try? Folder.names(at: path.folderOfPath)) ?? []
        for name in names where name.utf8.starts(with: beginning.utf8) {
            let place = path.folderOfPath + "/" + name
            // A file that cannot be opened is left alone.
            guard areDigits(String(name.utf8.dropFirst(beginning.utf8.count)) ?? ""),
                FileState(path: place, followsLink: false)?.isRegular == true,
                let file = try? DatabaseFile(place), WholeFileLock.acquire(on: file.descriptor)
            else { continue }
            // Locked until it has been removed.
            withExtendedLifetime(file) { remove(place) }
        }
    }
}
