// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import TerminalUI

/// A row of the screen of tweaks as it is at one moment.
struct TweakItem: Sendable, Identifiable {
    let row: TweakRow
    /// The value without an override; `null` for an action.
    let initial: JSONValue
    let override: JSONValue?
    /// Why the override that is stored cannot be used.
    let problem: String?
    /// Explains the value by the definition's chain. On demand, since few rows are explained.
    let explain: @Sendable () -> ChainExplanation?

    init(_ row: TweakRow, explain: @escaping @Sendable () -> ChainExplanation?) {
        self.row = row
        initial = row.tweak?.initialValue ?? .null
        let stored = row.tweak?.reading()
        override = stored?.override
        problem = stored?.problem?.message
        self.explain = explain
    }

    var id: String { row.id }
    var value: JSONValue { override ?? initial }
    /// Whether a reset would change anything.
    var isOverridden: Bool { override != nil || problem != nil }
    var preview: String { row.tweak?.preview(of: value) ?? "" }
    var initialPreview: String { row.tweak?.preview(of: initial) ?? "" }

    /// Which link of the definition's chain decides the value, and what the others have, in lines.
    var explanation: [String] {
        let lines = explain()?.description.split(separator: "\n", omittingEmptySubsequences: false) ?? []
        // The first line is the value, which the editor shows.
        return lines.dropFirst().map(String.init)
    }

    fileprivate var editor: (any ValueEditing)? {
        row.tweak.map { $0.editor(of: value).editing(value, form: $0.form, initial: initial) }
    }
}

/// All rows, after so many commands.
struct TweakState: Sendable {
    /// Reads all rows. On demand, since the main screen shows none.
    var read: @Sendable () -> [TweakItem] = { [] }
    /// Reads the rows that are there, without those that only the screen of tweaks needs.
    var readKnown: @Sendable () -> [TweakItem] = { [] }
    /// How many commands of the screen had been carried out, at least, when the rows are read.
    var commandCount = 0
    /// Why the last command could not be carried out, or what is wrong with the file.
    var problem: String?
    /// The question that the last command raised, which was not carried out.
    var conflict: TweakStepQuestion?

    /// The rows as they are now.
    var items: [TweakItem] { read() }
}

/// A step through the history of edits.
enum TweakStep: Hashable, Sendable {
    case undo, redo
}

/// Whether a step may overwrite a value that was set elsewhere.
struct TweakStepQuestion: Hashable, Sendable {
    let step: TweakStep
    let conflict: TweakConflict
    /// How many commands there had been: each asks once.
    let commandCount: Int
}

/// What the screen of tweaks wants done.
enum TweakCommand: Hashable, Sendable {
    case set(id: String, JSONValue, isContinuing: Bool)
    case reset(id: String)
    case resetCategory(String)
    case resetAll
    /// - Parameter isConfirmed: whether a value that another program has set since is overwritten.
    case step(TweakStep, isConfirmed: Bool)
    case perform(id: String)
}

/// One tweak with its editor.
struct TweakDetail: Sendable {
    private(set) var item: TweakItem
    private(set) var editor: any ValueEditing
    private var explanation: [String]
    /// What was done last; a change by the same gesture belongs to the same edit.
    private var gesture: EditorInput.Gesture?
    /// The value that the editor has stored last: read again, it says nothing new.
    private var stored: JSONValue?
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
