// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The terminal types that this machine knows.
enum TerminalDatabase {
    /// The folders of the entries on Debian, other systems and macOS.
    private static let folders = ["/etc/terminfo", "/lib/terminfo", "/usr/share/terminfo", "/usr/lib/terminfo"]

    /// Whether there is an entry of a name. Its folder is named by the first letter, or by that letter's number.
    static func contains(_ name: String) -> Bool {
        guard let first = name.utf8.first else { return false }
        let subfolders = [String(name.prefix(1)), String(first, radix: 16)]
        return folders.contains { folder in
            subfolders.contains { FileManager.default.fileExists(atPath: "\(folder)/\($0)/\(name)") }
        }
    }
}
