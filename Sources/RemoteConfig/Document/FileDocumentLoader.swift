public import ConfigModel

/// Keeps a document in a file that only the user may read.
///
/// The file is replaced whole and survives a loss of power: a temporary file is written, flushed and renamed.
public struct FileDocumentLoader: LocalDocumentLoader {
    private let path: String
    private let disk: any CacheDisk

    /// Names the file; nothing is touched yet.
    ///
    /// - Parameter path: an absolute path; its folder is made when there is something to keep.
    public init(path: String) {
        self.init(path: path, disk: SystemDisk())
    }

    package init(path: String, disk: any CacheDisk) {
        self.path = path
        self.disk = disk
    }

    /// The content of the file; `nil` if there is none.
    ///
    /// - Throws: `unreadable` if the system does not let it be read, `tooLarge` above 8 MiB.
    public func fetch() throws(ConfigError) -> [UInt8]? {
        do throws(CacheDiskError) {
            let limit = ConfigDocument.maximumBytes
            guard let bytes = try disk.read(path, from: 0, atMost: limit + 1) else { return nil }
            if bytes.count <= limit { return bytes }
        } catch {
            throw ConfigError(.unreadable, "the kept document cannot be read", source: path, underlying: error)
        }
        throw ConfigError(.tooLarge, "the kept document is larger than 8 MiB; delete it", source: path)
    }

    /// Replaces the file.
    ///
    /// - Throws: `unreadable` if the system does not let it be written; the file is what it was then.
    public func persist(_ document: [UInt8]) throws(ConfigError) {
        do throws(CacheDiskError) {
            try disk.makeFolder(folder)
            try disk.locked(path + ".lock") { () throws(CacheDiskError) in
                let temporary = path + ".new"
                try disk.create(temporary)
                try disk.append(document, to: temporary, at: 0)
                try disk.flush(temporary)
                try disk.move(temporary, to: path)
                try disk.flushFolder(folder)
            }
        } catch {
            let message = "the document cannot be kept for the next start: \(error)"
            throw ConfigError(.unreadable, message, source: path, underlying: error)
        }
    }

    private var folder: String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
