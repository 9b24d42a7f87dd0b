// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigClient
import ConfigModel
import ConfigSchemas
import ConfigWire
import Programs
import TerminalUI

struct SchemaCheckCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "List the values that violate their schema.",
        usage: "livery schema check [<file>] [<options>]",
        discussion: """
            Without a file, the values are validated against the schemas of the server. The file contains JSON Schemas \
            (2020-12) by key or pattern; the longest match applies:
              {"livery": 1, "schemas": {"app.title": {"type": "string"},
                "app.colors.*": {"format": "color"}}}
            An unknown keyword or format is an error. Keys without a schema are not validated. The exit code is 1 if a \
            value violates its schema, so that a script can stop a release that would reject current values.

            EXAMPLES
              livery schema check
              livery schema check definitions.json
              livery schema check definitions.json -n test && ./release

            As JSON: {"namespace": …, "revision": …, "checked": …, "violations": [{"key": …, "schema": …, "pointer": \
            …, "keyword": …, "keyword_pointer": …, "limit": …, "found": …, "message": …}]}; checked is the number of \
            keys with a schema.
            """
    )

    @Argument(help: "The schemas; - for standard input.", completion: .file(extensions: ["json"]))
    var file: String?

    @OptionGroup var access: ServerOptions
    @OptionGroup var output: OutputOptions

    func run(in session: OperatorSession) async throws {
        // The file is read first: if it has errors, no request is sent.
        let given = try file.map(SchemaFile.set(at:))
        let now = try await session.client.snapshot(withSchemas: given == nil)
        let document = try given ?? SchemaSet(of: now)
        let report = SchemaReport(of: now, by: document)
        if session.style.isJSON {
            try session.writeResult(report.writeMembers)
        } else {
            try session.write(report.lines)
        }
        if !report.violations.isEmpty { throw ProgramFailure(.negative) }
    }
}
