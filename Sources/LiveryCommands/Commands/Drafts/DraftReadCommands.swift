// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigChanges
import ConfigClient
import ConfigModel
import ConfigWire
import Files
import Programs
import TerminalUI

struct DraftListCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List drafts, newest first.",
        usage: "livery draft list [<options>]",
        discussion: """
            EXAMPLES
              livery draft list
              livery draft list --mine
              livery draft list --state missed
              livery draft list --state all --key app.color

            As JSON: {"namespace": …, "drafts": [{"id": …, "title": …, "author": …, "version": …, "state": …, "status": …, \
            "missing": [text, …], "keys": [key, …], "created_at": …, "updated_at": …}], "next": …}, with apply_at and \
            instant of a scheduled draft, and revision of an applied one.
            """
    )

    @Option(
        help: ArgumentHelp(
            """
            List only drafts in this state: open (default), applied, closed, "in review", approved, scheduled, due, missed, \
            conflicted or invalid; all for all.
            """,
            valueName: "state"
        )
    )
    var state = "open"

    @Option(
        help: ArgumentHelp("List only drafts that change this key; schema:NAME and rule:KEY too.", valueName: "key"),
        completion: KeyCompletion.names(of: .value)
    )
    var key: String?

    @Flag(help: "List only your own drafts.")
    var mine = false

    @Option(name: .shortAndLong, help: ArgumentHelp("Set the maximum number of drafts.", valueName: "count"))
    var limit = 100

    @OptionGroup var access: ServerOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if limit < 1 { throw ValidationError("--limit must be at least 1.") }
    }

    func run(in session: OperatorSession) async throws {
        let state = state == "all" ? nil : state
        let list = try await session.client.allDrafts(state: state, key: key, isMine: mine, limit: limit)
        if list.drafts.isEmpty { await session.reportMissingNamespace() }
        if session.style.isJSON {
            return try session.writeResult { object in
                object.member("drafts", each: list.drafts) { draft, array in
                    array.object { draft.writeMembers(to: &$0) }
                }
                object.member("next") { $0.optional(list.next) { $0.string($1) } }
            }
        }
        let table = TextTable(
            headings: ["DRAFT", "TITLE", "STATUS", "AUTHOR", "KEYS", "APPLY AT", "CHANGED"],
            rows: list.drafts.map { draft in
                [
                    Span(draft.id, .key), Span(draft.title), Span(draft.words), Span(draft.author ?? "-"),
                    "\(draft.keys.count)", Span(draft.applyAt ?? "-"),
                    Span(ClockFormat.local.dateAndClock(draft.updatedAt), .faint),
                ]
            },
            whole: ["DRAFT", "STATUS", "KEYS", "CHANGED"],
            dispensable: ["CHANGED", "KEYS", "AUTHOR"]
        )
        try Output.standard.write(table.text(style: session.style))
        if list.next != nil { try session.write("There are more; raise --limit.", .faint) }
    }
}

extension ServerClient {
    /// The drafts, newest first, in as many pages as necessary.
    func allDrafts(
        state: String? = nil,
        key: String? = nil,
        isMine: Bool = false,
        limit: Int = .max
    ) async throws(ConfigError) -> DraftList {
        var list = DraftList(drafts: [], next: nil)
        repeat {
            let count = min(limit - list.drafts.count, 1000)
            let page = try await drafts(state: state, key: key, isMine: isMine, cursor: list.next, limit: count)
            list.drafts += page.drafts
            list.next = page.drafts.isEmpty ? nil : page.next
        } while list.next != nil && list.drafts.count < limit
        return list
    }
}

struct DraftShowCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the state of a draft, and its events.",
        usage: "livery draft show <id> [<options>]",
        discussion: """
            EXAMPLE
              livery draft show k3m9pq2r

            As JSON: {"namespace": …, "id": …, "title": …, "author": …, "version": …, "state": …, "status": …, "missing": \
            [text, …], "keys": [key, …], "created_at": …, "updated_at": …, "editors": [subject, …], "digest": …, \
            "operations": [{"key": …, "base": …, "revision": …, "current": …, "proposed": …}], "problems": [{"pointer": …, \
            "message": …}], "approvers": [subject, …], "needed": …, "reviews": [as log], "log": [{"event": …, "subject": \
            …, "token": …, "time": …, "version": …}]}; base and revision are the revisions of the base and of the current \
            entry.
            """
    )

    @OptionGroup var draft: DraftArgument
    @OptionGroup var access: ServerOptions
    @OptionGroup var output: OutputOptions

    func run(in session: OperatorSession) async throws {
        let draft = try await session.client.draft(draft.id)
        if session.style.isJSON { return try session.writeResult(draft.writeMembers) }
        try session.write([[Span("Draft \(draft.summary.id)", .key), Span(": \(draft.summary.title)")]])
        let keys = draft.summary.keys.map(EntryKind.named).map { $0.kind.label + $0.name }
        let changed = keys + (draft.policy == nil ? [] : ["the policy of reviews"])
        for (name, text) in draft.facts + [("Changes", changed.joined(separator: ", "))] {
            try session.write([[Span("\(name): ", .faint), Span(text)]])
        }
        try session.write(draft.problems.map { [Span($0.line, .problem)] })
        let events = draft.log.reversed().map { DraftLogEntry(draft: draft.summary, event: $0) }
        try Output.standard.write(events.table(ofOne: true).text(style: session.style))
    }
}

