import ConfigDefinitions
import TerminalUI

/// A list of elements to add, edit, remove and reorder.
struct ArrayEditor: ValueEditing {
    private var elements: [JSONValue]
    private let editor: TweakEditor
    private let form: ValueForm
    private var cursor = ListCursor()
    /// The editor of the selected element, while it is open.
    private var inner: (any ValueEditing)?

    /// The parts of a line, by their numbers in its path.
    private enum Part: Int {
        case element, up, down, remove, inner
    }

    init(_ value: JSONValue, editor: TweakEditor, form: ValueForm) {
        if case .array(let elements) = value { self.elements = elements } else { elements = [] }
        self.editor = editor
        self.form = form
    }

    var value: JSONValue? { inner?.problem == nil ? .array(elements) : nil }
    var problem: String? { inner?.problem }
    var takesText: Bool { inner?.takesText == true }

    mutating func load(_ value: JSONValue) {
        let count = elements.count
        if case .array(let elements) = value { self.elements = elements } else { elements = [] }
        cursor.index = min(cursor.index, elements.count)
        // Of another number, the element that was edited may be any of them.
        if count != elements.count { inner = nil }
        if elements.indices.contains(cursor.index) { inner?.load(elements[cursor.index]) } else { inner = nil }
    }

    mutating func handle(_ input: EditorInput) -> Bool {
        switch input {
        case .click(let part, _): return click(part, input)
        case .wheel(let part, _):
            return part.starts(with: [cursor.index, Part.inner.rawValue]) && handleInner(input.inside(2))
        case .paste: return handleInner(input)
        case .key(let key):
            if inner == nil { return handle(key) }
            if handleInner(input) { return true }
            guard [.enter, .escape, .up, .down, .tab].contains(key.code) else { return false }
            inner = nil
            return true
        }
    }

    private mutating func handle(_ key: Key) -> Bool {
        let isMoving = key.modifiers.contains(.alt) || key.modifiers.contains(.shift)
        switch key.code {
        case .character("a"), .character("+"), .insert: add()
        case .character("d"), .character("x"), .delete: remove()
        case .character("K"): move(by: -1)
        case .character("J"): move(by: 1)
        case .up where isMoving: move(by: -1)
        case .down where isMoving: move(by: 1)
        case .enter, .character(" "), .right: if cursor.index == elements.count { add() } else { open() }
        default: return cursor.handle(key, count: elements.count + 1, page: 10)
        }
        return true
    }

    private mutating func click(_ part: [Int], _ input: EditorInput) -> Bool {
        guard let index = part.first, part.count > 1, let kind = Part(rawValue: part[1]) else { return false }
        if kind == .inner { return index == cursor.index && handleInner(input.inside(2)) }
        inner = nil
        cursor.index = min(index, elements.count)
        switch kind {
        case .up: move(by: -1)
        case .down: move(by: 1)
        case .remove: remove()
        case .element, .inner: if cursor.index == elements.count { add() } else { open() }
        }
        return true
    }

    func part(draggedFrom start: [Int], over here: [Int]?) -> [Int]? {
        inner?.part(draggedFrom: start, over: here, inside: [cursor.index, Part.inner.rawValue])
    }

    private mutating func handleInner(_ input: EditorInput) -> Bool {
        guard inner?.handle(input) == true else { return false }
        if let value = inner?.value { elements[cursor.index] = value }
        return true
    }

    private mutating func open() {
        let value = elements[cursor.index]
        inner = editor.editing(value, form: form, initial: value)
    }

    private mutating func add() {
        let place = cursor.index == elements.count ? elements.count : cursor.index + 1
        let first = editor.firstValue(form: form)
        // Of a type whose first value nobody knows, such as a structure, another element is a beginning.
        elements.insert(form.normalized(first) == nil ? elements.last ?? first : first, at: place)
        cursor.index = place
        open()
    }

    private mutating func remove() {
        guard elements.indices.contains(cursor.index) else { return }
        elements.remove(at: cursor.index)
    }

    private mutating func move(by steps: Int) {
        let place = cursor.index + steps
        guard elements.indices.contains(cursor.index), elements.indices.contains(place) else { return }
        elements.swapAt(cursor.index, place)
        cursor.index = place
    }

    func lines(columns: Int, hasFocus: Bool) -> [EditorLine] {
        var lines: [EditorLine] = []
        for (index, element) in elements.enumerated() {
            let isHere = hasFocus && index == cursor.index
            lines.append(line(of: element, index, columns: columns, isSelected: isHere && inner == nil))
            guard isHere, let inner else { continue }
            lines += inner.lines(columns: columns, hasFocus: true, inside: [index, Part.inner.rawValue])
        }
        let isHere = hasFocus && cursor.index == elements.count
        let add = EditorLine.Span("[+ Add]", isHere ? .selected : .plain, target: [elements.count, 0])
        return lines + [EditorLine([add], isFocused: isHere)]
    }

    private func line(of element: JSONValue, _ index: Int, columns: Int, isSelected: Bool) -> EditorLine {
        let room = max(columns - 10, 1)
        let text = "\(index + 1). \(form.preview(of: element))".sanitized().truncated(toColumns: room)
        func part(_ text: String, _ part: Part, _ tone: Tone = .plain) -> EditorLine.Span {
            EditorLine.Span(text, tone, target: [index, part.rawValue])
        }
        return EditorLine(
            [
                part(text.padded(toColumns: room), .element, isSelected ? .selected : .plain), .init(" "),
                part("[^]", .up), part("[v]", .down), part("[x]", .remove),
            ],
            isFocused: isSelected
        )
    }
}
