import ArgumentParser
import ConfigModel
import Files
import RemoteConfig
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
            Keys that the document does not have stay, unless --replace is given. Values that are up to date are not \
            written again, and after a conflict with another writer the import starts again. If the document is too large \
            for one request, --batches imports it in several revisions; if one fails, those before it stay.
            A key that cannot be stored (its value is null or a number that is not exact, its name is not a valid key) is \
            left out: a line on standard error names its place, and the rest is imported. With --replace the document is \
            refused instead, so that such a key is not removed by mistake.

            EXAMPLES
              livery import config.json --dry-run
              livery import config.json --replace -m 'Release 7'
              livery export -n staging | livery import - -n production

            As JSON: {"namespace": …, "revision": …, "revisions": …, "new": …, "changed": …, "removed": …, \
            "unchanged": …, "left_out": [{"key": …, "code": …, "message": …, "line": …, "column": …}]}; revisions counts \
            those of the import, and left_out lists the first 100 keys that were left out.
            """
    )

    @Argument(help: "The document, in any form; - for standard input.", completion: .file(extensions: ["json"]))
    var file: String

    @Flag(help: "Remove the keys that the document does not have.")
    var replace = false

    @Flag(help: "Show what would change, and change nothing.")
    var dryRun = false

    @Flag(help: "Import in several revisions if one request cannot hold it all.")
    var batches = false

    @Option(name: .shortAndLong, help: ArgumentHelp("Why, for the history.", valueName: "text"))
    var message: String?

    @OptionGroup var access: ServerOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if dryRun, batches || message != nil {
            throw ValidationError("--dry-run writes nothing; leave --batches and --message out.")
        }
    }

    func run(in session: OperatorSession) async throws {
        let document = try InputFile.document(at: file)
        let leftOut = LeftOutKeys(of: document)
        leftOut.tell()
        if replace { try leftOut.refuseReplacement(from: InputFile.name(of: file)) }
        let job = ImportJob(document: document.values, replaces: replace, inBatches: batches, message: message)
        let client = session.client
        let result = dryRun ? job.plan(from: try await client.snapshot()) : try await job.run(on: client)
        if session.style.isJSON {
            return try session.writeResult { object in
                result.writeMembers(to: &object)
                leftOut.writeMember(to: &object)
            }
        }
        try session.write(session.excerpt(of: result.diff) + [[Span(result.sentence)]])
    }
}

/// The import of a document into a namespace.
struct ImportJob {
    let document: [String: EntryValue]
    /// Whether keys that the document does not have are removed.
    let replaces: Bool
    /// Whether it may become several revisions.
    let inBatches: Bool
    let message: String?

    /// The result of the import, with nothing written yet.
    func plan(from now: ServerSnapshot) -> ImportResult {
        let entries = Dictionary(now.entries)
        let kept = replaces ? [:] : entries
        let diff = ConfigDiff(from: entries, to: kept.merging(document) { $1 })
        let unchanged = document.count - diff.added - diff.changed
        return ImportResult(diff: diff, unchanged: unchanged, revision: now.cursor.revision)
    }

    /// How often the import starts again after a conflict with another writer.
    private static let attempts = 8

    func run(on client: ServerClient) async throws(ConfigError) -> ImportResult {
        var attempt = 1
        while true {
            let plan = plan(from: try await client.snapshot())
            if plan.diff.isEmpty { return plan }
            do throws(ConfigError) {
                return try await publish(plan, client)
            } catch {
                guard error.code == .conflict, attempt < Self.attempts, !inBatches else { throw error }
                attempt += 1
            }
        }
    }

    private func publish(_ plan: ImportResult, _ client: ServerClient) async throws(ConfigError) -> ImportResult {
        var result = plan
        let diff = plan.diff
        let batches = inBatches ? diff.batches() : [diff]
        let progress = ProgressLine(what: "keys", total: diff.changes.count)
        var done = 0
        progress.show(done)
        for batch in batches {
            let request = batch.request(expect: result.revision, message: message)
            do throws(ConfigError) {
                result.revision = try await client.publish(request).cursor.revision
            } catch {
                progress.interrupt()
                throw Self.explained(error, done: done, of: diff.changes.count)
            }
            result.revisions += 1
            done += batch.changes.count
            progress.show(done)
        }
        return result
    }

    private static func explained(_ error: ConfigError, done: Int, of total: Int) -> ConfigError {
        var error = error
        if done > 0 {
            error.message += "; \(done.grouped) of \(total.grouped) keys are imported, run it again for the rest"
        } else if error.code == .tooLarge {
            error.message += "; nothing was imported, --batches does it in several revisions"
        }
        return error
    }
}

extension ConfigDiff {
    /// The same changes in portions that any server accepts.
    func batches(ofKeys maximumKeys: Int = 500, bytes maximumBytes: Int = 256 * 1024) -> [ConfigDiff] {
        var batches: [ConfigDiff] = []
        var batch: [KeyChange] = []
        var bytes = 0
        for change in changes {
            // The key and the value with their quotes, colon and comma.
            let size = change.key.utf8.count + (change.new?.canonicalJSON.utf8.count ?? 0) + 4
            if batch.count == maximumKeys || bytes + size > maximumBytes, !batch.isEmpty {
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
    }
}

/// The progress of long work on standard error: a bar on a terminal, lines elsewhere.
struct ProgressLine {
    var what: String
    var total: Int
    var isTerminal = Output.error.isTerminal
    var columns = Size(terminal: Output.error.descriptor)?.columns ?? 80

    /// Work of fewer parts shows nothing.
    static let threshold = 1000

    func show(_ done: Int) {
        try? Output.error.write(text(done))
    }

    /// Ends the line of the bar, for a message.
    func interrupt() {
        if isTerminal, total > Self.threshold { try? Output.error.write("\n") }
    }

    func text(_ done: Int) -> String {
        guard total > Self.threshold else { return "" }
        let count = "\(done.grouped) of \(total.grouped) \(what)"
        guard isTerminal else { return count + "\n" }
        // The last column stays free, so that no terminal wraps the line.
        let room = min(columns - 1 - count.columnWidth - 3, 40)
        let end = done == total ? "\n" : ""
        guard room >= 4 else { return "\r\(count.truncated(toColumns: columns - 1))\u{1B}[K\(end)" }
        let filled = room * done / total
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: room - filled)
        return "\r[\(bar)] \(count)\u{1B}[K\(end)"
    }
}
