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
              livery export -n staging | livery import - -n production

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
    /// - Throws: a failure with all mistakes in the schemas.
    fileprivate func checkSchemas(source: String) throws {
        do throws(SchemaError) {
            _ = try SchemaSet(schemas)
        } catch {
            throw error.failure(source: source)
        }
    }
}

/// The import of a document into a namespace.
struct ImportJob {
    let document: DocumentContents
    /// Whether entries that the document does not have are removed, of the kinds that it lists.
    let replaces: Bool
    /// Whether all keys of the namespace may be removed.
    var removesAll = false
    /// Whether it may become several revisions.
    var inBatches = false
    var message: String?
    /// The revision that the namespace has to be at; `nil` for the one that is read.
    var expect: UInt64?

    /// The result of the import, with nothing written yet.
    func plan(from now: ServerSnapshot) -> ImportResult {
        let present = NamespaceContents(of: now)
        let diff = ConfigDiff(from: present, to: document.applied(to: present, replacing: replaces))
        let unchanged = document.contents.values.count { present.values[$0.key] == $0.value }
        return ImportResult(diff: diff, unchanged: unchanged, revision: now.cursor.revision)
    }

    /// The same, of a namespace as it is now.
    ///
    /// - Parameter isBegun: whether this import has removed keys already.
    /// - Throws: `rejected` if values would violate schemas, or all keys would be removed and that is not allowed.
    func plan(on client: ServerClient, isBegun: Bool = false) async throws(ConfigError) -> ImportResult {
        let now = try await client.snapshot(withSchemas: true)
        let plan = plan(from: now)
        let present = NamespaceContents(of: now)
        if !removesAll, !isBegun { try present.refuseRemovingAll(plan.diff, by: "--replace") }
        try present.check(plan.diff)
        // The schemas come with the last portion, so that those of now are the schemas of the first ones.
        if inBatches, plan.diff.batches().count > 1 {
            do throws(ConfigError) {
                try present.check(ConfigDiff(Array(plan.diff.values)))
            } catch {
                guard plan.diff.schemas.isEmpty else { throw error.breakingReplacedSchemas }
                throw error
            }
        }
        return plan
    }

    /// - Parameter dryRun: whether only to have the server check what it can.
    func run(on client: ServerClient, dryRun: Bool) async throws(ConfigError) -> ImportResult {
        var done: ImportResult?
        var total = 0
        do throws(ConfigError) {
            return try await ServerClient.retrying(expect == nil || done != nil, after: done?.revisions ?? 0) {
                () async throws(ConfigError) in
                let plan = try await plan(on: client, isBegun: done != nil)
                total = (done?.diff.values.count ?? 0) + plan.diff.values.count
                guard plan.diff.isEmpty || dryRun else { return try await publish(plan, client, after: &done) }
                if dryRun || expect != nil, done == nil { try await client.rehearse(expect: expect, message: message) }
                return done ?? plan
            }
        } catch {
            guard error.code == .conflict else { throw error }
            throw Self.explained(error, done: done?.diff.values.count ?? 0, of: total)
        }
    }

    /// - Parameter done: what was published before the last conflict; `nil` if that is nothing.
    private func publish(
        _ plan: ImportResult,
        _ client: ServerClient,
        after done: inout ImportResult?
    ) async throws(ConfigError) -> ImportResult {
        var result = done ?? ImportResult(diff: ConfigDiff([]), unchanged: plan.unchanged)
        let total = result.diff.values.count + plan.diff.values.count
        let progress = ProgressLine(what: "keys", total: total)
        progress.show(result.diff.values.count)
        result.revision = plan.revision
        for batch in inBatches ? plan.diff.batches() : [plan.diff] {
            let expected = result.revisions == 0 ? expect ?? result.revision : result.revision
            let request = batch.request(expect: expected, message: message)
            do throws(ConfigError) {
                result.revision = try await client.publish(request).cursor.revision
            } catch {
                progress.interrupt()
                if error.code == .conflict { throw error }
                throw Self.explained(error, done: result.diff.values.count, of: total)
            }
            result.revisions += 1
            result.diff = ConfigDiff(result.diff.changes + batch.changes)
            done = result
            progress.show(result.diff.values.count)
        }
        return result
    }

    private static func explained(_ error: ConfigError, done: Int, of total: Int) -> ConfigError {
        var error = error
        if done > 0 {
            let state = "\(done.grouped) of \(total.grouped) keys are imported"
            let isBroken = !error.violations.isEmpty
            error.message =
                isBroken
                ? "\(state), the rest would break schemas" : "\(error.message); \(state), run it again for the rest"
        } else if error.code == .tooLarge {
            error.message += "; nothing was imported, --batches does it in several revisions"
        }
        return error
    }
}

extension ConfigError {
    /// Why values that keep the schemas which come with them cannot come before them.
    fileprivate var breakingReplacedSchemas: ConfigError {
        var error = self
        error.message = """
            nothing was written: with --batches the schemas come last, and the values break those that are there until then; \
            import without --batches, or unset these schemas first
            """
        return error
    }
}

extension ConfigDiff {
    /// The same changes in portions that any server accepts. The schemas are together, in the last one.
    func batches(ofKeys maximumKeys: Int = 500, bytes maximumBytes: Int = 256 * 1024) -> [ConfigDiff] {
        var batches: [ConfigDiff] = []
        var batch: [KeyChange] = []
        var bytes = 0
        for change in changes {
            // The key and the value with their quotes, colon and comma.
            let size = change.key.utf8.count + (change.new?.canonicalJSON.utf8.count ?? 0) + 4
            let isFull = batch.count == maximumKeys || bytes + size > maximumBytes
            if isFull, change.kind == .value, !batch.isEmpty {
                batches.append(ConfigDiff(batch))
                (batch, bytes) = ([], 0)
            }
            batch.append(change)
            bytes += size
        }
        return batch.isEmpty ? batches : batches + [ConfigDiff(batch)]
    }
}

struct ImportResult: Hashable, Sendable {
    var diff: ConfigDiff
    /// How many keys of the document were up to date.
    var unchanged: Int
    var revision: UInt64 = 0
    /// How many revisions the import became.
    var revisions = 0

    /// `2,490 new, 10 unchanged: revision 14.`
    var sentence: String {
        if diff.isEmpty { return "Up to date at revision \(revision)." }
        let same = unchanged > 0 ? ", \(unchanged.grouped) unchanged" : ""
        let end =
            switch revisions {
            case 0: "nothing written yet"
            case 1: "revision \(revision)"
            default: "\(revisions.grouped) revisions, the last is \(revision)"
            }
        return "\(diff.summary)\(same): \(end)."
    }

    func writeMembers(to json: inout JSONWriter) {
        json.member("revision") { $0.number(revision) }
        json.member("revisions") { $0.number(revisions) }
        json.member("new") { $0.number(diff.added) }
        json.member("changed") { $0.number(diff.changed) }
        json.member("removed") { $0.number(diff.removed) }
        json.member("unchanged") { $0.number(unchanged) }
        json.member("changed_schemas") { $0.strings(diff.schemas.map(\.key)) }
        json.member("changed_rules") { $0.strings(diff.rules.map(\.key)) }
    }
}
