// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel

/// Chooses the editor for the values of a JSON Schema.
struct SchemaEditor {
    /// The schema that references such as `#/$defs/name` point into.
    private let whole: EntryValue

    /// References may lead in circles.
    private static let maximumDepth = 8
    private static let maximumOptions = 200

    private init(_ whole: EntryValue) { self.whole = whole }

    /// The editor for a value of a key: by its schema, or by the value itself if there is no schema or the value has another
    /// shape.
    static func editor(of value: EntryValue?, schema: EntryValue?) -> TweakEditor {
        guard let schema else { return .automatic }
        let editor = SchemaEditor(schema).editor(schema, level: 0)
        guard let value, !editor.accepts(value) else { return editor }
        return .automatic
    }

    private func editor(_ schema: EntryValue, level: Int) -> TweakEditor {
        guard case .object(let members) = schema, level < Self.maximumDepth else { return .automatic }
        if let target = members["$ref"].flatMap(part) { return editor(target, level: level + 1) }
        if case .array(let values)? = members["enum"], values.count <= Self.maximumOptions { return picker(values) }
        if let constant = members["const"] { return picker([constant]) }
        if let branches = members["anyOf"] ?? members["oneOf"] { return editor(ofBranches: branches, level: level) }
        var all: [EntryValue] = []
        if case .array(let listed)? = members["type"] { all = listed } else { all = members["type"].map { [$0] } ?? [] }
        let types = all.filter { $0 != "null" }
        guard types.count == 1, case .string(let type) = types[0] else { return .automatic }
        let editor = editor(ofType: type, members, level: level)
        return types.count < all.count ? .optional(editor) : editor
    }

    private func editor(ofType type: String, _ members: EntryObject, level: Int) -> TweakEditor {
        switch type {
        case "boolean": return .toggle
        case "integer", "number": return stepper(isWhole: type == "integer", members)
        case "string": return members["format"] == "color" ? .color : .text
        case "array": return .array(members["items"].map { editor($0, level: level + 1) } ?? .automatic)
        case "object":
            return object(members["properties"]?.members ?? EntryObject(), members, level: level)
        default: return .automatic
        }
    }

    private func object(_ properties: EntryObject, _ members: EntryObject, level: Int) -> TweakEditor {
        var required: [EntryValue] = []
        if case .array(let names)? = members["required"] { required = names }
        let fields = properties.map { name, schema in
            let isOptional = !required.contains(.string(name))
            return TweakEditor.Field(name, editor(schema, level: level + 1), isOptional: isOptional)
        }
        let isClosed = ["additionalProperties", "unevaluatedProperties"].contains { members[$0] == false }
        let others = TweakEditor.Field.others(editor(members["additionalProperties"] ?? true, level: level + 1))
        return .object(fields.filter { !$0.isOptional } + fields.filter(\.isOptional) + (isClosed ? [] : [others]))
    }

    private func editor(ofBranches branches: EntryValue, level: Int) -> TweakEditor {
        guard case .array(let all) = branches else { return .automatic }
        let others = all.filter { $0 != ["type": "null"] && $0 != ["const": .null] }
        let constants = others.compactMap { $0.members?["const"] }
        if constants.count == others.count, !constants.isEmpty { return picker(constants) }
        guard others.count == 1 else { return .automatic }
        let editor = editor(others[0], level: level + 1)
        return others.count < all.count ? .optional(editor) : editor
    }

    private func picker(_ values: [EntryValue]) -> TweakEditor {
        .picker(values.map { TweakEditor.Option($0.plainText, $0) })
    }

    private func stepper(isWhole: Bool, _ members: EntryObject) -> TweakEditor {
        let number = { (name: String) in members[name].flatMap { Double(configValue: $0) } }
        let step = number("multipleOf")
        guard let least = number("minimum"), let most = number("maximum"), least <= most else {
            return .stepper(range: nil, step: step ?? (isWhole ? 1 : 0.1))
        }
        let hundredth = (most - least) / 100
        return .stepper(range: least...most, step: step ?? (isWhole ? 1 : hundredth > 0 ? hundredth : 0.1))
    }

    private func part(at reference: EntryValue) -> EntryValue? {
        guard case .string(let text) = reference, text.utf8.starts(with: "#/".utf8) else { return nil }
        return JSONPointer.tokens(of: text).reduce(Optional(whole)) { $0?.members?[$1] }
    }
}
