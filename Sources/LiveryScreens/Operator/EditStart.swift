// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import TerminalUI

/// The key that an editor is opened for.
struct EditStart: Hashable, Sendable {
    var key: String
    /// Whether the value is opened in the user's editor at once.
    var isExternal = false
}

/// Changes for a person to review before they are written.
struct Proposal: Hashable, Sendable {
    /// The effect of the changes, from which the report on them follows.
    enum Action: Hashable, Sendable {
        case publish, remove, undo, importFile, rule, finishRollout
        /// Restore a revision.
        case restore(UInt64)
        /// Give a key another name, or copy it.
        case rename(String), duplicate(String)
    }

    /// The action, such as `Undo revision 42`.
    var title: String
    var changes: ConfigDiff
    /// The proposed message for the history.
    var message = ""
    /// Sentences on what the changes leave out.
    var notes: [String] = []
    var action = Action.publish
    /// The revision that the source must still have.
    var expected: UInt64?
}

extension Proposal {
    var request: OperatorRequest { .publish(changes, message: message.isEmpty ? nil : message, expecting: expected) }

    /// The same for all reviews that a typed message is kept for: those of one action on the same entries.
    var outline: Proposal {
        let entries = changes.changes.map { KeyChange(key: $0.key, kind: $0.kind, old: nil, new: .null) }
        return Proposal(title: "", changes: ConfigDiff(entries), action: action)
    }

    /// The effect of the undo of the write, such as `u restores it`.
    var wayBack: String {
        let verb = action == .undo ? "redoes" : action == .remove ? "restores" : "undoes"
        return "u \(verb) \(subject == nil ? "them" : "it")"
    }

    /// The report on the write, such as `Removed app.a as revision 13`.
    func news(_ receipt: OperatorReceipt) -> String {
        "\(done) \(receipt.revision.map { "as revision \($0)" } ?? "in the file")"
    }

    private var done: String {
        let name = subject ?? changes.changes.count.grouped(of: "change")
        let new = changes.changes.first { $0.new != nil }?.key ?? ""
        return switch action {
        case .publish, .rule: "Published \(name)"
        case .remove: "Removed \(name)"
        case .undo: "Undone"
        case .importFile: "Imported \(name)"
        case .finishRollout: "Finished the rollout of \(changes.changes.first?.key ?? "")"
        case .restore(let revision): "Restored \(name) to revision \(revision)"
        case .rename(let key): "Renamed \(key) to \(new)"
        case .duplicate(let key): "Duplicated \(key) to \(new)"
        }
    }

    /// The name of the changed key; `nil` for several.
    private var subject: String? {
        guard let first = changes.changes.first, changes.changes.allSatisfy({ $0.key == first.key }) else { return nil }
        return changes.changes.count == 1 ? first.kind.label + first.key : first.key
    }
}

/// A text for the user's editor.
struct ExternalEdit: Hashable, Sendable {
    /// The key, which names the file.
    var key: String
    var text: String
    /// Whether the text is JSON, and not a string.
    var isJSON: Bool
    /// The type of a text that is not JSON now; `nil` for a string.
    var type: TextType?

    /// The result of an edit.
    struct Outcome: Hashable, Sendable {
        var key: String
        /// The text, or the reason why there is none, as after a crash of the editor.
        var result: Result<String, ConfigError>
    }
}

extension ExternalEdit {
    /// A value as a text: a string as it is, anything else as JSON with a line for each part.
    init(key: String, value: EntryValue?) {
        self.key = key
        if case .string(let text)? = value {
            (self.text, isJSON) = (text, false)
        } else {
            (text, isJSON) = (value?.prettyJSON ?? "", true)
        }
    }

    /// The value of an edited text.
    ///
    /// - Throws: the error in the JSON, with its place.
    func value(of edited: String) throws(ConfigError) -> EntryValue {
        if isJSON { return try EntryValue(json: Array(edited.utf8)) }
        // Editors end a text with a line break.
        let isOnlyEnd = edited.hasSuffix("\n") && !text.hasSuffix("\n")
        return try (type ?? TextType(.string)).value(of: isOnlyEnd ? String(edited.dropLast()) : edited)
    }
}
