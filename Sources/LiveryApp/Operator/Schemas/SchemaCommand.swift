// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Say what values may be, by JSON Schemas that a server checks.",
        discussion: """
            A schema (JSON Schema 2020-12) is for one key (app.title), for all keys that begin alike (app.colors.*), or \
            for all keys (*). For each key the longest name counts, and its own before any other. The server refuses \
            values that break their schema, and a schema that present values break. Schemas are part of the history, of \
            `livery rollback` and of `livery export`.
            """,
        subcommands: [
            SchemaListCommand.self, SchemaShowCommand.self, SchemaSetCommand.self, SchemaUnsetCommand.self,
            SchemaCheckCommand.self,
        ]
    )
}
