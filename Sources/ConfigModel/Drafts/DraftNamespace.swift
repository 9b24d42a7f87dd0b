// SPDX-License-Identifier: Apache-2.0

/// The namespace in which the drafts and the policy of another one are stored. Clients do not see it.
///
/// It has the entry `policy`, and two for each draft: `ID.content`, which edits change, and `ID.state`, which is small, so that
/// the transaction that applies a draft writes its operations once.
package enum DraftNamespace {
    /// No name of a namespace begins with it.
    private static let prefix = "~"

    /// The namespace of the drafts of another one.
    package static func name(for namespace: String) -> String { prefix + namespace }

    /// The namespace whose drafts a namespace has; `nil` for one of a configuration.
    package static func subject(of name: String) -> String? {
        name.utf8.first == prefix.utf8.first ? String(name.dropFirst()) : nil
    }

    /// The error in a name, of a namespace or of one of drafts, as in `NamespaceRule`.
    package static func problem(in name: String) -> String? { NamespaceRule.problem(in: subject(of: name) ?? name) }

    /// Whether a text has the form of an id of a draft.
    package static func isID(_ text: String) -> Bool {
        (1...32).contains(text.utf8.count) && text.utf8.allSatisfy { $0.isSmallLetter || $0.isDigit }
    }

    /// A new id, without letters and digits that look alike.
    package static func newID() -> String {
        String((0..<newIDLength).map { _ in newIDLetters[Int.random(in: newIDLetters.indices)] })
    }

    /// Whether a text is one that ``newID()`` may return, unlike most words.
    package static func isNewID(_ text: String) -> Bool {
        text.count == newIDLength && text.allSatisfy(newIDLetters.contains)
    }

    private static let newIDLetters = Array("23456789abcdefghjkmnpqrstuvwxyz")
    private static let newIDLength = 8

    package static func contentKey(_ id: String) -> String { id + ".content" }
    package static func stateKey(_ id: String) -> String { id + ".state" }

    /// The id of the draft whose state an entry is; `nil` for any other entry.
    package static func id(ofState key: String) -> String? {
        key.hasSuffix(".state") ? String(key.dropLast(".state".count)) : nil
    }
}
