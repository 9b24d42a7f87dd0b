// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigChanges
import ConfigClient
import ConfigModel
import ConfigRules
import ConfigSchemas
import ConfigWire
import Files
import Programs
import RemoteConfig
import TerminalUI

struct ImportCommand: PublishingCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import the keys of a JSON document as one revision.",
        usage: "livery import <file> [<options>]",
        discussion: """
            The document is plain, where objects group keys ({"app": {"color": "pink"}} is app.color), or exact, where \
            each member of "entries" is a key with its complete value: {"livery": 1, "entries": {"app.theme": \
            {"color": "pink"}}}. `livery export` prints both.
            Keys that are not in the document are left unchanged. With --replace they are removed, and if the document \
            has a member "schemas" or "rules", so are the schemas or rules that it does not contain; `livery diff` \
            shows the same changes. If all keys of the namespace would be removed, nothing is written unless \
            --remove-all is given.
            Values that are up to date are not written. After a conflict with another writer the import is retried for \
            up to 30 s, unless --expect is given. If the document is too large for one request, --batches imports it \
            in several revisions, each with keys and their rules; --expect applies to the first, and if one fails, the \
            earlier ones remain.
            A key that cannot be stored (the value is null or an inexact number, or the name is not a valid key) is \
            skipped and reported with its location on standard error; the rest is imported. With --replace the \
            document is rejected instead, so that such a key is not removed by accident.
            An exact document may contain JSON Schemas in "schemas" and rules by key in "rules". Schemas are set in \
            the same revision (with --batches, in the last one). If a value violates its schema, each violation is \
            reported and nothing is written; --dry-run reports them too.
            Shared evaluators of the document are added to those of the namespace. If one would change although rules \
            that are not in the document refer to it, the import lists these rules and writes nothing, unless \
            --overwrite-evaluators is given.

            With --format flagd the file is a flagd flag file ({"flags": {…}, "$evaluators": {…}}). Each flag becomes \
            the rule of its key; a key without a value gets the value of the default variant. A flag whose only \
            variant is "default" becomes a value without a rule. A flag that is not a valid rule is skipped like a key \
            that cannot be stored; members of a flag that flagd ignores are skipped too. An operation that flagd \
            always evaluates to null, such as {"ends_with": [{"var": "id"}, 3]}, becomes null. Each case is reported \
            on standard error. If no flag can be imported, the exit code is 65. fractional divides users by the \
            algorithm of --buckets, which is stored with each rule, so that no user of a flagd of that version changes \
            variants.

            With --format firebase the file is a template of Firebase Remote Config. Each parameter becomes a key of \
            its type, its conditional values the variants of a rule, and the conditions shared evaluators. What a rule \
            cannot express, such as an audience, is skipped and reported. Conditions with a percentage select other \
            users than Firebase does.

            A file of another product without its format is rejected.

            EXAMPLES
              livery import config.json --dry-run
              livery import config.json --expect 41
              livery export --drafts -n test | livery import - -n staging --drafts
              livery import config.json --replace -m 'Release 7'
              livery import flags.json --format flagd
              livery import template.json --format firebase --dry-run
              livery export -n test | livery import - -n production

            As JSON: {"namespace": …, "revision": …, "revisions": …, "new": …, "changed": …, "removed": …, \
            "unchanged": …, "changed_schemas": [name, …], "changed_rules": [key, …], "overwritten_evaluators": \
            [name, …], "left_out": [{"key": …, "code": …, "message": …, "line": …, "column": …}], "dry_run": …}; \
            revisions is the number of revisions written, and left_out lists the first 100 skipped keys.
            """
    )

    @Argument(help: "The document, plain or exact; - for standard input.", completion: .file(extensions: ["json"]))
    var file: String

    @Option(help: ArgumentHelp("Set the format of the file: livery (default), flagd or firebase.", valueName: "format"))
    var format = ImportFormat.livery

    @Option(
        help: ArgumentHelp(
            "Divide the users of a flagd file as its flagd did: flagd-1 (before 0.15.0), flagd-2 or flagd-3 (default).",
            valueName: "algorithm"
        )
    )
    var buckets: RuleBucketing?

    @Flag(help: "Remove keys, and listed kinds of schemas and rules, that are not in the document.")
    var replace = false

    @Flag(help: "Change shared evaluators although rules that are not in the document refer to them.")
    var overwriteEvaluators = false

    @Flag(help: "Import in several revisions if the document is too large for one request.")
    var batches = false

    @Flag(help: "Import the drafts and the policy of reviews that the document contains, too.")
    var drafts = false

    @OptionGroup var removal: RemovalOptions
    @OptionGroup var writing: PublishOptions
    @OptionGroup var access: ServerOptions
    @OptionGroup var output: OutputOptions

    var publishing: PublishOptions { writing }

    func validate() throws {
        if removal.removeAll, !replace {
            throw ValidationError("\(RemovalOptions.flag) requires --replace.")
        }
        if buckets != nil, format != .flagd { throw ValidationError("--buckets requires --format flagd.") }
        if batches, proposal.draft != nil { throw ValidationError("--batches and --draft are mutually exclusive.") }
        if drafts, proposal.draft != nil || writing.dryRun || format != .livery {
            throw ValidationError("--drafts cannot be combined with --draft, --dry-run and --format.")
        }
        if writing.dryRun, batches { throw ValidationError("--dry-run and --batches are mutually exclusive.") }
    }

    func run(in session: OperatorSession) async throws {
        let (document, leftOut, archive) = try document()
        let job = ImportJob(
            document: document,
            replaces: replace,
            removesAll: removal.removeAll,
            overwritesEvaluators: overwriteEvaluators,
            inBatches: batches,
            message: writing.message,
            expect: writing.expect
        )
        if proposal.draft != nil {
            try await session.change(nil, writing) { present throws(ConfigError) in try job.diff(from: present) }
            return
        }
        let result = try await job.run(on: session.client, dryRun: writing.dryRun)
        for warning in result.warnings { session.warn(warning) }
        if drafts {
            for warning in try await session.client.restore(archive) { session.warn(warning) }
        } else if !archive.isEmpty {
            session.warn("Note: the drafts and the policy of the document were not imported; --drafts imports them.")
        }
        if session.style.isJSON {
            return try session.writeResult { object in
                result.writeMembers(to: &object)
                leftOut.writeMember(to: &object)
                object.member("dry_run") { $0.boolean(writing.dryRun) }
            }
        }
        try session.write(session.excerpt(of: result.diff) + [[Span(result.sentence)]])
    }

    private func document() throws -> (DocumentContents, LeftOutKeys, DraftArchive) {
        switch format {
        case .livery:
            let (document, archive) = try InputFile.documentWithDrafts(at: file)
            let leftOut = LeftOutKeys(of: document)
            try report(leftOut)
            try document.checkSchemas(source: InputFile.name(of: file))
            return (DocumentContents(of: document), leftOut, archive)
        case .flagd:
            return try contents { (json, source) throws(ConfigError) in
                try FlagdFile(json: json, source: source, bucketing: buckets)
            }
        case .firebase:
            return try contents { (json, source) throws(ConfigError) in
                try FirebaseTemplate(json: json, source: source)
            }
        }
    }

    /// The contents of a file of another product.
    private func contents<File: FlagFile>(
        _ read: (_ json: [UInt8], _ source: String) throws(ConfigError) -> File
    ) throws -> (DocumentContents, LeftOutKeys, DraftArchive) {
        let name = InputFile.name(of: file)
        if DocumentFormat(ofFile: file) != .json {
            throw ConfigError(.unreadable, "flag files in YAML are not supported; convert it to JSON", source: name)
        }
        let flags = try read(try InputFile.bytes(at: file, atMost: InputFile.maximumDocumentBytes), name)
        for member in flags.ignored { Output.error.writeLine("Skipped: \(name): \(member)".sanitized()) }
        for note in flags.notes { Output.error.writeLine("Note: \(name): \(note)".sanitized()) }
        try report(flags.leftOut)
        let keys = flags.values.count + flags.rules.count { $0.key != EntryKind.sharedRules }
        if keys == 0, flags.leftOut.count > 0 || !flags.ignored.isEmpty {
            throw ConfigError(.rejected, "no \(File.part) could be imported; see the reasons above", source: name)
        }
        return (DocumentContents(of: flags), flags.leftOut, DraftArchive())
    }

    private func report(_ leftOut: LeftOutKeys) throws(ConfigError) {
        leftOut.tell()
        if replace { try leftOut.refuseReplacement(from: InputFile.name(of: file)) }
    }
}

extension RuleBucketing: ExpressibleByArgument {}

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

extension LeftOutKeys {
    /// Prints them on standard error.
    func tell() {
        for line in lines { Output.error.writeLine(line.sanitized()) }
    }

    /// - Throws: `rejected` if there is one, since a key that is left out is not one to remove.
    func refuseReplacement(from source: String) throws(ConfigError) {
        if count == 0 { return }
        let what = count.grouped(of: "key")
        let reason = "--replace would remove \(what) of the document that cannot be stored"
        throw ConfigError(.rejected, "\(reason); correct them, or omit --replace", source: source)
    }

    /// Writes `"left_out": [{"key": …, "code": …, "message": …, "line": …, "column": …}]`.
    func writeMember(to json: inout JSONWriter) {
        json.member("left_out", each: problems) { problem, array in
            array.object { object in
                object.member("key") { $0.optional(problem.key) { $0.string($1) } }
                object.member("code") { $0.string(problem.code.rawValue) }
                object.member("message") { $0.string(problem.message) }
                object.member("line") { $0.optional(problem.location) { $0.number($1.line) } }
                object.member("column") { $0.optional(problem.location) { $0.number($1.column) } }
            }
        }
    }
}
