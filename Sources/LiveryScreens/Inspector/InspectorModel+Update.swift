// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import TerminalUI

extension InspectorModel {
    mutating func update(_ key: Key) -> Response {
        feedback = ""
        if isTyping, detail == nil { return updateField(key) }
        if let list = detail?.list, list.isTyping || key == Key(.escape) && list.search != nil {
            let page = layout.detailPage
            return detail?.handle(key, page: page) == true ? .handled : .ignored
        }
        guard key.modifiers.isSubset(of: .shift) else { return .ignored }
        switch key.code {
        case .escape: return press(.back)
        case .character("y"): return press(.copyValue)
        case .character("Y"): return press(.copyKey)
        case .left where detail != nil: return press(.back)
        case .character("h"): return press(.back)
        case .enter where detail != nil: return press(.back)
        case .enter, .right: return detail == nil ? press(.open) : .handled
        case .character("/") where detail == nil: return press(.filter)
        case .character("?"): return .ignored
        default: return move(key) ? .handled : .ignored
        }
    }

    private mutating func updateField(_ key: Key) -> Response {
        switch key.code {
        case .escape: return press(.back)
        case .enter: return press(.done)
        case .up, .down, .pageUp, .pageDown:
            _ = move(key)
        default:
            guard field.handle(key) else { return .ignored }
            filterByField()
        }
        return .handled
    }

    mutating func paste(_ text: String) -> Response {
        detail?.paste(text)
        guard isTyping, detail == nil else { return .handled }
        field.insert(text.split(whereSeparator: \.isNewline).first.map(String.init) ?? "")
        filterByField()
        return .handled
    }

    /// Moves the cursor, or what is in sight of a key in full.
    private mutating func move(_ key: Key) -> Bool {
        let page = layout.detailPage
        if detail != nil { return detail?.handle(key, page: page) == true }
        var list = ListCursor()
        list.index = cursor
        let key = key == .character(" ") ? Key(.pageDown) : key
        guard list.handle(key, count: rows.count, page: layout.page) else { return false }
        select(list.index)
        return true
    }

    private mutating func press(_ target: InspectorTarget) -> Response {
        switch target {
        case .open:
            guard let key = selectedKey else { return .handled }
            if isTyping { endFilter(keeping: true) }
            select(cursor)
            detail = InspectorDetail(key, clock: clock, preview: preview)
            layOutDetail()
        case .filter:
            detail = nil
            isTyping = true
        case .done: endFilter(keeping: true)
        case .copyValue, .copyKey:
            guard let key = detail?.key ?? selectedKey else { return .handled }
            if target == .copyKey { return .done([.copy(key)]) }
            return entries[key].map { .done([.copy($0.value.copied)]) } ?? .handled
        case .scroll: _ = move(Key(.pageDown))
        case .search:
            let key = takesText ? Key(.enter) : .character("/")
            _ = detail?.handle(key, page: 1)
        case .help: return .done([.help])
        case .back: return back()
        }
        return .handled
    }

    private mutating func back() -> Response {
        if detail?.list.search != nil {
            _ = detail?.handle(Key(.escape), page: 1)
        } else if detail != nil {
            detail = nil
        } else if isTyping || filter != nil {
            endFilter(keeping: false)
        } else {
            return .close
        }
        return .handled
    }
}

extension InspectorModel {
    private static let rowsOfWheel = 3

    mutating func update(_ mouse: MouseEvent) -> Response {
        let panel = layout.panel(self)
        // A release may have been lost, as when the help lay over the inspector meanwhile.
        if case .press = mouse.action { grip = nil }
        if let grip, case .drag(button: 0) = mouse.action {
            show(top: panel.top(dragging: grip, toScreenRow: mouse.point.row))
            return .handled
        }
        if case .release = mouse.action {
            defer { grip = nil }
            if grip != nil { return .handled }
        }
        guard let part = panel.part(at: mouse.point) else { return .ignored }
        switch (mouse.action, part) {
        case (.scroll(let steps), _): show(top: panel.scrollbar.top + steps * Self.rowsOfWheel)
        case (.press(button: 0), .scrollbar(let row)):
            let grip = panel.grip(at: row)
            self.grip = grip
            show(top: panel.top(dragging: grip, toScreenRow: mouse.point.row))
        case (.press(button: 0), .target(let target)): return press(target)
        case (.press(button: 0), .content(let point)) where detail == nil: return click(point.row, panel)
        default: break
        }
        return .handled
    }

    /// Selects a row; a second click opens it.
    private mutating func click(_ contentRow: Int, _ panel: Panel<InspectorTarget>) -> Response {
        let index = contentRow - layout.headRows
        let row = panel.scrollbar.top + index
        guard (0..<layout.page).contains(index), row < rows.count else { return .handled }
        feedback = ""
        if row == cursor { return press(.open) }
        if isTyping { endFilter(keeping: true) }
        select(row)
        return .handled
    }

    private mutating func show(top: Int) {
        let page = layout.detailPage
        if detail == nil { scroll(toTop: top) } else { detail?.scroll(toTop: top, page: page) }
    }
}

extension EntryValue {
    /// What is copied: the text itself, and anything else as JSON.
    fileprivate var copied: String {
        if case .string(let text) = self { text } else { canonicalJSON }
    }
}
