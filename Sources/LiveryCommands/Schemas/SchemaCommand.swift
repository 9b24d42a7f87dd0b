// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Manage the JSON Schemas that the server checks values against.",
        discussion: """
            A schema (JSON Schema 2020-12) applies to one key (app.title), to all keys with a prefix (app.colors.*), or to \
            all keys (*). The longest match applies, and an exact key before any pattern. The server rejects values that \
            violate their schema, and a schema that current values violate. Schemas are part of the history, of \
            `livery rollback` and of `livery export`.
            """,
        subcommands: [
            SchemaListCommand.self, SchemaShowCommand.self, SchemaSetCommand.self, SchemaUnsetCommand.self,
            SchemaCheckCommand.self,
        ]
    )
}
