// SPDX-License-Identifier: Apache-2.0

package import ConfigModel

extension ValueForm {
    /// The form of an array's element: the values that the type accepts as the only element.
    package func element(editedBy editor: TweakEditor) -> ValueForm {
        if let content { return content }
        return part("element", at: PartKey(index: 0), editor) {
            .array([$0])
        } part: { array in
            if case .array(let elements) = array { elements.first } else { nil }
        }
    }

    /// The form of an object's member: the values that the type accepts with the other members unchanged.
    package func member(
        _ name: String,
        of members: EntryObject,
        editedBy editor: TweakEditor
    ) -> ValueForm {
        part("value for \(name)", at: PartKey(stringValue: name), editor) { value in
            .object(members.setting(name, to: value))
        } part: { object in
            // A type may leave a member out that is null.
            object.members.map { $0[name] ?? .null }
        }
    }

    /// The same form for an editor that was fitted to a value, such as one that edits a string without quotation marks.
    package func edited(by editor: TweakEditor) -> ValueForm {
        var form = self
        // Where types may change, the value may have been a string before.
        form.isText = editor.isText || isText && !isOpen
        return form
    }

    /// The path to the first part that the type rejects; empty for the whole value or if it is unknown.
    package func pathOfFault(in json: EntryValue) -> [any CodingKey] { explain(json)?.path ?? [] }

    private func part(
        _ typeName: String,
        at key: PartKey,
        _ editor: TweakEditor,
        whole: @escaping @Sendable (EntryValue) -> EntryValue,
        part: @escaping @Sendable (EntryValue) -> EntryValue?
    ) -> ValueForm {
        ValueForm(
            typeName: typeName,
            isText: editor.isText,
            isOpen: isOpen,
            normalize: { [normalize] json in normalize(whole(json)).flatMap(part) },
            explain: { [explain] json in explain(whole(json))?.inside(key) },
            exceededLimit: { [exceededLimit] json in exceededLimit(whole(json)) }
        )
    }
}

extension CodingFault {
    /// The same error relative to a part, if it is inside that part.
    fileprivate func inside(_ key: PartKey) -> CodingFault {
        guard let first = path.first else { return self }
        let isInside =
            key.index == nil ? first.stringValue.hasSameScalars(as: key.stringValue) : first.index == key.index
        return isInside ? CodingFault(message, at: Array(path.dropFirst())) : self
    }
}

extension TweakEditor {
    /// Whether the input is plain text rather than JSON.
    fileprivate var isText: Bool {
        switch self {
        case .text, .color: true
        case .optional(let inner), .pickerWithCustom(_, let inner): inner.isText
        default: false
        }
    }
}

extension ValueForm {
    /// The form of any JSON that an editor can show, for values without a type in Swift.
    package static func json(editedBy editor: TweakEditor) -> ValueForm {
        ValueForm(
            typeName: editor.typeName,
            isText: editor.isText,
            isOpen: true,
            normalize: { editor.accepts($0) ? $0 : nil }
        )
    }
}

extension [TweakEditor.Field] {
    /// The editor of members without a field; `nil` if there are none.
    package var others: TweakEditor? { last { $0.isForOthers }?.editor }

    /// The field of a member: its own, or that of all others.
    fileprivate func field(of name: String) -> TweakEditor.Field? {
        first { !$0.isForOthers && $0.name.hasSameScalars(as: name) } ?? last { $0.isForOthers }
    }
}

extension TweakEditor {
    /// Whether a value has the shape that the editor shows, whatever its limits.
    package func accepts(_ json: EntryValue) -> Bool {
        switch (self, json) {
        case (.toggle, .boolean), (.segmented, .boolean), (.text, .string), (.color, .string): true
        case (.stepper, .integer), (.stepper, .double), (.slider, .integer), (.slider, .double): true
        case (.picker, _), (.pickerWithCustom, _), (.automatic, _), (.custom, _): true
        case (.optional(let inner), _): json == .null || inner.accepts(json)
        case (.array(let element), .array(let elements)): elements.allSatisfy(element.accepts)
        case (.object(let fields), .object(let members)):
            fields.allSatisfy { field in members[field.name].map(field.editor.accepts) ?? true }
                && (fields.others == nil || fields.others == .automatic
                    || members.allSatisfy { fields.field(of: $0.key)?.editor.accepts($0.value) == true })
        default: false
        }
    }

    /// The shape of the values, for messages.
    fileprivate var typeName: String {
        switch self {
        case .toggle, .segmented: "Boolean"
        case .stepper, .slider: "number"
        case .text: "text"
        case .color: "colour such as #FFB6C1"
        case .array: "array"
        case .object: "object"
        case .optional(let inner): inner.typeName
        case .picker, .pickerWithCustom, .automatic, .custom: "JSON value"
        }
    }
}
