// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigChanges
import ConfigClient
import ConfigModel
import ConfigSchemas
import ConfigWire
import Programs

struct SchemaSetCommand: PublishingCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Set one or more schemas, as one revision.",
        usage: "livery schema set <name> <file> [<options>]\nlivery schema set --from <file> [<options>]",
        discussion: """
            The file contains one JSON Schema, or with --from an object of schemas by key or pattern:
              {"livery": 1, "schemas": {"app.title": {"type": "string"},
                "app.colors.*": {"format": "color"}}}
            An invalid file is rejected before anything is sent, and each error is reported; an unknown keyword or \
            format is an error. If current values violate the schemas, each violation is reported and nothing is set; \
            correct the values first, or import values and schemas together (`livery import`).
            Schemas that are not in the file are left unchanged.

            EXAMPLES
              livery schema set app.title title.schema.json
              echo '{"format": "color"}' | livery schema set 'app.colors.*' -
              livery schema set --from definitions.json --dry-run
              livery schema set --from definitions.json -m 'Release 7'

            As JSON: \(EntryKind.changesShape(of: .schema)); key is \
            the key or pattern of the schema, and old is null for a new one.
            """
    )

    @Argument(
        help: "The key (app.title), a pattern (app.colors.*), or * for all keys.",
        completion: KeyCompletion.names(of: .schema, .value)
    )
    var name: String?

    @Argument(help: "The schema; - for standard input.", completion: .file(extensions: ["json"]))
    var file: String?

    @Option(
        help: ArgumentHelp("Set all schemas of this document; - for standard input.", valueName: "file"),
        completion: .file(extensions: ["json"])
    )
    var from: String?

    @OptionGroup var writing: PublishOptions
    @OptionGroup var access: ServerOptions
    @OptionGroup var output: OutputOptions

    var publishing: PublishOptions { writing }

    func validate() throws {
        if from != nil, name != nil { throw ValidationError("NAME and --from are mutually exclusive.") }
        if from == nil, file == nil { throw ValidationError("Expected NAME FILE or --from FILE.") }
    }

    func check() throws(ConfigError) {
        if let name { try EntryKind.schema.check(name) }
    }

    func run(in session: OperatorSession) async throws {
        let schemas = try read().mapValues(\.value)
        try await session.change(.schema, writing) { ConfigDiff(.schema, setting: schemas, in: $0) }
    }

    private func read() throws -> [String: ConfigSchema] {
        let path = from ?? file ?? "-"
        guard let name else { return try SchemaFile.set(at: path).schemas }
        return [name: try SchemaFile.schema(at: path)]
    }
}
