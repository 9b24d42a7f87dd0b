// SPDX-License-Identifier: Apache-2.0

internal import SystemPackage

/// The contents of folders.
package enum Folder {
    /// Removes a file, if there is one and the system allows it.
    package static func remove(_ path: String) { System.remove(FilePath(text: path)) }

    /// Checks that files can be made in a folder, or that it can be made where there is none.
    package static func checkIsWritable(_ path: String) throws(FileError) {
        do throws(FileError) {
            try System.checkIsWritable(FilePath(text: path))
        } catch {
            let parent = FilePath(text: path).removingLastComponent().text
            guard error.code == .noSuchFileOrDirectory, parent.utf8.count < path.utf8.count else { throw error }
            try checkIsWritable(parent)
        }
    }

    /// The names of the files and folders in a folder, sorted by their bytes.
    package static func names(at path: String) throws(FileError) -> [String] {
        try System.names(in: FilePath(text: path)).map(\.text).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}
