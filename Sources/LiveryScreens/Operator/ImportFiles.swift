// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Files

/// The files that a user can import.
struct ImportFiles: Sendable {
    /// The folder that replaces `~` in paths.
    var home: String?
    /// The files that were imported before; `nil` where they are not remembered.
    var recent: RecentSources?

    /// The recent files for an empty path, or the names with which a path can go on.
    func completion(of path: String) throws(ConfigError) -> PathCompletion {
        if path.isEmpty { return PathCompletion(paths: recent?.names() ?? []) }
        do throws(FileError) {
            return try PathCompletion(of: path, home: home)
        } catch {
            throw ConfigError(.unreadable, "cannot read the folder: \(error.reason)", source: path, underlying: error)
        }
    }
}

extension ImportFiles {
    init(environment: [String: String]) {
        home = UserFolder.home(environment: environment)
        recent = RecentSources(environment: environment, file: "imports.json")
    }
}
