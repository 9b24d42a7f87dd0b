// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigChanges
import ConfigModel
import ConfigWire

struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Manage the JSON Schemas that values must match.",
        discussion: """
            A schema (JSON Schema 2020-12) applies to one key (app.title), to all keys with a prefix (app.colors.*), \
            or to all keys (*). The longest match applies, and an exact key before any pattern. The server rejects \
            values that violate their schema, and a schema that current values violate. Schemas are included in the \
            history, in `livery rollback` and in `livery export`.
            """,
        subcommands: [
            ListCommand<SchemaFamily>.self, ShowCommand<SchemaFamily>.self, SchemaSetCommand.self,
            RemoveCommand<SchemaFamily>.self, SchemaCheckCommand.self, SchemaSwiftCommand.self,
        ]
    )
}

enum SchemaFamily: NamedEntryFamily {
    static let kind = EntryKind.schema
    static let names = (one: "The key or the pattern of the schema.", several: "The keys or patterns of the schemas.")
    static let listText = "The name of a schema is its key or pattern."
    static let showText = """
        In JSON, key is the key or pattern of the schema.

        EXAMPLES
          livery schema show app.title
          livery schema show 'app.colors.*' > colors.schema.json
        """
    static let unsetText = """
        If values would violate the schemas that apply after the removal, each violation is reported and nothing is \
        removed.

        EXAMPLE
          livery schema unset 'app.colors.*' --dry-run
        """
    static var columns: KeyValuePairs<String, @Sendable (EntryMessage) -> String> {
        ["VALUES": { SchemaSummary.summary(of: $0.value) }]
    }
}
