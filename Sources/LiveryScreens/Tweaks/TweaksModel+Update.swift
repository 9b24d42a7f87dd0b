// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import TerminalUI

enum TweakButton: Hashable, Sendable {
    case back, undo, redo, reset, resetGroup, resetAll, search, yes, no
}

/// What a click on the screen of tweaks means.
enum TweakTarget: Hashable, Sendable {
    /// A line of a list, by its index among those that can be selected.
    case entry(Int)
    case editor([Int])
    case button(TweakButton)
}

extension TweaksModel {
    mutating func update(_ key: Key) -> Response {
        if question != nil { return answer(key) }
        // Also in a text field.
        if key == Key(.character("u"), .alt) { return press(.undo) }
        if key == Key(.character("z"), .alt) { return press(.reset) }
        if key == Key(.character("r"), .control) { return press(.redo) }
        if detail != nil { return updateDetail(key) }
        if isSearching { return updateSearch(key) }
        return updateList(key)
    }

    mutating func paste(_ pasted: String) -> Response {
        // Terminals send a return for each end of a line, and what is copied as a whole line ends with one.
        let text = pasted.replacing("\r\n", with: "\n").replacing("\r", with: "\n").withoutLastLineBreak
        if isSearching, detail == nil {
            search?.insert(text)
            cursor.index = 0
            return respond()
        }
        return edit(.paste(text)) ?? respond()
    }

    private mutating func updateDetail(_ key: Key) -> Response {
        // Only a field has a use for letters with Ctrl or Alt.
        if !key.isChord || detail?.editor.takesText == true, let response = edit(.key(key)) { return response }
        if key.isChord { return .ignored }
        switch key.code {
        case .escape, .enter: return press(.back)
        case .pageUp: scroll(by: -max(page - 1, 1))
        case .pageDown: scroll(by: max(page - 1, 1))
        case .character("z"): return press(.reset)
        case .character("u"): return press(.undo)
        case .character, .left, .right, .up, .down, .tab, .home, .end:
            // These mean the same on all screens.
            let isGlobal = [.character("q"), .character("r"), .character("?")].contains(key.code)
            return key.modifiers.contains(.control) || isGlobal ? .ignored : respond()
        default: return .ignored
        }
        return respond()
    }

    private mutating func updateSearch(_ key: Key) -> Response {
        switch key.code {
        case .escape: return press(.back)
        case .enter: isSearching = false
        case .up, .down, .pageUp, .pageDown: move(key)
        default:
            guard search?.handle(key) == true else { return .ignored }
            cursor.index = 0
        }
        return respond()
    }

    private mutating func updateList(_ key: Key) -> Response {
        if key.isChord { return .ignored }
        switch key.code {
        case .escape, .left, .character("h"): return press(.back)
        case .enter, .right, .character("l"): return open()
        case .character(" "): return toggle()
        case .character("/"): return press(.search)
        case .character("z"): return press(.reset)
        case .character("Z"): return press(.resetGroup)
        case .character("X"): return press(.resetAll)
        case .character("u"): return press(.undo)
        case .character("t"): return .close
        default: return move(key) ? respond() : .ignored
        }
    }

    @discardableResult
    private mutating func move(_ key: Key) -> Bool {
        feedback = ""
        return cursor.handle(key, count: entries.count, page: page)
    }

    private mutating func scroll(by rows: Int) {
        guard let detail else { return }
        let last = max(detail.lines(columns: room.size.columns).count - page, 0)
        self.detail?.scroll = min(max((detail.scroll ?? 0) + rows, 0), last)
    }

    private mutating func answer(_ key: Key) -> Response {
        if key.isChord { return .ignored }
        switch key.code {
        case .enter: return press(question?.isConfirmedByEnter == true ? .yes : .no)
        case .character("y"): return press(.yes)
        case .escape, .character("n"): return press(.no)
        default: return key.modifiers.contains(.control) ? .ignored : respond()
        }
    }

    private mutating func edit(_ input: EditorInput) -> Response? {
        guard let commands = detail?.handle(input) else { return nil }
        feedback = ""
        return respond(commands)
    }
}

