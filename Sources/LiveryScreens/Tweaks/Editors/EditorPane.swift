// SPDX-License-Identifier: Apache-2.0

import TerminalUI

/// The lines of an editor in a panel: how far they are scrolled, and the mouse on their parts.
struct EditorPane: Sendable {
    /// A part of the editor that is being dragged, wherever the pointer strays.
    private struct Drag: Hashable {
        var part: [Int]
        /// The column of the screen where the part begins.
        var origin: Int
    }

    /// The meaning of a use of the mouse.
    enum Use<Target: Hashable & Sendable> {
        case input(EditorInput)
        case perform(Target)
        case handled, ignored
    }

    /// The number of rows by which the user has scrolled the lines; `nil` while they follow the keyboard.
    private var scroll: Int?
    private var drag: Drag?
    private var grip = ScrollGrip()

    mutating func endDrag() { drag = nil }

    /// Shows the line with the keyboard again.
    mutating func followKeyboard() { scroll = nil }

    mutating func scroll(by rows: Int, count: Int, page: Int) {
        scroll(to: (scroll ?? 0) + rows, count: count, page: page)
    }

    mutating func scroll(to row: Int, count: Int, page: Int) { scroll = min(max(row, 0), max(count - page, 0)) }

    /// The first line in sight.
    func top<Target>(of lines: [ActiveLine<Target>], page: Int) -> Int {
        scroll ?? ListCursor.top(showing: lines.firstIndex(where: \.isFocused) ?? 0, of: lines.count, rows: page)
    }

    /// The input of the wheel on a part, which scrolls the lines if the editor ignores it.
    ///
    /// - Parameter path: the part of the editor that a target is; `nil` for another target.
    func wheel<Target>(_ mouse: MouseEvent, on panel: Panel<Target>, path: (Target) -> [Int]?) -> EditorInput? {
        guard case .scroll(let steps) = mouse.action, case .target(let target, _) = panel.part(at: mouse.point) else {
            return nil
        }
        return path(target).map { .wheel($0, steps) }
    }

    /// - Parameters:
    ///   - editor: decides what a drag means.
    ///   - path: the part of the editor that a target is; `nil` for another target.
    mutating func use<Target>(
        _ mouse: MouseEvent,
        on panel: Panel<Target>,
        _ editor: any ValueEditing,
        page: Int,
        path: (Target) -> [Int]?
    ) -> Use<Target> {
        if let top = grip.top(after: mouse, on: panel) {
            scroll = Scrollbar(count: panel.scrollbar.count, page: page, top: top).top
            return .handled
        }
        let part = panel.part(at: mouse.point)
        switch (mouse.action, part) {
        case (.press, nil): return .ignored
        case (.press(button: 0), .target(let target, let offset)):
            guard let part = path(target) else { return .perform(target) }
            drag = Drag(part: part, origin: mouse.point.column - offset)
            return .input(.click(part, offset: offset))
        case (.drag(button: 0), _):
            guard let drag else { break }
            var hit: (part: [Int], offset: Int)?
            if case .target(let target, let offset) = part, let part = path(target) { hit = (part, offset) }
            guard let part = editor.part(draggedFrom: drag.part, over: hit?.part) else { break }
            let isFocusedRow = part == drag.part
            let offset = isFocusedRow ? max(mouse.point.column - drag.origin, 0) : hit?.offset ?? 0
            return .input(.click(part, offset: offset))
        default: break
        }
        return .handled
    }
}
