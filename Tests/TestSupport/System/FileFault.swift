// SPDX-License-Identifier: Apache-2.0

internal import Foundation

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// An action of another program on a file in use.
package enum FileFault: String, CaseIterable, Sendable {
    case removed, moved, replacedByNothing, replacedByZeros, replacedByACopy, emptied, cutInHalf, overwritten

    /// The new path of a moved file.
    package static func place(of path: String) -> String { path + ".moved" }

    /// Whether the name leads to another file afterwards, or to none; otherwise the file itself is changed.
    package var changesName: Bool {
        switch self {
        case .removed, .moved, .replacedByNothing, .replacedByZeros, .replacedByACopy: true
        case .emptied, .cutInHalf, .overwritten: false
        }
    }

    /// Performs the action. Nothing happens to a missing file.
    package func happen(to path: String) throws {
        guard let content = FileManager.default.contents(atPath: path) else { return }
        switch self {
        case .removed: unlink(path)
        case .moved: rename(path, Self.place(of: path))
        case .replacedByNothing: try replace(path, by: Data())
        case .replacedByZeros: try replace(path, by: Data(count: content.count))
        case .replacedByACopy: try replace(path, by: content)
        case .emptied: truncate(path, 0)
        case .cutInHalf: truncate(path, off_t(content.count / 2))
        case .overwritten:
            let file = try FileHandle(forWritingTo: URL(filePath: path))
            try file.write(contentsOf: Data(count: content.count))
            try file.close()
        }
    }

    private func replace(_ path: String, by content: Data) throws {
        try content.write(to: URL(filePath: path + ".other"))
        rename(path + ".other", path)
    }
}
