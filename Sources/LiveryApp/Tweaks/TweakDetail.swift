import ConfigDefinitions
import TerminalUI

/// One tweak with its editor.
struct TweakDetail: Sendable {
    private(set) var item: TweakItem
    /// Which link of the definition's chain decides the value, and what the others have.
    private(set) var explanation: [String]
    private(set) var editor: any ValueEditing
    /// Whether something was edited since the view was opened: further changes belong to the same edit.
    private var isContinuing = false
    /// How many rows the view was scrolled by hand; `nil` while it follows the keyboard.
    var scroll: Int?

    var id: String { item.id }

    /// - Returns: `nil` for an action, which has nothing to edit.
    init?(_ item: TweakItem) {
        guard let editor = Self.editor(of: item) else { return nil }
        self.item = item
        self.editor = editor
        explanation = item.explanation
    }

    private static func editor(of item: TweakItem) -> (any ValueEditing)? {
        item.row.tweak.map { $0.editor.editing(item.value, form: $0.form, initial: item.initial) }
    }

    /// Updates the row. An editor whose value was changed elsewhere starts again.
    mutating func update(_ next: TweakItem) {
        let isOther = next.value != item.value && next.value != editor.value
        item = next
        explanation = next.explanation
        if isOther, let editor = Self.editor(of: next) {
            self.editor = editor
            isContinuing = false
        }
    }

    /// Handles what a person does.
    ///
    /// - Returns: what has to be done; `nil` if it means nothing to the editor.
    mutating func handle(_ input: EditorInput) -> [TweakCommand]? {
        let before = editor.value
        guard editor.handle(input) else { return nil }
        scroll = nil
        guard let value = editor.value, value != before else { return [] }
        let normalized = item.row.tweak?.form.normalized(value) ?? value
        defer { isContinuing = true }
        return [.set(id: id, normalized, isContinuing: isContinuing)]
    }

    /// Makes the next change an edit of its own, as after a reset.
    mutating func finishEdit() { isContinuing = false }
}
