// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
internal import Files

/// A folder in which each file is one value, as Kubernetes mounts a ConfigMap or a Secret, and Docker its secrets.
///
/// ```swift
/// let source = FolderSource(path: "/etc/config")      // /etc/config/app.title has the value of app.title
/// ```
///
/// The key is the name of the file; for a file in a subfolder, the folder's name and a dot precede it. The value is the text of
/// the file without one final line break, or its JSON value. Names that begin with a dot are ignored.
///
/// Kubernetes replaces the whole content at once, by a link named `..data`. Such a swap is one change, and a reading has
/// the content from before or after it and never of both. In a folder without that link, a change counts once nothing
/// has been written for a moment, since a text that is half-way looks like any other.
///
/// A file that is not a value (an invalid key as its name, no UTF-8, more than 65,535 bytes) is left out and reported, and the
/// others are used. Changes in subfolders, or behind links that lead elsewhere, are noticed together with the next change of
/// the folder itself; so are, on macOS, files that are written in place.
public struct FolderSource: ActiveSource {
    /// The path as the user gave it.
    public let name: String
    /// Hints come as the folder changes.
    public let delivery = SourceDelivery.watched
    private let hasJSON: Bool
    private let followed: FollowedPath

    /// The number of times that a folder replaced during a read is read again before the next hint.
    private static let attempts = 4

    /// Creates a source for a folder, which need not exist.
    ///
    /// - Parameters:
    ///   - path: absolute, or relative to the current folder, which is resolved now.
    ///   - hasJSON: whether a file is JSON: any value but `null`. Otherwise the value is its text.
    public init(path: String, hasJSON: Bool = false) {
        (name, self.hasJSON) = (path, hasJSON)
        followed = FollowedPath(path, isFolder: true)
    }

    /// The interpretation of files, and the absolute path.
    public var identity: String {
        "folder of \(hasJSON ? "json" : "text") \(followed.path.text.isEmpty ? name : followed.path.text)"
    }

    /// Reads the whole folder, whatever position is known. Each entry has its file as its source.
    ///
    /// - Throws: `notFound`, `unreadable`, `tooLarge` beyond 10,000 names or 8 MiB; `unavailable` if it is replaced again
    ///   and again.
    public func read(after known: SourcePosition) async throws(ConfigError) -> SourceReading {
        for _ in 0..<Self.attempts {
            let before = state
            let result = Result { () throws(ConfigError) in try content() }
            if before == state { return try result.get() }
        }
        let message = "the folder is being replaced; retrying afterwards"
        throw ConfigError(.unavailable, message, source: name)
    }

    /// The state that changes with a name in the folder or with the target of `..data`.
    private var state: [FileState?] {
        [FileState(path: path), FileState(path: path + "/..data", followsLink: false)]
    }

    private var path: String { followed.path.text }

    /// The folder that the files are in.
    private var data: (path: String, isSwapped: Bool) {
        let target = FileState(path: path + "/..data") == nil ? nil : path + "/..data"
        return (target?.resolvingLinks() ?? path, target != nil)
    }

    private func content() throws(ConfigError) -> SourceReading {
        var reader = FolderReader(name: name, hasJSON: hasJSON)
        try reader.read(data.path)
        return reader.reading
    }

    /// Passes on hints: those of a settled folder, the first one, and all if changes are atomic.
    public func follow(after known: SourcePosition, _ receive: SourceReceiver) async throws(ConfigError) {
        var isFirst = true
        for await hint in followed.hints(on: known.queue) {
            if hint == .settled || isFirst || data.isSwapped { await receive(.hint(hint)) }
            isFirst = false
        }
    }

    /// Whether nothing has changed since the last hint that the folder has settled.
    package func isSettled() -> Bool { followed.isSettled() }

    /// Whether the system reports every change; otherwise new and replaced files are noticed within a second.
    package func reportsEveryChange() -> Bool { followed.reportsEveryChange() }
}
