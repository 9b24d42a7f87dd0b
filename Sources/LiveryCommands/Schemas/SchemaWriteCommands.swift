// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigClient
import ConfigModel
import ConfigSchemas
import ConfigWire
import Programs

struct SchemaSetCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Set schemas: all of them, as one revision, or none.",
        usage: "livery schema set <name> <file> [<options>]\nlivery schema set --from <file> [<options>]",
        discussion: """
            The file has one JSON Schema, or with --from many by what they are for:
              {"livery": 1, "schemas": {"app.title": {"type": "string"},
                "app.colors.*": {"format": "color"}}}
            A file with errors is rejected before anything is sent, and each error is reported; an unknown keyword or \
            format is an error. If current values violate the schemas, each such value is reported and nothing is set; \
            correct the values first, or import values and schemas together (`livery import`).
            Schemas that the file does not have stay.

            EXAMPLES
              livery schema set app.title title.schema.json
              echo '{"format": "color"}' | livery schema set 'app.colors.*' -
              livery schema set --from definitions.json --dry-run
              livery schema set --from definitions.json -m 'Release 7'

            As JSON: {"namespace": …, "revision": …, "schema_changes": [{"key": …, "old": …, "new": …}], \
            "dry_run": …}; key is the \
            key or pattern of the schema, and old is null for a new one.
            """
    )

    @Argument(
        help: "The key (app.title), a pattern (app.colors.*), or * for all keys.",
        completion: KeyCompletion.ofSchemas
    )
    var name: String?

    @Argument(help: "The schema; - for standard input.", completion: .file(extensions: ["json"]))
    var file: String?

    @Option(
        help: ArgumentHelp("Set the schemas of this document; - for standard input.", valueName: "file"),
        completion: .file(extensions: ["json"])
    )
    var from: String?

    @OptionGroup var writing: PublishOptions
    @OptionGroup var access: ServerOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if from != nil, name != nil { throw ValidationError("Give a name and a file, or --from with a file.") }
        if from == nil, file == nil { throw ValidationError("Expected NAME FILE, or --from FILE.") }
    }

    func check() throws(ConfigError) {
        if let name { try SchemaWords.check(name: name) }
    }

    func run(in session: OperatorSession) async throws {
        let schemas = try read().mapValues(\.value)
        let now = try await session.client.snapshot(withSchemas: true)
        let former = (now.schemas ?? [:]).filter { schemas[$0.key] != nil }
        let diff = ConfigDiff(.schema, from: former, to: schemas)
        try await session.publish(diff, of: .schema, in: now, writing)
    }

    private func read() throws -> [String: ConfigSchema] {
        let path = from ?? file ?? "-"
        guard let name else { return try SchemaFile.set(at: path).schemas }
        return [name: try SchemaFile.schema(at: path)]
    }
}

struct SchemaUnsetCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "unset",
        abstract: "Remove schemas: all of them, as one revision, or none.",
        usage: "livery schema unset <name> ... [<options>]",
        discussion: """
            The schemas stay in the history. If one of them does not exist, none is removed and the exit code is 1. If \
            values violate the schemas that then apply to them, each such value is reported and nothing is removed.

            EXAMPLE
              livery schema unset 'app.colors.*' --dry-run

            As JSON: {"namespace": …, "revision": …, "schema_changes": [{"key": …, "old": …, "new": null}], \
            "dry_run": …}.
            """
    )

    @Argument(help: "The keys or patterns of the schemas.", completion: KeyCompletion.ofSchemas)
    var names: [String]

    @Flag(help: "Ignore schemas that do not exist.")
    var ignoreMissing = false

    @OptionGroup var writing: PublishOptions
    @OptionGroup var access: ServerOptions
    @OptionGroup var output: OutputOptions

    func check() throws(ConfigError) {
        for name in names { try SchemaWords.check(name: name) }
    }

    func run(in session: OperatorSession) async throws {
        try await session.remove(names, of: .schema, ignoringMissing: ignoreMissing, writing)
    }
}
