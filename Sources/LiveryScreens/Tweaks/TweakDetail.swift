// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import TerminalUI

/// One tweak with its editor.
struct TweakDetail: Sendable {
    private(set) var item: TweakItem
    private(set) var editor: any ValueEditing
    private var explanation: [String]
    /// What was done last; a change by the same gesture belongs to the same edit.
    private var gesture: EditorInput.Gesture?
    /// The value that the editor has stored last: read again, it says nothing new.
    private var stored: EntryValue?
    /// Whether the editor is to show the value that comes next, whatever is typed in it.
    private var isReleased = false
    /// How many rows the view was scrolled by hand; `nil` while it follows the keyboard.
    var scroll: Int?

    var id: String { item.id }

    /// - Returns: `nil` for an action, which has nothing to edit.
    init?(_ item: TweakItem) {
        guard let editor = item.editor else { return nil }
        self.item = item
        self.editor = editor
        explanation = item.explanation
    }

    /// Updates the row. The editor shows a value that was changed elsewhere; what is typed and is no value yet stays
    /// until it is let go of.
    mutating func update(_ next: TweakItem) {
        let isEcho = next.value == stored || next.value == item.value
        let isOther = isReleased || !isEcho && editor.problem == nil
        item = next
        explanation = next.explanation
        guard isOther, next.value != editor.value else { return }
        editor.load(next.value)
        gesture = nil
        stored = nil
    }

    /// - Returns: what has to be done; `nil` if the input means nothing to the editor.
    mutating func handle(_ input: EditorInput) -> [TweakCommand]? {
        // Where a key types is known before it: afterwards it may have opened a field.
        let (before, last, isText) = (editor.value, gesture, editor.takesText)
        guard editor.handle(input) else { return nil }
        scroll = nil
        isReleased = false
        gesture = input.gesture(isText: isText)
        let isContinuing = gesture != nil && gesture == last
        guard let value = editor.value, value != before else { return [] }
        let normalized = item.row.tweak?.form.normalized(value) ?? value
        stored = normalized
        return [.set(id: id, normalized, isContinuing: isContinuing)]
    }

    /// Makes the next change an edit of its own.
    mutating func endGesture() { gesture = nil }

    /// Lets go of what is typed, as after an undo: the editor shows what is read next.
    mutating func release() {
        gesture = nil
        isReleased = true
    }
}

extension TweakDetail {
    /// The editor, and the facts about the tweak.
    func lines(columns: Int) -> [TweakLine] {
        var lines = editor.lines(columns: columns, hasFocus: true).map { $0.map(TweakTarget.editor) }
        let problem = editor.problem.map { $0.wrapped(toColumns: columns, maximumLines: 4) } ?? [""]
        lines += problem.map { TweakLine([.init($0, .accent)]) }
        let facts = [
            ("Type", item.row.tweak?.form.typeName ?? "", Tone.plain),
            ("Value", item.preview, item.isOverridden ? .accent : .plain),
            ("Initial", item.initialPreview, .plain),
            ("Stored", item.problem ?? "", .accent),
        ]
        for (name, text, tone) in facts where !text.isEmpty {
            lines += TweakLine.hanging(.init(name, .dimmed), indent: 9, .init(text, tone), columns: columns)
        }
        if !explanation.isEmpty { lines.append(TweakLine([.init("Why", .title)])) }
        return lines + explanation.flatMap { Self.wrapped($0, columns: columns) }
    }

    /// A line of an explanation, whose first two columns mark the link that decides.
    private static func wrapped(_ line: String, columns: Int) -> [TweakLine] {
        let parts = line.dropFirst(2).wrapped(toColumns: columns - 2, maximumLines: 4)
        return parts.enumerated().map { index, part in
            TweakLine([.init((index == 0 ? line.prefix(2) : "    ") + part)])
        }
    }
}

extension TweakItem {
    fileprivate var editor: (any ValueEditing)? {
        row.tweak.map { $0.editor(of: value).editing(value, form: $0.form, initial: initial) }
    }
}
