// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigWire

extension EntryKind {
    /// - Throws: `invalidKey` for a name that no entry of this kind can have.
    func check(_ name: String) throws(ConfigError) {
        guard let problem = problem(inName: name) else { return }
        throw ConfigError(.invalidKey, "the key \(problem)", key: name.excerpt(ofScalars: KeyRule.maximumLength))
    }

    /// Checks each of some names.
    func check(_ names: [String]) throws(ConfigError) {
        for name in names { try check(name) }
    }

    /// - Parameter prefix: a name, or the beginning of names, which may end in a dot.
    func check(prefix: String) throws(ConfigError) {
        try check(prefix.hasSuffix(".") ? String(prefix.dropLast()) : prefix)
    }

    /// The word for an entry, such as in "no such key".
    var noun: String { self == .value ? "key" : rawValue }

    /// The member that lists changes of this kind: `changes`, `schema_changes`, `rule_changes`.
    var changesName: String { self == .value ? "changes" : "\(rawValue)_changes" }

    /// The kinds whose changes a write of one kind reports, of all kinds for `nil`: rules are removed with values.
    static func changed(with kind: EntryKind?) -> [EntryKind] {
        kind.map { $0 == .value ? [.value, .rule] : [$0] } ?? allCases
    }
}

// The shapes of JSON, for the help.
extension EntryKind {
    /// An entry as the server lists it.
    var entryShape: String {
        #"{"key": …, "\#(rawValue)": …, "revision": …, "created_at": …, "updated_at": …}"#
    }

    /// The report on a write of one kind, of all for `nil`.
    static func changesShape(of kind: EntryKind? = nil, new: String = "…") -> String {
        let kinds = changed(with: kind)
        let others = kinds.dropFirst().map { #", "\#($0.changesName)": [as changes]"# }.joined()
        let changes = #""\#(kinds[0].changesName)": [{"key": …, "old": …, "new": \#(new)}]"#
        return #"{"namespace": …, "revision": …, \#(changes)\#(others), "dry_run": …}"#
    }
}
