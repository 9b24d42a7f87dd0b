// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import Testing

@testable import LiveryScreens

struct SchemaEditorTests {
    @Test(
        arguments: [
            (["type": "boolean"], .toggle), (["type": "string", "format": "color"], .color),
            (["type": ["string", "null"]], .optional(.text)),
            (["type": "integer", "minimum": 0, "maximum": 10], .stepper(range: 0...10, step: 1)),
            (["type": "number", "multipleOf": 0.5], .stepper(range: nil, step: 0.5)),
            (["enum": ["a", 1]], .picker([.init("a", "a"), .init("1", 1)])),
            (["oneOf": [["const": "a"], ["const": "b"]]], .picker([.init("a", "a"), .init("b", "b")])),
            (["$ref": "#/$defs/x", "$defs": ["x": ["type": "boolean"]]], .toggle),
            (["$ref": "#/$defs/x", "$defs": ["x": ["$ref": "#/$defs/x"]]], .automatic),
            (["type": "array", "items": ["type": "string"]], .array(.text)),
            (
                ["type": "object", "properties": ["a": ["type": "string"], "b": true], "required": ["b"]],
                .object([.init("b", .automatic), .init("a", .text, isOptional: true), .others(.automatic)])
            ),
            (["type": "object", "additionalProperties": ["type": "boolean"]], .object([.others(.toggle)])),
            (
                ["type": "object", "properties": ["a": true], "additionalProperties": false],
                .object([.init("a", .automatic, isOptional: true)])
            ),
            (["anyOf": [["type": "string"], ["type": "integer"]]], .automatic),
        ] as [(EntryValue, TweakEditor)]
    )
    func schemaNamesTheEditor(schema: EntryValue, editor: TweakEditor) {
        #expect(SchemaEditor.editor(of: nil, schema: schema) == editor)
    }

    @Test func valueOfAnotherShapeCanStillBeEdited() {
        #expect(SchemaEditor.editor(of: ["a"], schema: ["type": "string"]) == .automatic)
    }
}
