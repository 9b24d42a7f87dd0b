import ConfigDefinitions
import ConfigModel
import TerminalUI

/// A text field for whatever can be typed, with buttons to raise and lower a number.
struct FieldEditor: ValueEditing {
    private var field: TextField
    private let editor: TweakEditor
    private let form: ValueForm
    private static let step = 3

    init(_ value: JSONValue, editor: TweakEditor, form: ValueForm) {
        field = TextField(form.text(of: value))
        self.editor = editor
        self.form = form
    }

    private var isStepper: Bool {
        if case .stepper = editor { return true }
        return false
    }

    private var result: Result<JSONValue, ConfigError> {
        do throws(ConfigError) {
            let value = try form.json(ofText: field.text)
            if let problem = editor.problem(with: value) { throw ConfigError(.typeMismatch, problem) }
            return .success(value)
        } catch {
            return .failure(error)
        }
    }

    var value: JSONValue? { try? result.get() }
    var takesText: Bool { true }

    var problem: String? {
        if case .failure(let error) = result { return error.message }
        return nil
    }

    mutating func handle(_ input: EditorInput) -> Bool {
        switch input {
        case .paste(let text): field.insert(text)
        case .click([0], _): step(by: -1)
        case .click([2], _): step(by: 1)
        // A field of any width shows the same from its start, which is what a click is counted from.
        case .click(let part, let offset): field.click(column: offset, columns: part.last ?? 0)
        case .key(let key):
            if isStepper, key.code == .up {
                step(by: 1)
            } else if isStepper, key.code == .down {
                step(by: -1)
            } else {
                return field.handle(key)
            }
        }
        return true
    }

    private mutating func step(by steps: Int) {
        guard let value, let next = editor.stepped(value, by: steps) else { return }
        field = TextField(form.text(of: form.normalized(next) ?? next))
    }

    func lines(columns: Int, hasFocus: Bool) -> [EditorLine] {
        let room = isStepper ? min(columns - 8, 16) : columns
        var spans = field.spans(columns: room, hasFocus: hasFocus, target: [1, max(room, 1)])
        if isStepper {
            spans.insert(contentsOf: [.init("[-]", target: [0]), .init(" ")], at: 0)
            spans += [.init(" "), .init("[+]", target: [2])]
        }
        return [EditorLine(spans, isFocused: hasFocus)]
    }
}

extension TextField {
    /// The field as parts of a line, exactly as wide as asked, with the cursor where it is.
    func spans(columns: Int, hasFocus: Bool, target: [Int]) -> [EditorLine.Span] {
        let columns = max(columns, 1)
        let window = window(columns: columns)
        let parts = [
            (window.before, Tone.field), (window.under, hasFocus ? .selected : .field), (window.after, .field),
        ]
        var used = 0
        var spans = parts.map { text, tone in
            defer { used += text.columnWidth }
            return EditorLine.Span(text, tone, target: target, offset: used)
        }
        let rest = String(repeating: " ", count: max(columns - used, 0))
        spans.append(EditorLine.Span(rest, .field, target: target, offset: used))
        return spans
    }
}