struct DraftDiffCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Show the changes of a draft side by side.",
        usage: "livery draft diff <id> [<options>]",
        discussion: """
            BASE is the value that the key had when it was put into the draft, CURRENT the value now, and PROPOSED that of \
            the draft. The digest is one for --digest of `livery draft approve`.

            EXAMPLE
              livery draft diff k3m9pq2r

            As JSON: {\(DraftCommand.shape), "operations": [{"key": …, "conflict": …, "base": {"revision": …, "value": \
            …}, "current": {"revision": …, "value": …}, "proposed": …}], "problems": [{"pointer": …, "message": …}]}; base, \
            current and proposed are null if there is no entry.
            """
    )

    @OptionGroup var draft: DraftArgument
    @OptionGroup var access: ServerOptions
    @OptionGroup var output: OutputOptions

    func run(in session: OperatorSession) async throws {
        let diff = try await session.diff(of: try await session.client.draft(draft.id))
        if session.style.isJSON { return try session.writeResult(diff.writeMembers) }
        for line in diff.lines(session.style) { try Output.standard.write(line) }
    }
}

struct DraftPreviewCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "preview",
        abstract: "Print the configuration as it would be with a draft.",
        usage: "livery draft preview <id> [<options>]",
        discussion: """
            The document is that of `livery export --no-schemas`, as if the draft were applied now. The address of the preview \
            is printed on standard error: `livery` and other programs follow it live until the draft is applied or closed, \
            and it is never stored in their caches.

            EXAMPLES
              livery draft preview k3m9pq2r --list
              livery draft preview k3m9pq2r --exact | jq .entries
            """
    )

    @OptionGroup var draft: DraftArgument
    @OptionGroup var layout: ExportFormOptions

    @Flag(help: "List keys and values instead of a document.")
    var list = false

    @OptionGroup var access: ServerOptions

    func validate() throws {
        if list, layout.isGiven { throw ValidationError("--list cannot be combined with --flat, --nested or --exact.") }
    }

    func run(in session: OperatorSession) async throws {
        let contents = NamespaceContents(of: try await session.client.preview(ofDraft: draft.id))
        let address = "\(session.client.address.name)?draft=\(draft.id)"
        Output.error.writeLine("To follow the preview: livery '\(address)'".sanitized())
        guard list else { return try session.write(contents, layout, withSchemas: true) }
        let entries = contents.entries.sorted { $0.key < $1.key }
        let table = TextTable(
            headings: ["KEY", "VALUE"],
            rows: entries.map { key, value in
                let (kind, name) = EntryKind.named(key)
                let json = value.canonicalJSON
                return [Span(kind.label + name, .key), session.style.cell(value, json)]
            }
        )
        try Output.standard.write(table.text(style: session.style))
    }
}

/// An event in the life of a draft.
struct DraftLogEntry {
    let draft: DraftSummary
    let event: DraftMessage.Event

    func writeMembers(to object: inout JSONWriter) {
        object.member("time") { $0.string(event.time.description) }
        object.member("draft") { $0.string(draft.id) }
        object.member("title") { $0.string(draft.title) }
        object.member("event") { $0.string(event.event) }
        object.member("subject") { $0.optional(event.subject) { $0.string($1) } }
        object.member("token") { $0.optional(event.token) { $0.string($1) } }
        object.member("version") { $0.number(event.version) }
        object.member("digest") { $0.optional(event.digest) { $0.string($1) } }
        object.member("comment") { $0.optional(event.comment) { $0.string($1) } }
        object.member("superseded") { $0.boolean(event.isSuperseded) }
    }
}

extension [DraftLogEntry] {
    /// - Parameter isOfOne: whether all are events of one draft, which is not named then.
    func table(ofOne isOfOne: Bool) -> TextTable {
        TextTable(
            headings: ["WHEN", "WHO", "EVENT"] + (isOfOne ? [] : ["DRAFT", "TITLE"]) + ["VERSION", "COMMENT"],
            rows: map { entry in
                let event = entry.event
                let name = event.event + (event.isSuperseded ? " (superseded)" : "")
                let draft = [Span(entry.draft.id, .key), Span(entry.draft.title)]
                return [
                    Span(ClockFormat.local.dateAndClock(event.time), .faint), Span(event.subject ?? "-"), Span(name),
                ]
                    + (isOfOne ? [] : draft) + ["\(event.version)", Span(event.comment ?? "")]
            },
            whole: ["WHEN", "DRAFT", "VERSION"],
            dispensable: ["TITLE", "VERSION"]
        )
    }
}

extension ServerClient {
    /// The latest events of all drafts, newest first.
    ///
    /// - Parameter key: only of drafts that change this key, as in `EntryKind`.
    func draftEvents(ofKey key: String?, limit: Int) async throws(ConfigError) -> [DraftLogEntry] {
        var events: [DraftLogEntry] = []
        for draft in try await allDrafts(key: key).drafts.sorted(by: { $0.updatedAt > $1.updatedAt }) {
            // The events of the drafts that follow are older.
            if events.count >= limit, events[limit - 1].event.time > draft.updatedAt { break }
            events += try await self.draft(draft.id).log.reversed().map { DraftLogEntry(draft: draft, event: $0) }
            events = Array(events.sorted { $0.event.time > $1.event.time }.prefix(limit))
        }
        return events
    }
}
