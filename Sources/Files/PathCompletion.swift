// SPDX-License-Identifier: Apache-2.0

/// The names with which a typed path can go on.
package struct PathCompletion: Hashable, Sendable {
    /// The typed path, with the beginning that all names share.
    package let path: String
    /// The path before each name: empty, or up to a slash.
    package let folder: String
    /// The first names, sorted; those of folders with a slash at the end.
    package let names: [String]
    /// The number of all names.
    package let count: Int

    private static let maximumNames = 8

    /// Offers paths as they are.
    package init(paths: [String]) {
        (path, folder, count) = ("", "", paths.count)
        names = Array(paths.prefix(Self.maximumNames))
    }

    /// Reads the folder of a typed path. Names that begin with a dot are left out until the dot is typed.
    ///
    /// - Parameter home: the folder that replaces `~`.
    package init(of typed: String, home: String?) throws(FileError) {
        let typed = typed == "~" ? "~/" : typed
        let slash = typed.utf8.lastIndex(of: UInt8(ascii: "/"))
        let start = slash.map { typed.utf8.index(after: $0) } ?? typed.startIndex
        let (folder, beginning) = (String(typed[..<start]), String(typed[start...]))
        let place = folder.isEmpty ? "./" : folder.expandingHome(home)
        let isHiddenWanted = beginning.utf8.first == UInt8(ascii: ".")
        let all = try Folder.names(at: place).filter { name in
            name.utf8.starts(with: beginning.utf8) && (isHiddenWanted || name.utf8.first != UInt8(ascii: "."))
        }
        let shown = all.prefix(Self.maximumNames).map { name in
            FileState(path: place + name).map { $0.isFolder } == true ? name + "/" : name
        }
        (self.folder, names, count) = (folder, shown, all.count)
        path = folder + (all.isEmpty ? beginning : all.count == 1 ? shown[0] : Self.commonBeginning(all))
    }

    /// - Parameter names: in the order of their bytes.
    private static func commonBeginning(_ names: [String]) -> String {
        guard let first = names.first, let last = names.last else { return "" }
        let common = zip(first.unicodeScalars, last.unicodeScalars).prefix { $0.0 == $0.1 }
        return String(String.UnicodeScalarView(common.map { $0.0 }))
    }
}
