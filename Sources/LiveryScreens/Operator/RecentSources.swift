// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Files

/// The sources that were followed before, or the files that were imported, the latest first, in a file of the user.
package struct RecentSources: Sendable {
    private let file: AtomicFile

    private static let most = 16
    private static let maximumBytes = 64 * 1024

    /// - Parameter name: the name of the file in `$XDG_CONFIG_HOME/livery`.
    package init(environment: [String: String], file name: String = "sources.json") {
        file = AtomicFile(path: UserFolder.settings.path(to: name, environment: environment))
    }

    /// None, if the file cannot be read: the list is a convenience.
    func names() -> [String] {
        guard let content = try? FileContent(reading: file.path, atMost: Self.maximumBytes),
            let names = try? EntryValue(json: content.bytes)
        else { return [] }
        return names.elements(as: String.self) ?? []
    }

    /// Adds a source as the latest one. A failed write loses no more than a line of the list.
    func add(_ name: String) {
        let former = names()
        let names = ([name] + former.filter { !$0.hasSameScalars(as: name) }).prefix(Self.most)
        guard names.map(ExactString.init(_:)) != former.map(ExactString.init(_:)) else { return }
        try? file.replace(with: Array(EntryValue.array(names.map(EntryValue.string)).canonicalJSON.utf8))
    }
}
