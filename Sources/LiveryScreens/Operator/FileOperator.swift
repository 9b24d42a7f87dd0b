// SPDX-License-Identifier: Apache-2.0

package import ConfigChanges
package import ConfigModel
import Files
import RemoteConfig

/// The operator of a JSON file, which it edits in place: what is not changed stays as it is written. It reads and writes on
/// other threads, since another program may have locked the folder.
package struct FileOperator: SourceOperator {
    package let abilities: OperatorAbilities
    private let path: String

    package init(path: String) {
        self.path = path
        var abilities = OperatorAbilities.all
        abilities.refuse([.history, .rollback], "a file has no history; publish to a server to record revisions")
        abilities.refuse([.drafts], "a file has no drafts; publish to a server to review changes", isHidden: true)
        if DocumentFormat(ofFile: path) != .json {
            abilities.refuse(OperatorAction.writes, "only JSON files can be edited here; edit \(path) in an editor")
        }
        self.abilities = abilities
    }

    package func details(of key: String) async throws(ConfigError) -> KeyDetails {
        KeyDetails(key: key, in: try await read())
    }

    package func contents(at revision: UInt64?) async throws(ConfigError) -> SourceContents {
        if revision != nil { try require(.history) }
        return SourceContents(try await read())
    }

    package func schemaNames() async throws(ConfigError) -> Set<String> {
        try await FileThread.run { () throws(ConfigError) -> Set<String> in
            // A plain document has no schemas, and a look for the mark of an exact one is quicker than reading it.
            guard let bytes = try bytes() else { return [] }
            if DocumentFormat(ofFile: path) == .json, try !ExactForm.marks(JSONScanner(bytes)) { return [] }
            return Set(try load().contents.schemas.keys)
        }
    }

    package func check(_ changes: ConfigDiff) async throws(ConfigError) -> ChangeReport {
        try require(.edit)
        return try await FileThread.run { () throws(ConfigError) -> ChangeReport in
            let (text, present) = try load()
            let report = present.report(on: changes)
            if report.isAccepted { _ = try edited(text, by: changes) }
            return report
        }
    }

    package func publish(_ changes: ConfigDiff, message: String?, expecting: UInt64?) async throws(ConfigError)
        -> PublishResult
    {
        try require(.edit)
        return try await FileThread.run { () throws(ConfigError) -> PublishResult in
            let file = AtomicFile(path: path, keepsAccess: true)
            return try file.withLock(failing: ConfigError.init) { () throws(ConfigError) in
                let (text, present) = try load()
                let conflicts = changes.conflicts(with: present.held)
                if !conflicts.isEmpty { return .conflict(conflicts) }
                try present.check(changes)
                let bytes = try edited(text, by: changes)
                try ConfigError.catching(try file.replace(with: bytes))
                return .published(OperatorReceipt(revision: nil, count: changes.changes.count))
            }
        }
    }
}

extension FileOperator {
    private func read() async throws(ConfigError) -> NamespaceContents {
        try await FileThread.run { () throws(ConfigError) in try load().contents }
    }

    private func load() throws(ConfigError) -> (text: DocumentText, contents: NamespaceContents) {
        // The first key creates the file.
        guard let bytes = try bytes() else { return (DocumentText(Array("{}\n".utf8)), NamespaceContents()) }
        let document = try DocumentFormat(ofFile: path).document(bytes, source: path)
        return (DocumentText(bytes), NamespaceContents(of: document))
    }

    /// The bytes of the file; `nil` if it does not exist.
    private func bytes() throws(ConfigError) -> [UInt8]? {
        do throws(FileError) {
            return try FileContent(reading: path, atMost: ConfigDocument.maximumBytes).bytes
        } catch {
            if error.isMissing { return nil }
            throw ConfigError(.unreadable, "cannot read the file: \(error.reason)", source: path, underlying: error)
        }
    }

    private func edited(_ text: DocumentText, by changes: ConfigDiff) throws(ConfigError) -> [UInt8] {
        var text = text
        try text.apply(changes, source: path)
        return text.bytes
    }
}
