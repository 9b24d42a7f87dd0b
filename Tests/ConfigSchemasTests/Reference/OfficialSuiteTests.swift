// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigSchemas
import TestSupport
import Testing

/// The cases of the JSON-Schema-Test-Suite for the dialect 2020-12: those of every keyword, and those of our formats.
struct OfficialSuiteTests {
    /// A schema of the suite, and values with their expected validity.
    private struct Group {
        let name: String
        let schema: String
        let tests: [(name: String, value: String, isValid: Bool)]
        let isOptional: Bool

        init(_ line: EntryValue) throws {
            isOptional = try line.text("file").hasPrefix("optional/")
            name = try line.text("file") + ": " + line.text("group")
            schema = try line.text("schema")
            tests = try line.member("tests").elements.map { test in
                (
                    try #require(String(configValue: test.elements[0])),
                    try #require(String(configValue: test.elements[1])),
                    test.elements[2] == .boolean(true)
                )
            }
        }
    }

    private static func groups() throws -> [Group] {
        try FixtureLines("suite.jsonl", in: "Suite").values.map(Group.init)
    }

    /// The rejected cases, by the name of their group or test, with a phrase of the reason.
    private static func refused() throws -> [ExactString: String] {
        let pairs = try FixtureLines("refused.jsonl", in: "Suite").values.map { line in
            (
                ExactString(try #require(String(configValue: line.elements[0]))),
                try #require(String(configValue: line.elements[1]))
            )
        }
        return Dictionary(pairs) { $1 }
    }

    @Test func everyCaseOfTheSuitePasses() throws {
        let refused = try Self.refused()
        var decided = 0
        for group in try Self.groups() where refused[ExactString(group.name)] == nil {
            let schema = try ConfigSchema(json: Array(group.schema.utf8), source: group.name)
            for test in group.tests where refused[ExactString(group.name + ": " + test.name)] == nil {
                let violations = schema.violations(of: try EntryValue(testJSON: test.value))
                #expect(violations.isEmpty == test.isValid, "\(group.name): \(test.name): \(violations)")
                decided += 1
            }
        }
        #expect(decided > 1300)
    }

    /// In the mandatory part, only what depends on documents of other places is refused.
    @Test func mandatoryPartIsRefusedOnlyForOtherDocuments() throws {
        let lines = try FixtureLines(variable: "SCHEMA_SUITE", or: "suite.jsonl", in: "Suite").values
        var (cases, refused): (Int, [String]) = (0, [])
        for group in try lines.map(Group.init) where !group.isOptional {
            cases += group.tests.count
            guard let schema = try? ConfigSchema(json: Array(group.schema.utf8)) else {
                refused += group.tests.map { group.name + ": " + $0.name }
                #expect(group.schema.contains("localhost:1234"), "\(group.name)")
                continue
            }
            for test in group.tests {
                let violations = schema.violations(of: try EntryValue(testJSON: test.value))
                #expect(violations.isEmpty == test.isValid, "\(group.name): \(test.name): \(violations)")
            }
        }
        #expect(cases > 1100)
        #expect(refused.count <= 49, "\(refused.joined(separator: "\n"))")
    }

    @Test func unsupportedFeaturesAreRejected() throws {
        let refused = try Self.refused()
        var found = 0
        for group in try Self.groups() {
            if let phrase = refused[ExactString(group.name)] {
                found += 1
                let error = #expect(throws: SchemaError.self, "\(group.name)") {
                    try ConfigSchema(json: Array(group.schema.utf8))
                }
                #expect(error?.description.contains(phrase) == true, "\(group.name): \(error?.description ?? "")")
            }
            for test in group.tests {
                guard let phrase = refused[ExactString(group.name + ": " + test.name)] else { continue }
                found += 1
                let error = #expect(throws: ConfigError.self, "\(group.name): \(test.name)") {
                    try EntryValue(testJSON: test.value)
                }
                #expect(error?.message.contains(phrase) == true)
            }
        }
        #expect(found == refused.count)
    }
}
