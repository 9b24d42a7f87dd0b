// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import TerminalUI

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
