// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
package import Files

/// Where the last good state of each source is kept for the next start.
///
/// One file a source, named after the source's identity, readable by the user alone. Programs may share the folder:
/// they take turns at a file, and none writes an older revision over a newer one.
///
/// ```swift
/// let service = SyncService(source: source, cache: ConfigCache(programVersion: "1.4.0"))
/// ```
public struct ConfigCache: Sendable {
    /// The folder.
    public let folder: String
    /// The version of the program, which is written into the files.
    public let programVersion: String
    package var disk: any Disk = SystemDisk()

    /// Describes a cache; nothing is touched until a service uses it.
    ///
    /// - Parameters:
    ///   - folder: an absolute path; it is made, for the user alone, when there is something to keep.
    ///   - programVersion: the version of the program.
    public init(folder: String, programVersion: String) {
        (self.folder, self.programVersion) = (folder, programVersion)
    }

    /// Describes the user's cache: `$XDG_CACHE_HOME/livery`, or `~/.cache/livery`.
    ///
    /// - Returns: `nil` if the environment names no such place.
    public init?(environment: [String: String], programVersion: String) {
        guard let folder = UserFolder.caches.path(environment: environment) else { return nil }
        self.init(folder: folder, programVersion: programVersion)
    }

    /// The file of a source.
    ///
    /// The format's number is part of the name, so that a newer program's file is not in an older one's way.
    public func path(ofSource identity: String) -> String {
        let digits = SHA256.hexadecimal(of: identity).prefix(32)
        return "\(folder)/\(digits).v\(CacheLog.format).cache"
    }
}
