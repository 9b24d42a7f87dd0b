// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigWire
import TerminalUI

/// A text to type, by its use.
enum Prompt: Hashable, Sendable {
    /// The name of a file to save a text to; the proposed one is there.
    case save(SaveRequest)
    /// The context to evaluate rules in, with the recent ones.
    case context(current: String, recent: [String])
    /// A variant with its value.
    case variant(String)
    /// The attribute that divides users.
    case attribute(String, choices: [String])
    /// The name of a key that is added, renamed or copied.
    case name(NamePurpose, proposed: String)
    /// The path of a file to import.
    case importFile
    /// The text of the next step of a draft of the server.
    case draft(DraftPrompt)
}

/// A text that belongs to the next step of a draft.
enum DraftPrompt: Hashable, Sendable {
    /// The reason of a rejection.
    case reject(id: String, digest: String)
    /// The time at which it is applied, with the current one.
    case schedule(id: String, version: Int, time: String)
    /// The reason of its end.
    case close(id: String)

    /// The request for a text; an empty one is none.
    func change(_ text: String) -> DraftChange {
        let text = text.isEmpty ? nil : text
        return switch self {
        case .reject(let id, let digest):
            .review(id: id, ReviewRequest(digest: digest, verdict: .reject, comment: text))
        case .schedule(let id, let version, _): .schedule(id: id, version: version, time: text)
        case .close(let id): .close(id: id, reason: text)
        }
    }

    /// The question before the request: Enter may end a word that was typed on.
    func question(_ text: String) -> String {
        switch self {
        case .reject(let id, _): "Reject draft \(id)?"
        case .schedule(let id, _, _):
            text.isEmpty ? "Remove the time of draft \(id)?" : "Apply draft \(id) at \(text)?"
        case .close(let id): "Close draft \(id)? It cannot be opened again."
        }
    }

    fileprivate var form: PromptForm {
        switch self {
        case .reject(let id, _):
            let help = "The reason, which the author reads; empty for none."
            return PromptForm(title: "Reject draft \(id)", verb: "Reject", field: TextField(), help: help)
        case .schedule(let id, _, let time):
            let help = "Such as 2027-03-28T09:00:00[Europe/Berlin]; empty to apply it by hand. This ends its approvals."
            let field = TextField(selecting: time)
            return PromptForm(title: "Schedule draft \(id)", verb: "Schedule", field: field, help: help)
        case .close(let id):
            let help = "The reason; empty for none."
            return PromptForm(title: "Close draft \(id)", verb: "Close the draft", field: TextField(), help: help)
        }
    }
}

/// The field of a prompt, with its words.
struct PromptForm: Sendable {
    let title: String
    /// A word for the hint of Enter.
    let verb: String
    /// The effect of Enter, for the help; the same word if it is `nil`.
    var effect: String?
    /// The field with the text to begin with.
    let field: TextField
    /// A sentence on what to type.
    var help = ""
    var choices: [String] = []
    var minimumColumns = 48
}

extension Prompt {
    var form: PromptForm {
        switch self {
        case .save(let saved):
            let help = "The file to save \(saved.text.utf8.count.grouped) bytes to."
            return PromptForm(title: "Save", verb: "Save", field: TextField(selecting: saved.path), help: help)
        case .context(let text, let recent):
            let (field, help) = (TextField(selecting: text), "The user, such as user=42 language=es; empty for none.")
            return PromptForm(title: "User", verb: "Evaluate", field: field, help: help, choices: recent)
        case .variant(let text):
            let help = "A name and a value, such as blue=#0000FF, or name:=JSON."
            return PromptForm(title: "Variant", verb: "Set", field: TextField(selecting: text), help: help)
        case .attribute(let text, let choices):
            let (field, help) = (TextField(selecting: text), "An attribute such as email; empty for the targeting key.")
            return PromptForm(title: "Split users by", verb: "Set", field: field, help: help, choices: choices)
        case .name(let purpose, let key):
            let (effect, field) = ("Continue with this name", TextField(selecting: key))
            return PromptForm(title: purpose.rawValue, verb: "OK", effect: effect, field: field, minimumColumns: 60)
        case .importFile:
            let (title, effect) = ("Import a file", "Review the changes")
            return PromptForm(title: title, verb: "Review", effect: effect, field: TextField(), minimumColumns: .max)
        case .draft(let prompt): return prompt.form
        }
    }
}

/// The purpose of the name of a key that is typed, as a title.
enum NamePurpose: String, Hashable, Sendable {
    case add = "New key"
    case rename = "Rename key"
    case copy = "Duplicate key"
}

extension RecentUsers {
    var prompt: Prompt { .context(current: line, recent: recent) }
}
