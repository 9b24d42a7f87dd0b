internal import SystemPackage

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// A path from the root, in text only: it may lead through symbolic links or nowhere.
package struct AbsolutePath: Hashable, Sendable {
    /// The path; empty, which leads nowhere, if it was relative and the current folder is gone.
    package let text: String

    package init(_ path: String) {
        if path.hasPrefix("/") {
            text = path
        } else {
            text = Self.currentFolder().map { $0 + "/" + path } ?? ""
        }
    }

    private static func currentFolder() -> String? {
        guard let buffer = getcwd(nil, 0) else { return nil }
        defer { free(buffer) }
        let folder = String(cString: buffer)
        // Linux says "(unreachable)" of a folder that is mounted nowhere any more.
        return folder.hasPrefix("/") ? folder : nil
    }
}

extension String {
    /// The folder that a path names a file of.
    package var folderOfPath: String {
        guard let slash = lastIndex(of: "/") else { return "." }
        return slash == startIndex ? "/" : String(self[..<slash])
    }

    /// The path without links in it; where there is no file, that of its folder with the name at its end.
    package var resolvingLinks: String {
        if let path = Self.resolved(self) { return path }
        guard let name = FilePath(self).lastComponent, let folder = Self.resolved(folderOfPath) else { return self }
        return FilePath(folder).appending(name).string
    }

    private static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
