// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigDefinitions
import ConfigModel
import ConfigSchemas
import TerminalUI

/// The edit of a value by its schema: the editor, and the violations of what is in it.
struct KeyEditing: Sendable {
    let details: KeyDetails
    private(set) var editor: any ValueEditing
    private let schema: ConfigSchema?
    /// Whether the type of the value can be changed: no schema decides it.
    let isOpen: Bool
    /// The value that the editor began with.
    private let start: EntryValue?

    /// An edit of the value that a key has, or of a new one.
    ///
    /// - Parameter value: the value to begin with, if it is another one.
    init(_ details: KeyDetails, from value: EntryValue? = nil) {
        self.init(details, value: value ?? details.value, start: nil)
    }

    private init(_ details: KeyDetails, value: EntryValue?, start: EntryValue?) {
        self.details = details
        // The server checks by schemas that only another version can read.
        schema = details.schema.flatMap { try? ConfigSchema($0) }
        let kind = SchemaEditor.editor(of: value, schema: details.schema)
        isOpen = kind == .automatic
        let form = ValueForm.json(editedBy: kind)
        let first = value ?? details.schema?.members?["default"].flatMap { kind.accepts($0) ? $0 : nil }
        editor =
            first.map { kind.editing($0, form: form, initial: details.value ?? $0) }
            ?? kind.editingNew(kind.firstValue(form: form), form: form, schema: details.schema)
        self.start = start ?? editor.value
    }

    /// The value in the editor; `nil` while the input is not a value.
    var value: EntryValue? { editor.value }
    /// Whether there is something in the editor that would be lost.
    var isChanged: Bool { value != start }

    /// Shows another value, of any shape.
    mutating func load(_ value: EntryValue) { self = KeyEditing(details, value: value, start: start) }

    /// - Returns: whether the editor handles the input.
    mutating func handle(_ input: EditorInput) -> Bool {
        if editor.handle(input) { return true }
        guard isOpen, input == .key(.nextType), let retyped = editor.retyped else { return false }
        editor = retyped
        return true
    }

    /// The value as a text for the user's editor.
    var external: ExternalEdit {
        var external = ExternalEdit(key: details.key, value: value ?? details.value)
        guard let (text, type) = editor.typed, type.kind == nil else { return external }
        // A text that is not JSON yet is kept, and a string may become JSON.
        if value == nil { (external.text, external.isJSON) = (text, true) }
        if type.reading(of: text) == .string { external.type = type }
        return external
    }

    mutating func selectText() { editor.selectText() }

    mutating func finish() { editor.finish() }

    /// The reasons why the value cannot be written, in sentences.
    var problems: [String] {
        guard let value else { return [editor.problem ?? "invalid value"] }
        if value == .null { return ["null is not a value; to remove the key, press d in the list"] }
        let violations = schema?.violations(of: value) ?? []
        return violations.prefix(4).map { violation in
            violation.pointer.isEmpty ? violation.message : "\(violation.pointer): \(violation.message)"
        }
    }
}
