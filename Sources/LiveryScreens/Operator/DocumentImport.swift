// SPDX-License-Identifier: Apache-2.0

package import ConfigChanges
import ConfigModel
import ConfigSchemas
import Files
import RemoteConfig
import TerminalUI

/// The effect of importing a document: keys that it does not have are left unchanged, as by `livery import`.
package struct DocumentImport: Sendable {
    package var changes: ConfigDiff
    /// The number of values that are as in the document already.
    package var unchanged: Int
    package var leftOut: LeftOutKeys

    /// The numbers of keys, and the reasons why others are skipped.
    var summary: [String] {
        ImportSummary.lines(changes, unchanged: unchanged, leftOut: leftOut).map { $0.sanitized() }
    }
}

extension SourceOperator {
    /// Reads a document on this machine, and compares it with the source. Nothing is written.
    func changes(importing path: String, of files: ImportFiles) async throws(ConfigError) -> DocumentImport {
        try require(.edit)
        let document = try await FileThread.run { () throws(ConfigError) -> ConfigDocument in
            let path = path.expandingHome(files.home)
            let document = try ConfigDocument(importedFrom: path)
            files.recent?.add(AbsolutePath(path).text)
            return document
        }
        let present = try await contents(at: nil).contents
        let contents = DocumentContents(of: document)
        try contents.refuseReplacedEvaluators(of: present)
        let (changes, unchanged) = contents.changes(of: present, replacing: false)
        return DocumentImport(changes: changes, unchanged: unchanged, leftOut: LeftOutKeys(of: document))
    }
}

extension ConfigDocument {
    /// - Throws: the error in the document with its place, or all errors in its schemas.
    fileprivate init(importedFrom path: String) throws(ConfigError) {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try FileContent.bytes(at: path, atMost: Self.maximumBytes)
        } catch {
            throw ConfigError(.unreadable, "cannot read the file: \(error.reason)", source: path, underlying: error)
        }
        let format = DocumentFormat(ofFile: path)
        if let json = format.json(of: bytes) { try ForeignExport.refuse(json, source: path) }
        self = try format.document(bytes, source: path)
        do throws(SchemaError) {
            _ = try SchemaSet(schemas)
        } catch {
            throw ConfigError(.rejected, error.description, source: path)
        }
    }
}

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
