// SPDX-License-Identifier: Apache-2.0

/// The revisions to compare.
struct DiffStart: Hashable, Sendable {
    /// `nil` for the current state.
    var from: UInt64?
    var to: UInt64
    /// The key whose value, rule and schema are compared, or the name of a schema or a rule; `nil` for all.
    var name: String?
    /// The key of the entry (`EntryKind.key(of:)`) whose change the cursor begins on.
    var first: String?
    /// The author, the time and the message of the later revision.
    var note = ""
    /// Whether this is the question whether the second one is restored.
    var isRestored = false
}
