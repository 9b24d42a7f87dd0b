// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import TerminalUI

/// An editor with a list of parts, of which one may be open: its editor is then below its line.
protocol NestingEditor: ValueEditing {
    /// The editor of the selected part, while it is open.
    var inner: (any ValueEditing)? { get set }
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

    /// Called with the value of the part that Enter has closed. Does nothing by default.
    mutating func accept(_ value: EntryValue)

    /// Handles a click on a part of a line. No part is open then.
    mutating func click(line: Int, part: Int) -> Bool
}

extension NestingEditor {
    /// The number, in a path, of the editor below a line; the line's own parts have smaller ones.
    static var innerPart: Int { 0 }

    /// The selected line.
    private var line: Int { cursor.index }
    private var innerPath: [Int] { [line, Self.innerPart] }

    mutating func move(by steps: Int) {}
    mutating func accept(_ value: EntryValue) {}

    var problem: String? { inner?.problem }
    var takesText: Bool { inner?.takesText == true }
    var usesEnter: Bool { true }

    mutating func handle(_ input: EditorInput) -> Bool {
        switch input {
        case .click(let part, _):
            if part.starts(with: innerPath) { return handleInner(input.inside(2)) }
            guard part.count == 2, part[1] != Self.innerPart else { return false }
            inner = nil
            return click(line: part[0], part: part[1])
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
            // Enter does not drop what is no value yet.
            if key.code == .enter, problem != nil { return true }
            let value = key.code == .enter ? inner?.value : nil
            inner = nil
            if let value { accept(value) }
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
    func lines(_ lines: [EditorLine], columns: Int, hasFocus: Bool) -> [EditorLine] {
        guard let inner, lines.indices.contains(line) else { return lines }
        let beneath = inner.lines(columns: columns, hasFocus: hasFocus, inside: innerPath)
        return lines.prefix(line + 1) + beneath + lines.dropFirst(line + 1)
    }
}
