// SPDX-License-Identifier: Apache-2.0

internal import Basics
internal import SystemPackage

/// A path from the root, in text only: it may lead through symbolic links or nowhere.
package struct AbsolutePath: Sendable {
    /// The path; empty, which leads nowhere, if it was relative and the current folder no longer exists.
    package let text: String

    package init(_ path: String) {
        text = path.isAbsolutePath ? path : System.currentFolder.map { $0 + "/" + path } ?? ""
    }
}

extension AbsolutePath: Hashable {
    package static func == (left: AbsolutePath, right: AbsolutePath) -> Bool {
        ExactString(left.text) == ExactString(right.text)
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(ExactString(text)) }
}

// Paths are texts outside of this module, and FilePath, which is bytes, inside. Neither is taken apart by characters: to Swift,
// a slash and a combining mark that follows it are one character.
extension FilePath {
    /// Creates the path of a text, which may carry bytes that are not UTF-8.
    init(text: String) {
        self = text.carriesBytes ? text.withPathBytes { FilePath(platformString: $0) } : FilePath(text)
    }

    /// The path as a text.
    var text: String { withPlatformString { String(path: $0) } }
}

extension FilePath.Component {
    /// The name as a text.
    package var text: String { withPlatformString { String(path: $0) } }
}

extension String {
    /// Whether a path begins at the root.
    package var isAbsolutePath: Bool { utf8.first == UInt8(ascii: "/") }

    /// The path with the home folder in place of a `~` before the first slash, as a shell expands it.
    package func expandingHome(_ home: String?) -> String {
        guard let home, utf8.first == UInt8(ascii: "~"), utf8.count == 1 || utf8.dropFirst().first == UInt8(ascii: "/")
        else { return self }
        return home + String(Substring(utf8.dropFirst()))
    }

    /// The folder that a path names a file of.
    package var folderOfPath: String {
        let folder = FilePath(text: self).removingLastComponent()
        return folder.isEmpty ? "." : folder.text
    }

    /// The last name of a path; the path itself if it has none.
    package var fileNameOfPath: String { FilePath(text: self).lastComponent?.text ?? self }

    /// The path without links in it; where there is no file, that of its folder with the name at its end.
    ///
    /// - Parameter count: how many links that lead nowhere yet are followed to where their files would be. Linux follows 40.
    package func resolvingLinks(toNowhere count: Int = 0) -> String {
        FilePath(text: self).resolvingLinks(toNowhere: count)?.text ?? self
    }
}

extension FilePath {
    /// - Returns: `nil` if not even the folder is there.
    fileprivate func resolvingLinks(toNowhere count: Int) -> FilePath? {
        if let path = System.resolved(self) { return path }
        let folder = removingLastComponent()
        guard let name = lastComponent, let folder = System.resolved(folder.isEmpty ? "." : folder) else { return nil }
        let path = folder.appending(name)
        guard count > 0, let target = System.target(ofLink: path) else { return path }
        let next = folder.pushing(target)
        return next.resolvingLinks(toNowhere: count - 1) ?? next
    }
}

/// The folders that a user's programs keep their files in, as the XDG Base Directory Specification has them.
package struct UserFolder: Sendable {
    #if os(Linux) || os(macOS)
        private static let standards = (settings: ".config", caches: ".cache")
    #else
        // The only ones in the container of an app.
        private static let standards = (settings: "Library/Application Support", caches: "Library/Caches")
    #endif

    /// Settings: `$XDG_CONFIG_HOME/livery`, or `~/.config/livery`.
    package static let settings = UserFolder(variable: "XDG_CONFIG_HOME", standard: standards.settings)
    /// Files that can be recreated: `$XDG_CACHE_HOME/livery`, or `~/.cache/livery`.
    package static let caches = UserFolder(variable: "XDG_CACHE_HOME", standard: standards.caches)

    private let variable: String
    private let standard: String

    /// The user's home folder; `nil` if the environment names none.
    package static func home(environment: [String: String]) -> String? { absolutePath("HOME", environment) }

    /// The folder's path; `nil` if the environment names no such place, or if the program's name is not one of a folder.
    /// A variable that is unset, empty or not an absolute path does not count.
    package func path(of program: String = "livery", environment: [String: String]) -> String? {
        guard FilePath.Component(program)?.kind == .regular else { return nil }
        if let base = Self.absolutePath(variable, environment) { return "\(base)/\(program)" }
        return Self.absolutePath("HOME", environment).map { "\($0)/\(standard)/\(program)" }
    }

    /// The path of one of its files. Without a home in the environment, it is in the user's home of record.
    package func path(to name: String, environment: [String: String]) -> String {
        let folder = path(environment: environment) ?? "\(System.homeFolder ?? "")/\(standard)/livery"
        return folder + "/" + name
    }

    private static func absolutePath(_ variable: String, _ environment: [String: String]) -> String? {
        guard let path = environment[variable], path.isAbsolutePath else { return nil }
        return path.withBytes(ofVariable: variable)
    }
}

extension String {
    /// The value of an environment variable with its bytes that are not UTF-8, as in a path: Foundation replaces them, but
    /// the process still has them.
    package func withBytes(ofVariable name: String) -> String {
        guard unicodeScalars.contains("\u{FFFD}"), let own = System.variable(name) else { return self }
        return ExactString(String(decoding: own.pathBytes, as: UTF8.self)) == ExactString(self) ? own : self
    }
}
