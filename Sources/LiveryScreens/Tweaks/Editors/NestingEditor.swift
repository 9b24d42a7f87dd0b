// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import TerminalUI

/// The parts of a line of a list, by their numbers in a path.
enum NestedPart: Int {
    /// The editor below the line.
    case inner
    /// The line itself, which opens the part.
    case line
    case up, down, remove
}

/// An editor with a list of parts, of which one may be open: its editor is then below its line.
protocol NestingEditor: ValueEditing {
    /// The editor of the selected part, while it is open.
    var inner: (any ValueEditing)? { get set }
    /// The value of the open part when it was opened.
    var opened: EntryValue? { get set }
    /// The value of the selected part; `nil` on a line without one.
    var selectedValue: EntryValue? { get }
    /// The form of the list, or of its elements.
    var form: ValueForm { get }
    var cursor: ListCursor { get set }
    /// The number of lines.
    var count: Int { get }

    /// Stores the value of the open part.
    mutating func keep(_ value: EntryValue)

    /// Opens the selected part, or adds one on the line for that.
    mutating func open()
    mutating func add()
    mutating func remove()
    /// Moves the selected part. Nothing, by default.
    mutating func move(by steps: Int)

    /// Called with the value of the part that Enter or Tab has closed. Does nothing by default.
    mutating func accept(_ value: EntryValue)
}

extension NestingEditor {
    private var innerPath: [Int] { [cursor.index, NestedPart.inner.rawValue] }

    mutating func move(by steps: Int) {}
    mutating func accept(_ value: EntryValue) {}

    var usesEnter: Bool { true }

    mutating func handle(_ input: EditorInput) -> Bool {
        switch input {
        case .click(let part, _):
            if part.starts(with: innerPath) { return handleInner(input.inside(2)) }
            guard part.count == 2, (0..<count).contains(part[0]) else { return false }
            if problem != nil { return true }
            inner = nil
            cursor.index = part[0]
            switch NestedPart(rawValue: part[1]) {
            case .line: open()
            case .up: move(by: -1)
            case .down: move(by: 1)
            case .remove: remove()
            case .inner, nil: return false
            }
            opened = selectedValue
            return true
        case .wheel(let part, _): return part.starts(with: innerPath) && handleInner(input.inside(2))
        case .paste: return handleInner(input)
        case .key(let key):
            if inner == nil { return handleInList(key) }
            if handleInner(input) { return true }
            if key == .nextType, form.isOpen, let retyped = inner?.retyped {
                inner = retyped
                if let value = retyped.value { keep(value) }
                return true
            }
            guard [.enter, .escape, .up, .down, .tab].contains(key.code) else { return false }
            // Input that is not a value yet stays open; Esc drops it, and the values on the way to it.
            if problem != nil {
                guard key.code == .escape else { return true }
                inner = nil
                if let opened { keep(opened) }
                return true
            }
            let value = [.enter, .tab].contains(key.code) ? inner?.value : nil
            inner = nil
            if let value { accept(value) }
            opened = selectedValue
            return true
        }
    }

    private mutating func handleInList(_ key: Key) -> Bool {
        let isMoving = key.modifiers.contains(.alt) || key.modifiers.contains(.shift)
        switch key.code {
        case .character("a"), .character("+"), .insert: add()
        case .character("d"), .character("x"), .delete: remove()
        case .character("K"): move(by: -1)
        case .character("J"): move(by: 1)
        case .up where isMoving: move(by: -1)
        case .down where isMoving: move(by: 1)
        case .enter, .character(" "), .right: open()
        default: return cursor.handle(key, count: count, page: 10)
        }
        opened = selectedValue
        return true
    }

    /// The keys of the list, or of the open part, in a sentence.
    func partsHint(_ part: String, canAdd: Bool = true) -> String {
        if let inner { return inner.hint }
        return "Enter opens \(part.withArticle)" + (canAdd ? ", a adds one, d removes it" : "")
    }

    private mutating func handleInner(_ input: EditorInput) -> Bool {
        guard inner?.handle(input) == true else { return false }
        if let value = inner?.value { keep(value) }
        return true
    }

    func part(draggedFrom start: [Int], over here: [Int]?) -> [Int]? {
        inner?.part(draggedFrom: start, over: here, inside: innerPath)
    }

    /// The lines of the list, with those of the open part below the selected one.
    func lines(columns: Int, hasFocus: Bool, line: (_ index: Int, _ isSelected: Bool) -> EditorLine) -> [EditorLine] {
        let selected = hasFocus && inner == nil ? cursor.index : nil
        let lines = (0..<count).map { line($0, $0 == selected) }
        guard let inner, lines.indices.contains(cursor.index) else { return lines }
        let beneath = inner.lines(columns: columns, hasFocus: hasFocus, inside: innerPath)
        return lines.prefix(cursor.index + 1) + beneath + lines.dropFirst(cursor.index + 1)
    }

    /// The last line, which adds a part.
    func addLine(_ text: String = "[+ Add]", isSelected: Bool) -> EditorLine {
        .part(text, at: [count - 1, NestedPart.line.rawValue], isFocused: isSelected)
    }

    /// A part of a line as it is shown.
    func span(_ text: String, _ part: NestedPart = .line, at line: Int, _ tone: Tone = .plain) -> EditorLine.Span {
        EditorLine.Span(text, tone, target: [line, part.rawValue])
    }
}
