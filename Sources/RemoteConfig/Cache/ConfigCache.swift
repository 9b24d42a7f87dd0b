// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
public import ConfigRules
package import Files

/// The storage of the last good state of each source for the next start.
///
/// There is one file for each app, source (``ConfigSource/identity``) and, where the values depend on it, context
/// (``ConfigSource/dependsOnContext``). Both the name of the file and its content have the hash of the three, so that no
/// app starts with the values of another app, source or user. Only the user can read the files. Processes of one app may
/// share a file: they take turns, and none writes an older revision over a newer one. Of the contexts of a source, the 32
/// whose values were written last are kept: a file of another context replaces the oldest.
///
/// ```swift
/// let environment = ProcessInfo.processInfo.environment
/// let cache = ConfigCache(app: "org.example.shop", version: "1.4.0", environment: environment)
/// let service = RemoteConfigService(source: source, cache: cache)
/// ```
public struct ConfigCache: Sendable {
    /// The identifier of the app, which distinguishes it from others that share the folder.
    public let app: String
    /// The version of the app, which is written into the files.
    public let version: String
    /// The folder.
    public let folder: String
    package var disk: any Disk = SystemDisk()

    /// Describes a cache; nothing is touched until a service uses it.
    ///
    /// - Parameters:
    ///   - app: The identifier of the app, such as `org.example.shop`. Programs with the same identifier share their files.
    ///   - version: The version of the app.
    ///   - folder: An absolute path; it is made, for the user alone, when there is something to keep.
    public init(app: String, version: String, folder: String) {
        (self.app, self.version, self.folder) = (app, version, folder)
    }

    /// Describes the app's folder in the user's cache: `$XDG_CACHE_HOME/APP`, or `~/.cache/APP`.
    ///
    /// - Parameters:
    ///   - app: The identifier of the app, which is the name of the folder.
    ///   - version: The version of the app.
    ///   - environment: The environment of the process.
    /// - Returns: `nil` if the environment names no such place, or if the identifier cannot be the name of a folder.
    public init?(app: String, version: String, environment: [String: String]) {
        guard let folder = UserFolder.caches.path(of: app, environment: environment) else { return nil }
        self.init(app: app, version: version, folder: folder)
    }

    /// The file of a source.
    ///
    /// The format's number is part of the name, so that programs with different formats use different files.
    ///
    /// - Parameters:
    ///   - identity: The ``ConfigSource/identity`` of the source.
    ///   - context: The context, where the values of the source depend on it (``ConfigSource/dependsOnContext``): an
    ///     empty one for a service without a context, otherwise with its standard attributes
    ///     (``RemoteConfigService/context``).
    public func path(ofSource identity: String, in context: EvaluationContext? = nil) -> String {
        let source = "\(folder)/\(key(ofSource: identity, in: nil).prefix(32))"
        let end = context.map { "-\(key(ofSource: identity, in: $0).prefix(32))" } ?? ""
        return source + end + Self.ending
    }

    private static let ending = ".v\(CacheLog.format).cache"

    /// The maximum number of files of a source, one for each context.
    static let maximumContexts = 32

    /// Removes the oldest files of the contexts of a source, beyond the maximum number. A process that uses one of them
    /// writes it again with its next change; one that is being written stays.
    ///
    /// - Parameter path: The file of the current context.
    func removeOldContexts(ofSource identity: String, besides path: String) throws(FileError) {
        let start = Array("\(key(ofSource: identity, in: nil).prefix(32))-".utf8)
        let files = try Folder.names(at: folder)
            .filter { $0.utf8.starts(with: start) && $0.hasSuffix(Self.ending) }
            .map { "\(folder)/\($0)" }
            .filter { $0 != path }
            .compactMap { path in FileState(path: path).map { (path: path, modified: $0.modified) } }
            .sorted { $0.modified < $1.modified }
        for file in files.dropLast(Self.maximumContexts - 1) {
            let lock = file.path + ".lock"
            do throws(FileError) {
                try disk.locked(lock, patience: .zero) { () throws(FileError) in
                    for path in [file.path, file.path + ".new", file.path + ".set-aside", lock] { Folder.remove(path) }
                }
            } catch {
                if !error.isInUse { throw error }
            }
        }
    }

    /// The hash of everything that cached values depend on, as 64 hexadecimal digits: addresses and contexts are not stored
    /// as plain text.
    func key(ofSource identity: String, in context: EvaluationContext?) -> String {
        let parts: [EntryValue] = [.string(app), .string(identity)] + (context.map { [.object($0.members)] } ?? [])
        return SHA256.hexadecimal(of: EntryValue.array(parts).canonicalJSON)
    }
}
