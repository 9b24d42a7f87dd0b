// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigClient
import ConfigModel
import ConfigSchemas
import Files
import Programs
import SchemaSwift
import TerminalUI

struct SchemaSwiftCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "swift",
        abstract: "Generate typed Swift definitions from schemas.",
        usage: "livery schema swift [<file>] [<options>]",
        discussion: """
            Each key with a schema becomes a ConfigDefinition with its documentation, limits and default, a static member of \
            one type. Without a file, the schemas are those of the server. ConfigRepository.schemaDocument() gives the same schemas \
            back. A line on standard error names each schema that Swift cannot express, such as one of a pattern or without a \
            default, and the rest is printed.
            With --check nothing is printed: if the file of Swift is stale, a line on standard error names each key that \
            differs, and the exit code is 1.

            EXAMPLES
              livery schema swift app.schemas.json > ConfigKeys.swift
              livery schema swift app.schemas.json --check ConfigKeys.swift
              livery schema swift -n staging --type StagingKeys --public
            """
    )

    @Argument(help: "The schemas; - for standard input.", completion: .file(extensions: ["json"]))
    var file: String?

    @Option(help: ArgumentHelp("Set the name of the generated type.", valueName: "name"))
    var type = "ConfigKeys"

    @Flag(name: .customLong("public"), help: "Make the definitions public.")
    var isPublic = false

    @Option(
        help: ArgumentHelp("Compare with this Swift file instead of printing.", valueName: "path"),
        completion: .file(extensions: ["swift"])
    )
    var check: String?

    @OptionGroup var access: ServerOptions

    func run(in session: OperatorSession) async throws {
        let schemas: SchemaSet
        if let file {
            schemas = try SchemaFile.set(at: file)
        } else {
            schemas = try SchemaSet(of: await session.client.snapshot(withSchemas: true))
        }
        let definitions = SwiftDefinitions(schemas.schemas.mapValues(\.value), in: type, isPublic: isPublic)
        for problem in definitions.problems { Output.error.writeLine("Skipped: \(problem)".sanitized()) }
        guard let check else { return try Output.standard.write(definitions.text) }
        let stale = definitions.staleKeys(in: try InputFile.text(at: check, atMost: SchemaSet.maximumBytes) + "\n")
        for key in stale { Output.error.writeLine("Stale: \(key)".sanitized()) }
        if !stale.isEmpty { throw ProgramFailure(.negative, "\(check) is out of date; generate it again") }
    }
}
