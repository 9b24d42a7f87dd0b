// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigClient
import ConfigModel
import ConfigRules
import ConfigSchemas
import ConfigWire
import Files
import Programs
import TerminalUI

struct ImportCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Set the keys of a JSON document: all as one revision, or none.",
        usage: "livery import <file> [<options>]",
        discussion: """
            The document is plain, where an object is a branch of the keys ({"app": {"color": "pink"}} is app.color), or \
            exact, where each member of "entries" is one key with its whole value: \
            {"livery": 1, "entries": {"app.theme": {"color": "pink"}}}. `livery export` prints both.
            Keys that the document does not have stay. With --replace they are removed, and so are the schemas and the \
            rules that the document does not have, if it has a member "schemas" or "rules"; `livery diff` shows the same \
            changes. If all keys of the namespace would be removed, nothing is written unless --remove-all is given.
            Values that are up to date are not written again. After a conflict with another writer the import reads and \
            writes again, for up to 30 s, unless --expect is given. If the document is too large for one request, --batches \
            imports it in several revisions, of which --expect counts for the first; if one fails, those before it stay.
            A key that cannot be stored (its value is null or a number that is not exact, its name is not a valid key) is \
            left out: a line on standard error names its place, and the rest is imported. With --replace the document is \
            refused instead, so that such a key is not removed by mistake.
            An exact document may have JSON Schemas under "schemas". They are set in the same revision (with --batches in \
            the last one). If a value would violate its schema, each such value is named, and nothing is written; \
            --dry-run reports them too. Rules, which decide who gets which value, are listed under "rules" by their keys.

            With --format flagd the file has flags as flagd reads them ({"flags": {…}, "$evaluators": {…}}). Each flag \
            becomes the rule of its key; a key without a value gets that of the default variant. A flag whose only variant \
            is "default" becomes a value without a rule. A flag that is no rule is left out like a key that cannot be stored; \
            members of a flag that flagd ignores are left out too. An operation that flagd evaluates to null each time, \
            such as {"ends_with": [{"var": "id"}, 3]}, becomes null. A line on standard error names each.

            EXAMPLES
              livery import config.json --dry-run
              livery import config.json --expect 41
              livery import config.json --replace -m 'Release 7'
              livery import flags.json --format flagd
              livery export -n test | livery import - -n production

            As JSON: {"namespace": …, "revision": …, "revisions": …, "new": …, "changed": …, "removed": …, \
            "unchanged": …, "changed_schemas": [name, …], "changed_rules": [key, …], "left_out": [{"key": …, "code": …, "message": …, "line": …, \
            "column": …}], "dry_run": …}; revisions counts those of the import, and left_out lists the first 100 keys that were left out.
            """
    )

    @Argument(help: "The document, in any form; - for standard input.", completion: .file(extensions: ["json"]))
    var file: String

    @Option(help: ArgumentHelp("The format of the file: livery (default) or flagd.", valueName: "format"))
    var format = FileFormat.livery

    @Flag(help: "Remove what the document does not have, of the kinds that it lists: keys, schemas, rules.")
    var replace = false

    @Flag(help: "Import in several revisions if one request cannot hold it all.")
    var batches = false

    @OptionGroup var removal: RemovalOptions
    @OptionGroup var writing: PublishOptions
    @OptionGroup var access: ServerOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if removal.removeAll, !replace {
            throw ValidationError("\(RemovalOptions.flag) requires --replace.")
        }
        if writing.dryRun, batches { throw ValidationError("--dry-run writes nothing; leave --batches out.") }
    }

    func run(in session: OperatorSession) async throws {
        let (document, leftOut) = try document()
        let job = ImportJob(
            document: document,
            replaces: replace,
            removesAll: removal.removeAll,
            inBatches: batches,
            message: writing.message,
            expect: writing.expect
        )
        let result = try await job.run(on: session.client, dryRun: writing.dryRun)
        if session.style.isJSON {
            return try session.writeResult { object in
                result.writeMembers(to: &object)
                leftOut.writeMember(to: &object)
                object.member("dry_run") { $0.boolean(writing.dryRun) }
            }
        }
        try session.write(session.excerpt(of: result.diff) + [[Span(result.sentence)]])
    }

    private func document() throws -> (DocumentContents, LeftOutKeys) {
        let name = InputFile.name(of: file)
        switch format {
        case .livery:
            let document = try InputFile.document(at: file)
            let leftOut = LeftOutKeys(of: document)
            try report(leftOut)
            try document.checkSchemas(source: name)
            return (DocumentContents(of: document), leftOut)
        case .flagd:
            let bytes = try InputFile.bytes(at: file, atMost: ConfigDocument.maximumBytes)
            let flags = try FlagdFile(json: bytes, source: name)
            for member in flags.ignored { Output.error.writeLine("Left out: \(name): \(member)".sanitized()) }
            try report(flags.leftOut)
            return (DocumentContents(of: flags), flags.leftOut)
        }
    }

    private func report(_ leftOut: LeftOutKeys) throws(ConfigError) {
        leftOut.tell()
        if replace { try leftOut.refuseReplacement(from: InputFile.name(of: file)) }
    }
}

extension ConfigDocument {
    /// - Throws: a failure with all errors in the schemas.
    fileprivate func checkSchemas(source: String) throws {
        do throws(SchemaError) {
            _ = try SchemaSet(schemas)
        } catch {
            throw error.failure(source: source)
        }
    }
}
