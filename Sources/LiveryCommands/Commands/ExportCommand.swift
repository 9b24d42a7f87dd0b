// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigClient
import ConfigModel
import ConfigWire
import Files

/// `livery export`
struct ExportCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Print the namespace as a JSON document.",
        usage: "livery export [--flat | --nested | --exact | --format flagd] [<options>]",
        discussion: """
            `livery import` and `livery diff` read every form back unchanged. In a nested or flat document an object is a \
            branch of the keys. So if the value of a key is an object, the document is printed in the exact form: \
            {"livery": 1, "entries": {"app.theme": {"color": "pink"}}}. It is also exact if the namespace has schemas or \
            rules, which are listed under "schemas" and "rules"; --no-schemas leaves the schemas out. With --exact these \
            members are printed even if they are empty, so that `livery import --replace` makes another namespace equal.
            The export of a namespace that does not exist is an error; the exit code is 1.

            With --format flagd the document is one of flagd's: each rule is a flag, and so is a key without a rule, with \
            the one variant "default". What this format cannot express is reported on standard error.

            EXAMPLES
              livery export > config.json
              livery export --format flagd > flags.json
              livery export --at 41 > before.json
              livery export --exact | jq '.entries | keys'
              livery export --exact -n test | livery import - -n production --replace
            """
    )

    @Flag(help: "One object with whole keys, instead of an object for each part of a key.")
    var flat = false

    @Flag(help: "An object for each part of a key (default).")
    var nested = false

    @Flag(help: "The exact form: each key with its whole value, under \"entries\".")
    var exact = false

    @Flag(help: "Leave the schemas out.")
    var noSchemas = false

    @Option(help: ArgumentHelp("The format of the document: livery (default) or flagd.", valueName: "format"))
    var format = FileFormat.livery

    @OptionGroup var moment: RevisionOption
    @OptionGroup var access: ServerOptions

    func validate() throws {
        if format == .flagd, flat || nested || exact || noSchemas {
            throw ValidationError("--flat, --nested, --exact and --no-schemas do not go with --format flagd.")
        }
        if [flat, nested, exact].count(where: \.self) > 1 {
            throw ValidationError("Choose one of --flat, --nested and --exact.")
        }
    }

    @MainActor
    func run(in session: OperatorSession) async throws {
        let state = try await session.client.snapshot(at: moment.at, withSchemas: !noSchemas)
        let contents = NamespaceContents(of: state)
        if contents == NamespaceContents() { try await session.requireNamespace(at: moment.at) }
        if format == .flagd {
            for loss in FlagdFile.losses(of: contents) { Output.error.writeLine(loss) }
            return try session.writeJSON(FlagdFile.json(of: contents))
        }
        let form: ExportForm = exact ? .exact : flat ? .flat : .nested
        if flat || nested, form.isExact(for: contents) {
            let hasMore = !contents.schemas.isEmpty || !contents.rules.isEmpty
            let reason = hasMore ? "has no schemas and no rules" : "would be read as other keys"
            Output.error.writeLine("The document is exact: a plain one \(reason).")
        }
        try session.writeJSON(form.json(of: contents, withSchemas: !noSchemas))
    }
}
