// SPDX-License-Identifier: Apache-2.0

package import ConfigModel

extension TweakEditor {
    /// Whether the editor, or one inside it, depends on the value.
    var isAutomatic: Bool {
        switch self {
        case .automatic: true
        case .optional(let inner), .array(let inner), .pickerWithCustom(_, let inner): inner.isAutomatic
        case .object(let fields): fields.contains(where: \.editor.isAutomatic)
        default: false
        }
    }

    /// The editor with each ``automatic`` replaced by what fits the values.
    ///
    /// - Parameters:
    ///   - samples: values that the type takes, the most typical first.
    ///   - form: determines which fields of an object are optional.
    package func fitting(_ samples: [EntryValue], form: ValueForm) -> TweakEditor {
        guard isAutomatic else { return self }
        // A few elements show as much as hundreds.
        let samples = Array(samples.prefix(Self.maximumSamples))
        switch self {
        case .automatic: return .fitted(to: samples, form: form)
        case .optional(let inner):
            return .optional(inner.fitting(samples.filter { $0 != .null }, form: form.content ?? form))
        case .array(let element):
            return .array(element.fitting(samples.flatMap(\.elements), form: form.element(editedBy: element)))
        case .pickerWithCustom(let options, let custom):
            return .pickerWithCustom(options, custom: custom.fitting(samples, form: form))
        case .object(let fields):
            let objects = samples.compactMap(\.members)
            return .object(
                fields.map { field in
                    if field.isForOthers { return field }
                    return Field(field.name, field.fitting(objects, form: form), isOptional: field.isOptional)
                }
            )
        default: return self
        }
    }

    private static let maximumSamples = 100

    private static func fitted(to samples: [EntryValue], form: ValueForm) -> TweakEditor {
        // The type of an empty array's elements is known once it has one.
        if samples.isEmpty { return .automatic }
        let values = samples.filter { $0 != .null }
        if !values.isEmpty, values.count < samples.count { return .optional(fitted(to: values, form: form)) }
        if let objects = values.all(\.members) {
            let others: [Field] = form.isOpen ? [.others(.automatic)] : []
            return .object(fields(of: objects, form: form) + others)
        }
        if let arrays = values.all(\.elementsIfArray) {
            let elements = Array(arrays.joined().prefix(maximumSamples))
            return .array(fitted(to: elements, form: form.element(editedBy: .automatic)))
        }
        if values.all(\.boolean) != nil { return .toggle }
        if let numbers = values.all(\.number) { return .stepper(range: nil, step: numbers.contains(false) ? 0.1 : 1) }
        guard let texts = values.all(\.string) else { return form.isOpen && !values.isEmpty ? .automatic : .json }
        return texts.allSatisfy(\.isColor) ? .color : .text
    }

    private static func fields(of objects: [EntryObject], form: ValueForm) -> [Field] {
        let names = Set(objects.joined().map { ExactString($0.key) }).sorted {
            ($0.string.rank, $0) < ($1.string.rank, $1)
        }
        return names.map { name in
            let name = name.string
            let editor = Field(name, .automatic).fitting(objects, form: form)
            let isOptional = objects.contains { members in
                if members[name] == nil { return true }
                let others = form.normalized(.object(members.setting(name, to: nil)))?.members
                // A type that has a default for the member puts it there again.
                return others.map { $0[name] == nil } ?? false
            }
            return Field(name, editor, isOptional: isOptional)
        }
    }

    /// A field in which any value is typed as JSON.
    static let json = TweakEditor.custom(name: "json", settings: .null)
}

extension TweakEditor.Field {
    fileprivate func fitting(_ objects: [EntryObject], form: ValueForm) -> TweakEditor {
        guard let members = objects.first(where: { $0[name] != nil }) else { return editor }
        let form = form.member(name, of: members, editedBy: editor)
        return editor.fitting(objects.compactMap { $0[name] }, form: form)
    }
}

extension TweakEditor {
    /// A value in a few words: an option by its name, an object by its fields.
    package func preview(of json: EntryValue, form: ValueForm) -> String {
        if let option = options.first(where: { $0.value == json }) { return option.name }
        switch (self, json) {
        case (.optional(let inner), _) where json != .null: return inner.preview(of: json, form: form.content ?? form)
        case (.array(let element), .array(let elements)) where !elements.isEmpty:
            let form = form.element(editedBy: element)
            return elements.map { element.preview(of: $0, form: form) }
                .joined(separator: element.isStructure ? "; " : ", ")
        case (.object(let fields), .object(let members)):
            let parts = fields.compactMap { field in
                members[field.name].map {
                    field.editor.preview(of: $0, form: form.member(field.name, of: members, editedBy: field.editor))
                }
            }
            let rest = fields.others != nil && parts.count < members.count ? ["…"] : []
            return parts.isEmpty && rest.isEmpty ? "empty" : (parts + rest).joined(separator: ", ")
        default: return form.preview(of: json)
        }
    }

    private var isStructure: Bool {
        switch self {
        case .array, .object: true
        case .optional(let inner): inner.isStructure
        default: false
        }
    }
}

extension Array {
    /// The part of every element; `nil` if an element lacks it or there are no elements.
    fileprivate func all<Part>(_ part: (Element) -> Part?) -> [Part]? {
        let parts = compactMap(part)
        return isEmpty || parts.count < count ? nil : parts
    }
}

extension EntryValue {
    fileprivate var elements: [EntryValue] { elementsIfArray ?? [] }

    fileprivate var elementsIfArray: [EntryValue]? { if case .array(let elements) = self { elements } else { nil } }

    fileprivate var boolean: Bool? { if case .boolean(let flag) = self { flag } else { nil } }

    fileprivate var string: String? { if case .string(let text) = self { text } else { nil } }

    /// Whether a number is whole; `nil` if it is not a number.
    fileprivate var number: Bool? {
        switch self {
        case .integer: true
        case .double: false
        default: nil
        }
    }
}

extension String {
    /// Whether it is a colour in stored form, `#RRGGBB`.
    fileprivate var isColor: Bool { hasPrefix("#") && RGBColor(self)?.description == uppercased() }

    /// Stored objects are unordered: the members that name a thing come first.
    fileprivate var rank: Int { ["name", "title", "label", "id", "key"].firstIndex(of: lowercased()) ?? .max }
}
