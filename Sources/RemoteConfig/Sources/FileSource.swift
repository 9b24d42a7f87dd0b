public import ConfigModel
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// A JSON document in a file, followed as it changes.
///
/// In-place writes, an editor's rename, swaps of symbolic links anywhere on the path, delete and re-create are all
/// noticed, and a file that is not there yet is waited for. Following costs nothing while nothing changes.
///
/// The file is looked at every second as well where the system does not tell of every change: on NFS, SMB, FUSE, 9p and
/// their like, and on an overlay, whose lower folder may be written to (``tellsOfEveryChange()``). What is written
/// through a shared mapping (`mmap`) is told of once the mapping is given up, or seen by such a look: no system tells of
/// it earlier.
public struct FileSource: ConfigSource {
    /// The path as the user gave it.
    public let name: String
    /// Hints come as the file changes.
    public let delivery = SourceDelivery.watched
    private let path: AbsolutePath
    private let following = Following()

    /// Who follows the file for the newest hints.
    private final class Following: Sendable {
        let watcher = Mutex<FileWatcher?>(nil)
    }

    /// Creates a source for a file, which need not exist.
    ///
    /// - Parameter path: absolute, or relative to the current folder, which is resolved now.
    public init(path: String) {
        name = path
        self.path = AbsolutePath(path)
    }

    /// The absolute path.
    public var identity: String { path.text.isEmpty ? name : path.text }

    /// Reads the file whole, whatever is known.
    ///
    /// - Throws: `notFound`, `unreadable`, `tooLarge`, or what ``ConfigDocument`` finds wrong with its content.
    public func read(after known: SourcePosition) async throws(ConfigError) -> SourceReading {
        do throws(ConfigError) {
            let content = try FileContent(reading: path)
            let document = try ConfigDocument(json: content.bytes, source: name)
            return SourceReading(.document(document), modifiedAt: content.modifiedAt)
        } catch {
            throw error.naming(source: name)
        }
    }

    /// A hint for each movement of the file, and one when it has come to rest.
    public func hints() -> AsyncStream<SourceHint> {
        let (hints, continuation) = AsyncStream.makeStream(of: SourceHint.self, bufferingPolicy: .bufferingNewest(1))
        let watcher = FileWatcher(path: path) { hint in continuation.yield(hint) }
        continuation.onTermination = { _ in watcher.cancel() }
        following.watcher.withLock { $0 = watcher }
        return hints
    }

    /// Passes on the newest of the ``hints()``.
    public func follow(after known: SourcePosition, _ receive: SourceReceiver) async throws(ConfigError) {
        for await hint in hints() { await receive(.hint(hint)) }
    }

    /// Whether the path has led to the same file with the same content since the last hint that it has settled.
    public func isAtRest() -> Bool {
        following.watcher.withLock { $0?.isAtRest() ?? true }
    }

    /// Whether the system tells of every change; otherwise it is noticed within a second.
    public func tellsOfEveryChange() -> Bool {
        following.watcher.withLock { $0?.hearsEveryChange() ?? true }
    }
}

/// A path from the root, in text only: it may lead through symbolic links or nowhere.
struct AbsolutePath: Hashable, Sendable {
    /// The path; empty, which leads nowhere, if it was relative and the current folder is gone.
    let text: String

    init(_ path: String) {
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
