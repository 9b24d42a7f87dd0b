// SPDX-License-Identifier: Apache-2.0

import ConfigModel
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

    @Test func jsonInPlaceOfAFileIsExplained() {
        let error = #expect(throws: ConfigError.self) { try InputFile.value(at: #"{"type": "number"}"#) }
        #expect(error?.message.contains("write it to standard input and use -") == true)
        let missing = #expect(throws: ConfigError.self) { try InputFile.value(at: "missing.json") }
        #expect(missing?.message.contains("standard input") == false)
    }
}
