// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel

/// The key that an editor is opened for.
struct EditStart: Hashable, Sendable {
    var key: String
    /// Whether the value is opened in the user's editor at once.
    var isExternal = false
}

/// Changes for a person to review before they are written.
struct Proposal: Hashable, Sendable {
    /// The action, such as `Undo revision 42`.
    var title: String
    var changes: ConfigDiff
    /// The proposed message for the history.
    var message = ""
    /// Sentences on what the changes leave out.
    var notes: [String] = []
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
            let json = value.map { PrettyJSON.laidOut(Array($0.canonicalJSON.utf8)) } ?? []
            (text, isJSON) = (String(decoding: json, as: UTF8.self), true)
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
