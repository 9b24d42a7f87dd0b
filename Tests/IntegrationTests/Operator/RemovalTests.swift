// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Commands that remove more than their user meant: after a mistyped name, an empty input or a document of something else.
@Suite(.timeLimit(.minutes(5)))
struct RemovalTests {
    private let desk: OperatorDesk

    init() throws {
        desk = try OperatorDesk()
        _ = try desk.json("set", "a=1", "b=2", "-n", "production")
        let rule = #"{"variants": {"on": 1, "off": 2}, "defaultVariant": "off"}"#
        #expect(try desk.run("rule", "set", "a", "-", "-n", "production", input: rule).status.isSuccess)
    }

    private var production: [UInt8] {
        get throws { try desk.server.ask("GET", "/v1/production/config").body }
    }

    @Test func mistypedExportDoesNotEmptyItsTarget() throws {
        let before = try production
        let export = try desk.run("export", "-n", "prodction")
        #expect(export.status == .exited(1))
        let replaced = try desk.run("import", "-", "-n", "production", "--replace", input: export.standardOutput)
        #expect(replaced.status == .exited(65))
        #expect(replaced.standardError.contains("standard input: the input is empty"), "\(replaced)")
        #expect(try production == before)
    }

    @Test func replaceKeepsTheLastKeys() throws {
        let before = try production
        let replace = ["import", "-", "-n", "production", "--replace"]
        let empty = #"{"livery": 1, "entries": {}, "rules": {}}"#
        for document in ["{}", #"{"livery": 1, "entries": {}}"#, #"{"other": 1}"#, empty] {
            for option in [[], ["--dry-run"], ["--batches"]] {
                let refused = try desk.run(replace + option, input: document)
                #expect(refused.status == .exited(65) && refused.standardError.contains("all 2 keys"), "\(refused)")
            }
        }
        #expect(try production == before)
        let allowed = try desk.run(replace + ["--remove-all"], input: empty)
        #expect(allowed.status.isSuccess, "\(allowed)")
        #expect(!(try desk.run("get", "a", "-n", "production").status.isSuccess))
    }

    @Test func flagdFileWithoutFlagsRemovesNothing() throws {
        let before = try production
        let arguments = ["import", "-", "--format", "flagd", "--replace", "-n", "production"]
        let refused = try desk.run(arguments, input: #"{"flags": {}}"#)
        #expect(refused.status == .exited(65) && refused.standardError.contains("--remove-all"), "\(refused)")
        #expect(try production == before)
    }

    @Test func rollbackAndPrefixKeepTheLastKeys() throws {
        let before = try production
        for arguments in [["rollback", "0", "--yes"], ["unset", "--prefix", "a"]] {
            if arguments[0] == "unset" { _ = try desk.json("unset", "b", "-n", "production") }
            let refused = try desk.run(arguments + ["-n", "production"])
            #expect(refused.status == .exited(65) && refused.standardError.contains("--remove-all"), "\(refused)")
            if arguments[0] == "rollback" { #expect(try production == before) }
            let allowed = try desk.run(arguments + ["-n", "production", "--remove-all", "--dry-run"])
            #expect(allowed.status.isSuccess, "\(allowed)")
        }
    }

    @Test func replacementWithoutRulesKeepsThem() throws {
        try desk.folder.write(#"{"a": 1, "b": 2}"#, to: "values.json")
        #expect(try desk.json("diff", "values.json", "-n", "production")["same"] as? Bool == true)
        let receipt = try desk.json("import", "values.json", "-n", "production", "--replace")
        #expect(receipt["revisions"] as? Int == 0)
        #expect(try desk.run("rule", "show", "a", "-n", "production").status.isSuccess)
        try desk.folder.write(#"{"livery": 1, "entries": {"a": 1, "b": 2}, "rules": {}}"#, to: "without.json")
        let diff = try desk.run("diff", "without.json", "-n", "production", "--plain")
        #expect(diff.status == .exited(1) && diff.standardOutput.hasPrefix("- rule a"), "\(diff)")
    }

    @Test func exactExportMakesNamespacesEqual() throws {
        _ = try desk.json("set", "a=1", "-n", "staging")
        let export = try desk.run("export", "--exact", "-n", "staging").standardOutput
        #expect(try desk.run("import", "-", "-n", "production", "--replace", input: export).status.isSuccess)
        #expect(try desk.run("export", "--exact", "-n", "production").standardOutput == export)
        #expect(try desk.run("diff", "-", "-n", "production", input: export).status == .exited(0))
    }

    @Test func emptyStandardInputIsAnError() throws {
        let before = try production
        for arguments in [
            ["set", "a", "-"], ["import", "-"], ["diff", "-"], ["schema", "set", "--from", "-"],
            ["rule", "set", "a", "-"],
        ] {
            let output = try desk.run(arguments + ["-n", "production"], input: "")
            #expect(output.status == .exited(65), "\(output)")
            #expect(output.standardError.contains("standard input: the input is empty"), "\(output)")
        }
        #expect(try production == before)
    }

    @Test func inputIsNotTheOutput() throws {
        let text = #"{"a": 1, "b": 2}"#
        try desk.folder.write(text, to: "values.json")
        let link = desk.folder["link.json"]
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "values.json")
        let script = #"exec "$0" "$@" < values.json >> link.json"#
        for arguments in [
            ["import", "values.json", "-n", "production"], ["diff", "values.json", "-n", "production"],
            ["--plain", "values.json"], ["import", "-", "-n", "production"],
        ] {
            let output = try desk.run(arguments, script: script)
            #expect(output.status == .exited(65), "\(output)")
            #expect(output.standardError.contains("both input and output"), "\(output)")
            #expect(try desk.folder.read("values.json") == Array(text.utf8))
        }
    }
}
