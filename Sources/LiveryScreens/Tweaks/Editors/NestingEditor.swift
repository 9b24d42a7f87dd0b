// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import TerminalUI

/// An editor with a list of parts, of which one may be open: its editor is then below its line.
protocol NestingEditor: ValueEditing {
    /// The editor of the selected part, while it is open.
    var inner: (any ValueEditing)? { get set }
    /// The selected line.
    var line: Int { get }

    /// Stores the value of the open part.
    mutating func keep(_ value: EntryValue)

    /// Handles a key while no part is open.
    mutating func handleInList(_ key: Key) -> Bool

    /// Handles a click on a part of a line. No part is open then.
    mutating func click(line: Int, part: Int) -> Bool
}

extension NestingEditor {
    /// The number, in a path, of the editor below a line; the line's own parts have smaller ones.
    static var innerPart: Int { 0 }

    private var innerPath: [Int] { [line, Self.innerPart] }

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
            guard [.enter, .escape, .up, .down, .tab].contains(key.code) else { return false }
            inner = nil
            return true
        }
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
