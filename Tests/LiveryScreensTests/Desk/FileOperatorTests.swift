// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import Foundation
import TestSupport
import Testing

@testable import LiveryScreens

struct FileOperatorTests {
    private let folder: TemporaryDirectory
    private var path: String { folder["config.json"] }

    init() throws { folder = try TemporaryDirectory() }

    private var text: String { get throws { try String(contentsOf: URL(filePath: path), encoding: .utf8) } }

    @Test func writesInPlaceAndKeepsAccess() async throws {
        try folder.write("{\n  \"a\": 1,\n  \"b\" : 2\n}\n", to: "config.json")
        try folder.allow(0o644, on: "config.json")
        let change = ConfigDiff([KeyChange(key: "a", old: 1, new: 3)])
        let source = FileOperator(path: path)
        #expect(try await source.check(change) == ChangeReport())
        let result = try await source.publish(change, message: nil, expecting: nil)
        #expect(result == .published(OperatorReceipt(revision: nil, count: 1)))
        #expect(try text == "{\n  \"a\": 3,\n  \"b\" : 2\n}\n")
        #expect(try folder.mode(of: "config.json") == 0o644)
    }

    @Test func changeOfAnotherWriterIsAConflict() async throws {
        try folder.write("{\"a\": 5}", to: "config.json")
        let change = KeyChange(key: "a", old: 1, new: 3)
        let result = try await FileOperator(path: path).publish(ConfigDiff([change]), message: nil, expecting: nil)
        #expect(result == .conflict([EntryConflict(change: change, theirs: 5)]))
        #expect(try text == "{\"a\": 5}")
    }

    @Test func firstKeyCreatesTheFile() async throws {
        let change = ConfigDiff([KeyChange(key: "a", old: nil, new: 1)])
        _ = try await FileOperator(path: path).publish(change, message: nil, expecting: nil)
        #expect(try text == "{\"a\": 1}\n")
    }

    @Test func exportsOfOtherProductsAreNotImported() async throws {
        try folder.write(#"{"features": [{"name": "a", "strategies": [{"name": "default"}]}]}"#, to: "export.json")
        let error = await #expect(throws: ConfigError.self) {
            try await FileOperator(path: path).changes(importing: folder["export.json"], of: ImportFiles())
        }
        #expect(error?.message.contains("an export of Unleash") == true, "\(error?.message ?? "")")
    }

    @Test func plainFileHasNoSchemas() async throws {
        try folder.write(##"{"a": 1, "schemas": {"a": 2}}"##, to: "plain.json")
        #expect(try await FileOperator(path: folder["plain.json"]).schemaNames().isEmpty)
        #expect(try await FileOperator(path: folder["missing.json"]).schemaNames().isEmpty)
    }

    @Test func schemasOfTheFileCount() async throws {
        try folder.write(
            ##"{"livery": 1, "entries": {"a": 1}, "schemas": {"a": {"type": "integer"}}}"##,
            to: "config.json"
        )
        let change = ConfigDiff([KeyChange(key: "a", old: 1, new: "x")])
        let source = FileOperator(path: path)
        #expect(try await source.check(change).violations.count == 1)
        await #expect(throws: ConfigError.self) { try await source.publish(change, message: nil, expecting: nil) }
        #expect(try await source.details(of: "a").schemaName == "a")
        #expect(try await source.schemaNames() == ["a"])
    }
}
