// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import ConfigRules
import TerminalUI

/// The entries of a document, as they apply to a namespace. `livery import` and `livery diff` both apply it.
struct DocumentContents: Hashable, Sendable {
    var contents: NamespaceContents
    /// The kinds that the document lists. Entries of other kinds stay as they are.
    var kinds: Set<EntryKind>
    /// Values for those of these keys that have none.
    var defaults: [String: EntryValue] = [:]

    /// The namespace with the document applied.
    ///
    /// - Parameter replaces: whether entries that the document does not have are removed, of the kinds that it lists.
    func applied(to present: NamespaceContents, replacing replaces: Bool) -> NamespaceContents {
        var (next, document) = (present, contents)
        for (key, value) in defaults where document.values[key] == nil {
            document.values[key] = present.values[key] ?? value
        }
        for kind in kinds {
            next[kind] = replaces ? document[kind] : present[kind].merging(document[kind]) { $1 }
        }
        return next
    }
}

extension DocumentContents {
    init(of document: ConfigDocument) { self.init(contents: NamespaceContents(of: document), kinds: document.kinds) }

    init(of file: FlagdFile) {
        let contents = NamespaceContents(values: file.values, rules: ConfigRule.namingBucketing(in: file.rules))
        self.init(contents: contents, kinds: [.value, .rule], defaults: file.defaults)
    }
}

extension NamespaceContents {
    /// The number of entries of all kinds.
    private var count: Int { EntryKind.allCases.reduce(0) { $0 + self[$1].count } }

    /// Refuses changes that remove every key, or every entry of a namespace without keys.
    ///
    /// - Parameter action: what makes the changes, such as `--replace`.
    /// - Throws: `rejected`.
    func refuseRemovingAll(_ changes: ConfigDiff, by action: String) throws(ConfigError) {
        let what: String
        if changes.removed > 0, changes.removed == values.count {
            what = values.count == 1 ? "the only key" : "all \(values.count.grouped) keys"
        } else if !changes.isEmpty, changes.changes.allSatisfy({ $0.new == nil }), changes.changes.count == count {
            what = "all schemas and rules"
        } else {
            return
        }
        let reason = "nothing was written: \(action) would remove \(what) of the namespace"
        throw ConfigError(.rejected, "\(reason); if intended, add \(RemovalOptions.flag)")
    }
}

extension ViolationMessage {
    /// The violation in one line that is safe on any terminal.
    var line: String { words.sanitized() }
}
