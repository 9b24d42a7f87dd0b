// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigSchemas
import TestSupport
import Testing

@testable import LiveryCommands

struct InputFileTests {
    @Test func yamlDocumentsAreReadAsByALiverySource() throws {
        let folder = try TemporaryDirectory(prefix: "input")
        let path = try folder.write("app:\n  title: Hi\n", to: "config.yaml")
        #if YAML
            #expect(try InputFile.document(at: path).entries["app.title"]?.value == "Hi")
        #else
            let error = #expect(throws: ConfigError.self) { try InputFile.document(at: path) }
            #expect(error?.message.contains("YAML is not supported by this build") == true)
        #endif
    }

    @Test func exportsOfOtherProductsAreRefused() throws {
        let folder = try TemporaryDirectory(prefix: "input")
        try folder.write(#"{"flags": {"a": {"variants": {"on": true}, "state": "ENABLED"}}}"#, to: "flags.json")
        let error = #expect(throws: ConfigError.self) { try InputFile.document(at: folder["flags.json"]) }
        #expect(error?.code == .rejected && error?.message.contains("--format flagd") == true)
        #if YAML
            let flags = "namespace: default\nflags:\n- key: a\n  name: A\n  enabled: true\n  variants:\n  - key: x\n"
            let rules = "new-admin:\n  variations: {on: true, off: false}\n  defaultRule: {variation: off}\n"
            for (text, product) in [(flags, "Flipt"), (rules, "GO Feature Flag")] {
                let path = try folder.write(text, to: "flags.yaml")
                let error = #expect(throws: ConfigError.self) { try InputFile.document(at: path) }
                #expect(error?.message.contains(product) == true, "\(error?.message ?? "")")
            }
        #endif
    }

    @Test func schemasOfTheLargestExportAreRead() throws {
        let folder = try TemporaryDirectory(prefix: "input")
        let value = String(repeating: "x", count: SchemaSet.maximumBytes)
        let export = #"{"livery": 1, "entries": {"a": "\#(value)"}, "schemas": {"a": true}, "rules": {}}"#
        let path = try folder.write(export, to: "export.json")
        #expect(try SchemaFile.set(at: path).schemas.keys.sorted() == ["a"])
    }

    @Test func jsonInPlaceOfAFileIsExplained() {
        let error = #expect(throws: ConfigError.self) { try InputFile.value(at: #"{"type": "number"}"#) }
        #expect(error?.message.contains("write it to standard input and use -") == true)
        let missing = #expect(throws: ConfigError.self) { try InputFile.value(at: "missing.json") }
        #expect(missing?.message.contains("standard input") == false)
    }
}
