import ConfigDefinitions
import TerminalUI

extension TweaksModel {
    /// Handles a key.
    mutating func update(_ key: Key) -> Response {
        if question != nil { return answer(key) }
        if let response = updateAnywhere(key) { return response }
        if detail != nil { return updateDetail(key) }
        if isSearching { return updateSearch(key) }
        return updateList(key)
    }

    /// Handles a pasted text.
    mutating func paste(_ text: String) -> Response {
        if isSearching, detail == nil {
            search?.insert(text)
            cursor.index = 0
            return respond()
        }
        return edit(.paste(text)) ?? respond()
    }

    /// Keys that also work in a text field.
    private mutating func updateAnywhere(_ key: Key) -> Response? {
        switch key {
        case Key(.character("u"), .alt): return press(.undo)
        case Key(.character("r"), .alt): return press(.reset)
        default: return nil
        }
    }

    private mutating func updateDetail(_ key: Key) -> Response {
        if let response = edit(.key(key)) { return response }
        switch key.code {
        case .escape, .enter: return press(.back)
        case .pageUp: scroll(by: -max(page - 1, 1))
        case .pageDown: scroll(by: max(page - 1, 1))
        case .character("r"): return press(.reset)
        case .character("u"): return press(.undo)
        case .character, .left, .right, .up, .down, .tab, .home, .end:
            return key.modifiers.contains(.control) || key.code == .character("q") || key.code == .character("?")
                ? .ignored : respond()
        default: return .ignored
        }
        return respond()
    }

    private mutating func updateSearch(_ key: Key) -> Response {
        switch key.code {
        case .escape:
            search = nil
            isSearching = false
        case .enter: isSearching = false
        case .up, .down, .pageUp, .pageDown: move(key)
        default:
            guard search?.handle(key) == true else { return .ignored }
            cursor.index = 0
        }
        return respond()
    }

    private mutating func updateList(_ key: Key) -> Response {
        switch key.code {
        case .escape, .left, .character("h"): return press(.back)
        case .enter, .right, .character("l"): return open()
        case .character(" "): return toggle()
        case .character("/"):
            isSearching = true
            search = search ?? TextField()
            cursor.index = 0
        case .character("r"): return press(.reset)
        case .character("R"): return press(.resetGroup)
        case .character("X"): return press(.resetAll)
        case .character("u"): return press(.undo)
        case .character("t"): return .close
        default:
            if key.modifiers.contains(.control) || !move(key) { return .ignored }
        }
        return respond()
    }

    @discardableResult
    mutating func move(_ key: Key) -> Bool {
        let count = entries.count
        feedback = ""
        if search == nil, category == nil { return categoryCursor.handle(key, count: count, page: page) }
        return cursor.handle(key, count: count, page: page)
    }

    mutating func scroll(by rows: Int) {
        guard let detail else { return }
        let last = max(detail.lines(columns: room.columns).count - page, 0)
        self.detail?.scroll = min(max((detail.scroll ?? 0) + rows, 0), last)
    }

    private mutating func answer(_ key: Key) -> Response {
        switch key.code {
        case .enter, .character("y"): return press(.yes)
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
    /// Opens what is selected, or runs it.
    mutating func open() -> Response {
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

    /// Uses a button.
    mutating func press(_ button: TweakButton) -> Response {
        defer { detail?.finishEdit() }
        switch button {
        case .back: return back()
        case .undo:
            feedback = "Undone"
            return respond([.undo])
        case .reset: return reset()
        case .resetGroup:
            if let name = groupToReset { question = .resetCategory(name) }
        case .resetAll: question = .resetAll
        case .search: return update(.character("/"))
        case .no: question = nil
        case .yes:
            defer { question = nil }
            switch question {
            case .resetCategory(let name): return respond([.resetCategory(name)])
            case .resetAll: return respond([.resetAll])
            case nil: break
            }
        }
        return respond()
    }

    /// The category that a reset of a category means.
    var groupToReset: String? {
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
        case .category(let name, _):
            question = .resetCategory(name)
            return respond()
        default: return respond()
        }
    }

    private mutating func back() -> Response {
        feedback = ""
        if detail != nil {
            detail = nil
        } else if search != nil {
            search = nil
        } else if category != nil {
            category = nil
        } else {
            return .close
        }
        return respond()
    }
}
