#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

extension WatchPlan {
    /// The plan for a path in the file system as it is now.
    init(for path: AbsolutePath) {
        self.init(for: path.text, inspect: Component.init(at:))
    }
}

extension WatchPlan.Component {
    /// What stands at a path, without following a link there. What may not be looked at counts as missing.
    fileprivate init(at path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            self = .missing
            return
        }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: self = .folder
        case S_IFLNK: self = Self.target(of: path).map(Self.link(to:)) ?? .missing
        default: self = .file
        }
    }

    private static func target(of path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
    }
}
