// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import TerminalUI

/// An edit of a tweak in progress: the editor, and which of its changes belong together.
struct TweakEditing: Sendable {
    private(set) var item: TweakItem
    private(set) var editor: any ValueEditing
    private var explanation: [String]
    /// The last input; a change by the same gesture belongs to the same edit.
    private var gesture: EditorInput.Gesture?
    /// Whether the editor must show the value that comes next, whatever is typed in it.
    private var isReleased = false

    /// - Returns: `nil` for an action, which has nothing to edit.
    init?(_ item: TweakItem, explanation: [String]) {
        guard let tweak = item.row.tweak else { return nil }
        (self.item, self.explanation) = (item, explanation)
        editor = tweak.editor(of: item.value).editing(item.value, form: tweak.form, initial: item.initial)
    }

    /// Updates the row. The editor shows a value that was changed elsewhere; typed text that is not a value yet stays
    /// until it is released.
    mutating func update(_ next: TweakItem, explanation: [String]) {
        let isEcho = next.value == editor.value.map(normalized) || next.value == item.value
        let isOther = isReleased || !isEcho && editor.problem == nil
        (item, self.explanation) = (next, explanation)
        guard isOther, next.value != editor.value else { return }
        editor.load(next.value)
        gesture = nil
    }

    /// - Returns: the commands to run; `nil` if the editor ignores the input.
    mutating func handle(_ input: EditorInput) -> [TweakCommand]? {
        // The target of a key is determined before it is handled: it may open a field.
        let (before, last, isText) = (editor.value, gesture, editor.takesText)
        guard editor.handle(input) else { return nil }
        isReleased = false
        gesture = input.gesture(isText: isText)
        let isContinuing = gesture != nil && gesture == last
        guard let value = editor.value, value != before else { return [] }
        return [.set(id: item.id, normalized(value), isContinuing: isContinuing)]
    }

    private func normalized(_ value: EntryValue) -> EntryValue { item.row.tweak?.form.normalized(value) ?? value }

    /// Makes the next change a separate edit.
    mutating func endGesture() { gesture = nil }

    /// Drops what is typed, as after an undo: the editor shows what is read next.
    mutating func release() {
        gesture = nil
        isReleased = true
    }
}

extension TweakEditing {
    /// The editor, and the facts about the tweak.
    func lines(columns: Int) -> [TweakScreen.Line] {
        var lines = editor.lines(columns: columns, hasFocus: true).map { $0.map(TweakScreen.Command.part) }
        let problem = editor.problem.map { $0.wrapped(toColumns: columns, maximumLines: 4) } ?? [""]
        lines += problem.map { TweakScreen.Line([.init($0, .error)]) }
        let facts = [
            ("Type", item.row.tweak?.form.typeName ?? "", Tone.plain),
            ("Value", item.preview, item.isOverridden ? .accent : .plain),
            ("Initial", item.initialPreview, .plain),
            ("Stored", item.problem ?? "", .error),
        ]
        for (name, text, tone) in facts where !text.isEmpty {
            lines += TweakScreen.Line.hanging(.init(name, .dimmed), indent: 9, .init(text, tone), columns: columns)
        }
        if !explanation.isEmpty { lines.append(TweakScreen.Line([.init("Why", .title)])) }
        return lines + explanation.flatMap { TweakScreen.Line.linkLines($0, columns: columns) }
    }
}
