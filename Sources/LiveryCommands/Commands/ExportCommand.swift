// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigChanges
import ConfigClient
import ConfigModel
import ConfigWire
import Files

/// `livery export`
struct ExportCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Export the namespace as a JSON document.",
        usage: "livery export [--flat | --nested | --exact | --format flagd] [<options>]",
        discussion: """
            `livery import` and `livery diff` read all forms. In a nested or flat document an object groups keys. \
            Therefore, if the value of any key is an object, the document is printed in the exact form: {"livery": 1, \
            "entries": {"app.theme": {"color": "pink"}}}. It is also exact if the namespace has schemas or rules, \
            which are in "schemas" and "rules"; --no-schemas omits the schemas. With --exact these members are printed \
            even if empty, so that `livery import --replace` makes another namespace identical.
            If the namespace does not exist, the exit code is 1.

            With --format flagd the document is a flagd flag file: each rule becomes a flag; a key without a rule \
            becomes a flag with the single variant "default". Content that the format cannot express is reported on \
            standard error.

            EXAMPLES
              livery export > config.json
              livery export --format flagd > flags.json
              livery export --at 41 > before.json
              livery export --exact | jq '.entries | keys'
              livery export --drafts > shop.json
              livery export --exact -n test | livery import - -n production --replace
            """
    )

    enum Format: String, CaseIterable, ExpressibleByArgument {
        case livery, flagd
    }

    @OptionGroup var layout: ExportFormOptions

    @Flag(help: "Omit the schemas.")
    var noSchemas = false

    @Option(help: ArgumentHelp("Set the format of the document: livery (default) or flagd.", valueName: "format"))
    var format = Format.livery

    @Flag(help: "Add the open drafts and the policy of reviews, for `livery import --drafts`; implies --exact.")
    var drafts = false

    @OptionGroup var moment: RevisionOption
    @OptionGroup var access: ServerOptions

    func validate() throws {
        if format == .flagd, layout.isGiven || noSchemas || drafts {
            let options = "--flat, --nested, --exact, --no-schemas and --drafts"
            throw ValidationError("\(options) cannot be combined with --format flagd.")
        }
        if drafts, layout.flat || layout.nested {
            throw ValidationError("--drafts requires the exact form; omit --flat and --nested.")
        }
        if drafts, moment.at != nil { throw ValidationError("--drafts and --at are mutually exclusive.") }
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
        let archive = drafts ? try await session.client.draftArchive() : DraftArchive()
        try session.write(contents, layout, withSchemas: !noSchemas, archive)
    }
}

/// The form of a document.
struct ExportFormOptions: ParsableArguments {
    @Flag(help: "Print one object with complete keys instead of nested objects.")
    var flat = false

    @Flag(help: "Print nested objects, one for each part of a key (default).")
    var nested = false

    @Flag(help: "Print the exact form: each key with its complete value, in \"entries\".")
    var exact = false

    var isGiven: Bool { flat || nested || exact }

    func validate() throws {
        if [flat, nested, exact].count(where: \.self) > 1 {
            throw ValidationError("--flat, --nested and --exact are mutually exclusive.")
        }
    }
}

extension OperatorSession {
    /// Writes a document.
    func write(
        _ contents: NamespaceContents,
        _ layout: ExportFormOptions,
        withSchemas: Bool,
        _ archive: DraftArchive = DraftArchive()
    ) throws {
        let isExact = layout.exact || !archive.isEmpty
        let form: ExportForm = isExact ? .exact : layout.flat ? .flat : .nested
        if layout.flat || layout.nested, form.isExact(for: contents) {
            let hasMore = !contents.schemas.isEmpty || !contents.rules.isEmpty
            let reason = hasMore ? "cannot contain schemas or rules" : "would be read as different keys"
            Output.error.writeLine("Printing the exact form: a plain document \(reason).")
        }
        try writeJSON(form.json(of: contents, withSchemas: withSchemas, archive))
    }
}

/// A form of a configuration as one JSON document, which ``ConfigDocument`` reads back unchanged.
enum ExportForm {
    /// Nested objects, one level for each dot of a key. If `a` and `a.b` are both values, the second is written next to the
    /// first as `"a.b"`.
    case nested
    /// One object with dotted keys.
    case flat
    /// Each key with its value, objects included.
    case exact

    /// The document in this form, or in the exact one if this one would represent other values, or no schemas.
    ///
    /// The exact form, where it was chosen, lists schemas and rules even if there are none.
    ///
    /// - Parameter withSchemas: whether the document may list schemas.
    func json(
        of contents: NamespaceContents,
        withSchemas: Bool = true,
        _ archive: DraftArchive = DraftArchive()
    ) -> [UInt8] {
        let values = contents.values.lazy.map { (key: $0, value: $1) }
        let isExact = isExact(for: contents)
        let kinds: Set<EntryKind> = self != .exact ? [] : withSchemas ? [.schema, .rule] : [.rule]
        var json = JSONWriter()
        if case .flat = self, !isExact {
            json.values(values)
        } else {
            json.document(
                values,
                schemas: contents.schemas,
                rules: contents.rules,
                isExact: isExact,
                listing: kinds,
                more: archive.writeMembers
            )
        }
        return json.bytes
    }

    /// Whether the document has the exact form, by request or because it must.
    func isExact(for contents: NamespaceContents) -> Bool {
        if !contents.schemas.isEmpty || !contents.rules.isEmpty { return true }
        let values = contents.values
        return switch self {
        case .nested: ExactForm.isNeeded(for: values.lazy.map { (key: $0, value: $1) })
        case .flat: values.values.contains { if case .object = $0 { true } else { false } }
        case .exact: true
        }
    }
}
