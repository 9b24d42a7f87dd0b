// SPDX-License-Identifier: Apache-2.0

internal import SystemPackage

/// A path from the root, in text only: it may lead through symbolic links or nowhere.
package struct AbsolutePath: Hashable, Sendable {
    /// The path; empty, which leads nowhere, if it was relative and the current folder is gone.
    package let text: String

    package init(_ path: String) {
        text = path.hasPrefix("/") ? path : System.currentFolder.map { $0 + "/" + path } ?? ""
    }
}

extension String {
    /// The folder that a path names a file of.
    package var folderOfPath: String {
        guard let slash = lastIndex(of: "/") else { return "." }
        return slash == startIndex ? "/" : String(self[..<slash])
    }

    /// The path that a symbolic link has, as it was written; `nil` where there is no link.
    package var linkTarget: String? { System.target(ofLink: self) }

    /// The path without links in it; where there is no file, that of its folder with the name at its end.
    ///
    /// - Parameter count: how many links that lead nowhere yet are followed to where their files would be. Linux follows 40.
    package func resolvingLinks(toNowhere count: Int = 0) -> String {
        if let path = System.resolved(self) { return path }
        guard let name = FilePath(self).lastComponent, let folder = System.resolved(folderOfPath) else { return self }
        let path = FilePath(folder).appending(name).string
        guard count > 0, let target = System.target(ofLink: path) else { return path }
        return FilePath(folder).pushing(FilePath(target)).string.resolvingLinks(toNowhere: count - 1)
    }
}

/// The folders that a user's programs keep their files in, as the XDG Base Directory Specification has them.
package struct UserFolder: Sendable {
    /// Settings: `$XDG_CONFIG_HOME/livery`, or `~/.config/livery`.
    package static let settings = UserFolder(variable: "XDG_CONFIG_HOME", standard: ".config")
    /// What can be made anew: `$XDG_CACHE_HOME/livery`, or `~/.cache/livery`.
    package static let caches = UserFolder(variable: "XDG_CACHE_HOME", standard: ".cache")

    private let variable: String
    private let standard: String

    /// The folder's path; `nil` if the environment names no such place.
    /// A variable that is unset, empty or not an absolute path does not count.
    package func path(environment: [String: String]) -> String? {
        if let base = Self.absolutePath(variable, environment) { return base + "/livery" }
        return Self.absolutePath("HOME", environment).map { "\($0)/\(standard)/livery" }
    }

    /// The path of one of its files. Without a home in the environment, it is in the user's home of record.
    package func path(to name: String, environment: [String: String]) -> String {
        let folder = path(environment: environment) ?? "\(System.homeFolder ?? "")/\(standard)/livery"
        return folder + "/" + name
    }

    private static func absolutePath(_ variable: String, _ environment: [String: String]) -> String? {
        environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
}
