// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigClient
import ConfigModel
import ConfigWire
import Files
import Programs

struct SchemaListCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the schemas of the namespace.",
        usage: "livery schema list [<options>]",
        discussion: """
            As JSON: {"namespace": …, "revision": …, "schemas": [{"key": …, "schema": …, "revision": …, "created_at": …, \
            "updated_at": …}]}, sorted by key, which is the key or pattern of the schema.
            """
    )

    @OptionGroup var access: ServerOptions
    @OptionGroup var output: OutputOptions

    func run(in session: OperatorSession) async throws {
        let (schemas, revision) = try await session.client.entries(.schema)
        try session.write(schemas, of: .schema, at: revision, Self.table(of: schemas, clock: .local))
    }

    static func table(of schemas: [EntryMessage], clock: ClockFormat) -> TextTable {
        TextTable(
            headings: ["NAME", "VALUES", "REVISION", "CHANGED"],
            rows: schemas.map { schema in
                [
                    Span(schema.key, .key), Span(SchemaWords.summary(of: schema.value)), "\(schema.revision)",
                    Span(clock.dateAndClock(schema.updatedAt), .faint),
                ]
            }
        )
    }
}

struct SchemaShowCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Print a schema.",
        usage: "livery schema show <name> [<options>]",
        discussion: """
            The schema is printed as JSON, for `livery schema set` to read back.

            EXAMPLES
              livery schema show app.title
              livery schema show 'app.colors.*' > colors.schema.json

            As JSON, with --json: {"namespace": …, "key": …, "schema": …, "revision": …, "created_at": …, \
            "updated_at": …}; key is the key or pattern of the schema.
            """
    )

    @Argument(help: "The key or the pattern of the schema.", completion: KeyCompletion.ofSchemas)
    var name: String

    @OptionGroup var access: ServerOptions
    @OptionGroup var form: EntryOutputOptions

    func check() throws(ConfigError) { try SchemaWords.check(name: name) }

    func run(in session: OperatorSession) async throws {
        let schema = try await session.client.entry(name, .schema)
        if form.json { return try session.writeJSON(schema) }
        try session.writeJSON(Array(schema.value.canonicalJSON.utf8))
    }
}
