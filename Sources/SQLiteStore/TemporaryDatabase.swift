// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigStore
internal import Files
internal import Foundation

/// A temporary file for a database, which is removed with all that SQLite puts beside it.
///
/// No other program can have put anything in its place: its name is random, and it must not exist yet. It is locked, so that the
/// next one beside the same file finds and removes those of processes that were killed.
final class TemporaryDatabase {
    let path: String
    private let file: DatabaseFile

    private static let infix = ".partial-"

    /// - Parameter model: the file whose owner and mode it gets.
    init(beside path: String, like model: FileState? = nil) throws(StoreError) {
        Self.removeLeftovers(beside: path)
        self.path = path + Self.infix + Self.digits(of: .random(in: .min ... .max))
        file = try DatabaseFile(self.path, isExclusive: true, like: model)
        _ = WholeFileLock.acquire(on: file.descriptor)
    }

    deinit { Self.remove(path) }

    /// The random part of a name: always as many digits as the greatest number has.
    private static func digits(of number: UInt64) -> String {
        let digits = String(number, radix: 36)
        return String(repeating: "0", count: 13 - digits.count) + digits
    }

    /// Whether a text is the random part of a name. A person's own file, such as `….partial-old`, is never removed.
    private static func areDigits(_ text: String) -> Bool { UInt64(text, radix: 36).map(digits) == text }

    private static func remove(_ path: String) {
        for suffix in [""] + StoreFiles.suffixes { _ = (path + suffix).withPathBytes { unlink($0) } }
    }

    private static func removeLeftovers(beside path: String) {
        // Without it, a file that is in use would look like one that is not.
        guard WholeFileLock.isAvailable else { return }
        let beginning = path.fileNameOfPath + infix
        let names = (try? Folder.names(at: path.folderOfPath)) ?? []
        for name in names where name.utf8.starts(with: beginning.utf8) {
            let place = path.folderOfPath + "/" + name
            guard areDigits(String(name.utf8.dropFirst(beginning.utf8.count)) ?? ""),
                FileState(path: place, followsLink: false)?.isRegular == true,
                let file = try? DatabaseFile(place), WholeFileLock.acquire(on: file.descriptor)
            else { continue }
            remove(place)
        }
    }
}
