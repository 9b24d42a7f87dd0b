import TerminalUI

/// A button of the screen of tweaks.
enum TweakButton: Hashable, Sendable {
    case back, undo, reset, resetGroup, resetAll, search, yes, no
}

/// What a click on the screen of tweaks means.
enum TweakTarget: Hashable, Sendable {
    /// A line of a list, by its index among those that can be selected.
    case entry(Int)
    /// A part of the editor.
    case editor([Int])
    case button(TweakButton)
}

extension TweaksModel {
    /// Handles a use of the mouse.
    mutating func update(_ mouse: MouseEvent, in layout: TweaksLayout) -> Response {
        switch mouse.action {
        case .scroll(let direction): return wheel(direction)
        case .press(button: 0):
            guard let hit = hit(mouse.point, in: layout) else { return respond() }
            return click(hit.target, offset: hit.offset)
        case .drag(button: 0):
            // Only what belongs to an editor can be dragged; a list that is dragged over stays as it is.
            guard let hit = hit(mouse.point, in: layout), case .editor(let part) = hit.target, part.count > 1 else {
                return respond()
            }
            return click(hit.target, offset: hit.offset)
        default: return respond()
        }
    }

    private func hit(_ point: Point, in layout: TweaksLayout) -> (target: TweakTarget, offset: Int)? {
        let content = layout.content
        guard content.contains(point) else { return nil }
        let lines = visibleLines(content.size)
        let row = point.row - content.origin.row
        return lines.indices.contains(row) ? lines[row].hit(column: point.column - content.origin.column) : nil
    }

    private mutating func wheel(_ direction: Int) -> Response {
        if question != nil { return respond() }
        if detail != nil { scroll(by: direction) } else { move(Key(direction < 0 ? .up : .down)) }
        return respond()
    }

    private mutating func click(_ target: TweakTarget, offset: Int) -> Response {
        switch target {
        case .button(let button): return press(button)
        case .editor(let part):
            guard question == nil, let commands = detail?.handle(.click(part, offset: offset)) else { return respond() }
            return respond(commands)
        case .entry(let index):
            guard question == nil else { return respond() }
            if search == nil, category == nil { categoryCursor.index = index } else { cursor.index = index }
            return open()
        }
    }
}