extension TweaksModel {
    mutating func update(_ mouse: MouseEvent) -> Response {
        switch mouse.action {
        // A release may have been lost, as outside the terminal's window.
        case .press, .release: endDrag()
        case .drag, .scroll: break
        }
        switch mouse.action {
        case .scroll where question != nil: break
        case .scroll(let steps):
            if case .editor(let part) = hit(mouse.point)?.target, let response = edit(.wheel(part, steps)) {
                return response
            }
            if detail != nil { scroll(by: steps) } else { move(Key(steps < 0 ? .up : .down)) }
        case .press where !covers(mouse.point): return .ignored
        case .press(button: 0):
            guard let hit = hit(mouse.point) else { break }
            // Only what belongs to an editor can be dragged; a list that is dragged over stays as it is.
            if case .editor(let part) = hit.target {
                drag = Drag(part: part, origin: mouse.point.column - hit.offset)
            }
            return click(hit.target, offset: hit.offset)
        case .drag(button: 0): return follow(mouse.point)
        default: break
        }
        return respond()
    }

    /// Ends a drag, and the edit that it makes.
    mutating func endDrag() {
        drag = nil
        detail?.endGesture()
    }

    private mutating func follow(_ point: Point) -> Response {
        guard let drag, let detail else { return respond() }
        let hit = hit(point)
        let here: [Int]? = if case .editor(let part) = hit?.target { part } else { nil }
        guard let part = detail.editor.part(draggedFrom: drag.part, over: here) else { return respond() }
        let offset = part == drag.part ? max(point.column - drag.origin, 0) : hit?.offset ?? 0
        return click(.editor(part), offset: offset)
    }

    private func hit(_ point: Point) -> (target: TweakTarget, offset: Int)? {
        let content = room
        guard content.contains(point) else { return nil }
        let lines = visibleLines(content.size)
        let row = point.row - content.origin.row
        return lines.indices.contains(row) ? lines[row].hit(column: point.column - content.origin.column) : nil
    }

    private mutating func click(_ target: TweakTarget, offset: Int) -> Response {
        switch target {
        case .button(let button): return press(button)
        case _ where question != nil: return respond()
        case .editor(let part): return respond(detail?.handle(.click(part, offset: offset)) ?? [])
        case .entry(let index):
            cursor.index = index
            return open()
        }
    }
}

extension TweaksModel {
    /// Opens what is selected, or runs it.
    private mutating func open() -> Response {
        feedback = ""
        switch selected {
        case .category(let name, _):
            category = name
            cursor.index = 0
        case .item(let item):
            detail = TweakDetail(item)
            if detail == nil {
                feedback = "\(item.row.name): done"
                return respond([.perform(id: item.id)])
            }
        case nil: break
        }
        return respond()
    }

    /// Toggles a Boolean in its row, and opens anything else.
    private mutating func toggle() -> Response {
        guard case .item(let item) = selected, case .boolean(let isOn) = item.value else { return open() }
        return respond([.set(id: item.id, .boolean(!isOn), isContinuing: false)])
    }

    private mutating func press(_ button: TweakButton) -> Response {
        defer { detail?.release() }
        switch button {
        case .back: return back()
        case .undo:
            feedback = "Undone"
            return respond([.step(.undo, isConfirmed: false)])
        case .redo:
            feedback = "Done again"
            return respond([.step(.redo, isConfirmed: false)])
        case .reset: return reset()
        case .resetGroup: question = groupToReset.map(Question.resetCategory) ?? question
        case .resetAll: question = .resetAll
        case .search:
            isSearching.toggle()
            if search != nil { break }
            cursorBeforeSearch = cursor
            search = TextField()
            cursor.index = 0
        case .no: question = nil
        case .yes:
            defer { question = nil }
            switch question {
            case .resetCategory(let name): return respond([.resetCategory(name)])
            case .resetAll: return respond([.resetAll])
            case .step(let question): return respond([.step(question.step, isConfirmed: true)])
            case nil: break
            }
        }
        return respond()
    }

    /// The category that a reset of a category means.
    private var groupToReset: String? {
        switch selected {
        case .category(let name, _): name
        case .item(let item): item.row.place.category
        case nil: category
        }
    }

    private mutating func reset() -> Response {
        if let detail { return respond([.reset(id: detail.id)]) }
        switch selected {
        case .item(let item) where item.row.tweak != nil: return respond([.reset(id: item.id)])
        case .category(let name, _): question = .resetCategory(name)
        default: break
        }
        return respond()
    }

    private mutating func back() -> Response {
        feedback = ""
        if detail != nil {
            detail = nil
        } else if search != nil {
            endSearch()
        } else if category != nil {
            category = nil
        } else {
            return .close
        }
        return respond()
    }
}

extension String {
    fileprivate var withoutLastLineBreak: String { hasSuffix("\n") ? String(dropLast()) : self }
}
