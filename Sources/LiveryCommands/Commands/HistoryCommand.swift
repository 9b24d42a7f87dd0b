// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigChanges
import ConfigClient
import ConfigModel
import ConfigWire
import Files
import HTTPTransport
import Programs
import TerminalUI

struct HistoryCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Show changes with their time, author and message, newest first.",
        usage: "livery history [<key>] [<options>]",
        discussion: """
            A revision is never split across pages, so --before skips no changes; on a terminal only the first keys of \
            a large revision are shown. A change of a JSON Schema is listed as schema app.colors.*, a change of a rule \
            as rule app.color.

            EXAMPLES
              livery history --limit 50
              livery history app.background.color
              livery history --schema 'app.colors.*'
              livery history --rule app.background.color
              livery history --drafts

            With --drafts, the events of drafts are listed instead: who created, edited, approved, rejected, applied and \
            closed each draft, and when.

            As JSON: {"namespace": …, "history": [{"revision": …, "key": …, "value": …, "author": …, "message": …, \
            "updated_at": …}], "next": …}; value is null if the key was removed, and next is the --before of the next \
            page, or null. For a schema or a rule, kind is "schema" or "rule", key is its name, and value is the \
            schema or the rule. With --drafts: {"namespace": …, "events": [{"time": …, "draft": …, "title": …, "event": …, \
            "subject": …, "token": …, "version": …, "digest": …, "comment": …, "superseded": …}]}.
            """
    )

    @Argument(help: "Show only changes of this key.", completion: KeyCompletion.names(of: .value))
    var key: String?

    @Option(
        help: ArgumentHelp("Show only changes of this schema.", valueName: "name"),
        completion: KeyCompletion.names(of: .schema)
    )
    var schema: String?

    @Option(
        help: ArgumentHelp("Show only changes of the rule of this key.", valueName: "key"),
        completion: KeyCompletion.names(of: .rule)
    )
    var rule: String?

    @Flag(help: "List the events of drafts: who proposed, approved and applied what, and when.")
    var drafts = false

    @Option(name: .shortAndLong, help: ArgumentHelp("Set the maximum number of changes.", valueName: "count"))
    var limit = 20

    @Option(help: ArgumentHelp("Show only revisions before this one.", valueName: "revision"))
    var before: UInt64?

    @OptionGroup var access: ServerOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if limit < 1 { throw ValidationError("--limit must be at least 1.") }
        if drafts, before != nil { throw ValidationError("--before cannot be combined with --drafts.") }
        if [key, schema, rule].compactMap(\.self).count > 1 {
            throw ValidationError("KEY, --schema and --rule are mutually exclusive.")
        }
    }

    func check() throws(ConfigError) {
        if let (kind, name) = entry { try kind.check(name) }
    }

    func run(in session: OperatorSession) async throws {
        if drafts { return try await runDrafts(in: session) }
        let history = try await read(session).firstPage(of: limit)
        if history.records.isEmpty { await session.reportMissingNamespace() }
        if session.style.isJSON { return try session.writeResult(history.writeMembers) }
        let shown = Array(history.records.prefix(limit))
        try Output.standard.write(Self.table(of: shown, clock: .local).text(style: session.style))
        let rest = history.records.count - shown.count
        if rest > 0, let last = shown.last {
            try session.write("… and \(rest.grouped) more keys of revision \(last.revision)", .faint)
        }
        if let next = history.next { try session.write("For more, use --before \(next)", .faint) }
    }

    private func runDrafts(in session: OperatorSession) async throws {
        let key = entry.map { $0.kind.key(of: $0.name) }
        let events = try await session.client.draftEvents(ofKey: key, limit: limit)
        if session.style.isJSON {
            return try session.writeResult { object in
                object.member("events", each: events) { event, array in array.object { event.writeMembers(to: &$0) } }
            }
        }
        try Output.standard.write(events.table(ofOne: false).text(style: session.style))
    }

    private var entry: (kind: EntryKind, name: String)? {
        key.map { (.value, $0) } ?? schema.map { (.schema, $0) } ?? rule.map { (.rule, $0) }
    }

    /// As many records as requested, in as many pages as the server needs.
    private func read(_ session: OperatorSession) async throws(ConfigError) -> HistoryMessage {
        var history = HistoryMessage(records: [], next: before)
        repeat {
            let count = min(limit - history.records.count, 100)
            let key = entry.map { $0.kind.key(of: $0.name) }
            let page = try await session.client.historyPage(of: key, before: history.next, limit: count)
            history.records += page.records
            history.next = page.records.isEmpty ? nil : page.next
        } while history.next != nil && history.records.count < limit
        return history
    }

    static func table(of records: [HistoryRecord], clock: ClockFormat) -> TextTable {
        TextTable(
            headings: ["REVISION", "WHEN", "AUTHOR", "KEY", "VALUE", "MESSAGE"],
            rows: records.map { record in
                [
                    "\(record.revision)",
                    Span(clock.dateAndClock(record.updatedAt), .faint),
                    Span(record.author ?? "-"),
                    Span(record.kind.label + record.key, .key),
                    record.words.map { Span($0) } ?? Span("removed", .removed),
                    Span(record.note ?? ""),
                ]
            }
        )
    }
}

extension HistoryMessage {
    /// The smallest number of whole revisions with this many records. A server may send more: the rest starts the next page.
    func firstPage(of limit: Int) -> HistoryMessage {
        guard records.count > limit, limit > 0 else { return self }
        let last = records[limit - 1].revision
        let page = Array(records.prefix { $0.revision >= last })
        return page.count == records.count ? self : HistoryMessage(records: page, next: last)
    }
}
