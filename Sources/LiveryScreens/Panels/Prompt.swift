// SPDX-License-Identifier: Apache-2.0

import TerminalUI

/// A text to type, by its use.
enum Prompt: Hashable, Sendable {
    /// The name of a file to save a text to.
    case save(SavedText)
    /// The context to evaluate rules in, with the recent ones.
    case context(current: String, recent: [String])
    /// A variant with its value.
    case variant(String)
    /// The attribute that divides users.
    case attribute(String, choices: [String])
}

extension Prompt {
    /// The error in a text with line breaks, which a field takes from the clipboard.
    static let problemOfLines = "expected one line; remove each ↵"

    var title: String {
        switch self {
        case .save: "Save"
        case .context: "User"
        case .variant: "Variant"
        case .attribute: "Split users by"
        }
    }

    /// The word for the answer.
    var verb: String {
        switch self {
        case .save: "Save"
        case .context: "Evaluate"
        case .variant, .attribute: "Set"
        }
    }

    /// The text to begin with.
    var text: String {
        switch self {
        case .save(let saved): saved.name
        case .context(let text, _), .variant(let text), .attribute(let text, _): text
        }
    }

    var choices: [String] {
        switch self {
        case .save, .variant: []
        case .context(_, let choices), .attribute(_, let choices): choices
        }
    }

    /// A sentence on what to type.
    var help: String {
        switch self {
        case .save(let saved): "The file to save \(saved.text.utf8.count.grouped) bytes to."
        case .context: "The user, such as user=42 language=es; empty for none."
        case .variant: "A name and a value, such as blue=#0000FF, or name:=JSON."
        case .attribute: "An attribute such as email; empty for the targeting key."
        }
    }
}

/// A text that can be saved to a file.
struct SavedText: Hashable, Sendable {
    /// The proposed name of the file.
    var name: String
    var text: String
}

extension RecentUsers {
    var prompt: Prompt { .context(current: line, recent: recent) }
}
