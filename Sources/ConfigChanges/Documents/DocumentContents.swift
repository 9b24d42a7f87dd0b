// SPDX-License-Identifier: Apache-2.0

package import ConfigModel

/// The entries of a document, as they apply to a namespace: for an import, and for a comparison.
package struct DocumentContents: Hashable, Sendable {
    package var contents: NamespaceContents
    /// The kinds that the document lists. Entries of other kinds stay as they are.
    package var kinds: Set<EntryKind>
    /// Values for those of these keys that have none.
    package var defaults: [String: EntryValue]

    package init(contents: NamespaceContents, kinds: Set<EntryKind>, defaults: [String: EntryValue] = [:]) {
        (self.contents, self.kinds, self.defaults) = (contents, kinds, defaults)
    }

    package init(of document: ConfigDocument) {
        self.init(contents: NamespaceContents(of: document), kinds: document.kinds)
    }

    /// The namespace with the document applied. Unless it replaces entries, its evaluators are added to those of the namespace.
    ///
    /// - Parameter replaces: whether entries that the document does not have are removed, of the kinds that it lists.
    package func applied(to present: NamespaceContents, replacing replaces: Bool) -> NamespaceContents {
        var (next, document) = (present, contents)
        for (key, value) in defaults where document.values[key] == nil {
            document.values[key] = present.values[key] ?? value
        }
        for kind in kinds {
            next[kind] = replaces ? document[kind] : present[kind].merging(document[kind]) { $1 }
        }
        let shared = EntryKind.sharedRules
        if !replaces, case .object(var all)? = present.rules[shared], case .object(let new)? = document.rules[shared] {
            for (name, operation) in new { all.setMember(name, to: operation) }
            next.rules[shared] = .object(all)
        }
        return next
    }

    /// The changes that an import makes to a namespace, and the number of values that stay as they are.
    ///
    /// - Parameter replaces: as above.
    package func changes(
        of present: NamespaceContents,
        replacing replaces: Bool
    ) -> (diff: ConfigDiff, unchanged: Int) {
        let diff = ConfigDiff(from: present, to: applied(to: present, replacing: replaces))
        return (diff, contents.values.count { present.values[$0.key] == $0.value })
    }
}
