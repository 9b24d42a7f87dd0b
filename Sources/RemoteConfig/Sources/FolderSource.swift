// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
internal import Essentials
internal import Files

/// A folder in which each file is one value, as Kubernetes mounts a ConfigMap or a Secret, and Docker its secrets.
///
/// ```swift
/// let source = FolderSource(path: "/etc/config")      // /etc/config/app.title has the value of app.title
/// ```
///
/// The key is the name of the file; that of a file in a folder below has the folder's name before it, with a dot in
/// between. The value is the text of the file without one final line break, or what it says as JSON. Names that begin
/// with a dot are passed over.
///
/// Kubernetes replaces the whole content at once, by a link named `..data`. Such a swap is one change, and a reading has
/// the content from before or after it and never of both. In a folder without that link, a change counts once nothing
/// has been written for a moment, since a text that is half-way looks like any other.
///
/// A file that is no value (a name that is no key, no UTF-8, more than 65,535 bytes) is left out and told, and the others
/// count. What changes in folders below, or behind links that lead elsewhere, is noticed together with the next change of
/// the folder itself; so are, on macOS, files that are written in place.
public struct FolderSource: ConfigSource {
    /// How the text of a file is read.
    public enum Values: Hashable, Sendable {
        /// As it is, without one final line break: every value is a string.
        case text
        /// As JSON: any value but `null`.
        case json
    }

    /// The path as the user gave it.
    public let name: String
    /// Hints come as the folder changes.
    public let delivery = SourceDelivery.watched
    private let values: Values
    private let followed: FollowedPath

    /// How often a folder that is replaced meanwhile is read again before the next hint is waited for.
    private static let attempts = 4

    /// Creates a source for a folder, which need not exist.
    ///
    /// - Parameters:
    ///   - path: absolute, or relative to the current folder, which is resolved now.
    ///   - values: how the files are read.
    public init(path: String, values: Values = .text) {
        (name, self.values) = (path, values)
        followed = FollowedPath(path, isFolder: true)
    }

    /// How files are read, and the absolute path.
    public var identity: String { "folder of \(values) \(followed.path.text.isEmpty ? name : followed.path.text)" }

    /// Reads the folder whole, whatever is known. Each entry names its file as its source.
    ///
    /// - Throws: `notFound`, `unreadable`, `tooLarge` beyond 10,000 names or 8 MiB; `unavailable` if it is replaced again
    ///   and again.
    public func read(after known: SourcePosition) async throws(ConfigError) -> SourceReading {
        for _ in 0..<Self.attempts {
            let before = state
            let result = Result { () throws(ConfigError) in try content() }
            if before == state { return try result.get() }
        }
        let message = "the folder is being replaced; it is read again when that is over"
        throw ConfigError(.unavailable, message, source: name)
    }

    /// What changes when a name in the folder does, or what `..data` leads to.
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
        var reader = FolderReader(name: name, values: values)
        try reader.read(data.path)
        return reader.reading
    }

    /// Passes on hints: those that the folder has come to rest, the first, and all where a change is whole at once.
    public func follow(after known: SourcePosition, _ receive: SourceReceiver) async throws(ConfigError) {
        var isFirst = true
        for await hint in followed.hints(on: known.queue) {
            if hint == .settled || isFirst || data.isSwapped { await receive(.hint(hint)) }
            isFirst = false
        }
    }

    /// Whether nothing has moved since the last hint that the folder has settled.
    public func isSettled() -> Bool { followed.isSettled() }

    /// Whether the system reports every change; otherwise new and replaced files are noticed within a second.
    public func reportsEveryChange() -> Bool { followed.reportsEveryChange() }
}
