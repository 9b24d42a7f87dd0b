import ArgumentParser
import ConfigModel
import Files
import RemoteConfig

/// `livery history [KEY]`
struct HistoryCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Show what changed, when, by whom and why, newest first.",
        usage: "livery history [<key>] [<options>]",
        discussion: """
            A revision is never split, so that --before misses nothing; a terminal shows only the first of its keys.

            As JSON: {"history": [{"revision": …, "key": …, "value": …, "author": …, "message": …, "updated_at": …}], \
            "next": …}; value is null where the key was removed, and next is the --before of the next page, or null.
            """
    )

    @Argument(help: "Only changes of this key.", completion: KeyCompletion.kind)
    var key: String?

    @Option(name: .shortAndLong, help: ArgumentHelp("How many changes at most.", valueName: "count"))
    var limit = 20

    @Option(help: ArgumentHelp("Only revisions lower than this one.", valueName: "revision"))
    var before: UInt64?

    @OptionGroup var access: ServerOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if limit < 1 { throw ValidationError("--limit is 1 or more.") }
    }

    func check() throws(ConfigError) {
        if let key { try Assignment.check(key) }
    }

    @MainActor
    func run(in session: OperatorSession) async throws {
        let history = try await read(session).firstPage(of: limit)
        if session.style.isJSON { return try session.writeJSON(history.json) }
        let shown = Array(history.records.prefix(limit))
        try Output.standard.write(Self.table(of: shown, clock: .local).text(style: session.style))
        let rest = history.records.count - shown.count
        if rest > 0, let last = shown.last {
            try session.write([[Span("… and \(rest.grouped) more keys of revision \(last.revision)", .faint)]])
        }
        if let next = history.next {
            try session.write([[Span("There is more: --before \(next)", .faint)]])
        }
    }

    /// As many records as requested, in as many pages as the server needs.
    private func read(_ session: OperatorSession) async throws(ConfigError) -> HistoryMessage {
        var history = HistoryMessage(records: [], next: before)
        repeat {
            let count = min(limit - history.records.count, 100)
            let page = try await session.client.history(of: key, before: history.next, limit: count)
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
                    Span(record.key, .key),
                    record.value.map { Span($0.canonicalJSON) } ?? Span("removed", .removed),
                    Span(record.message ?? ""),
                ]
            }
        )
    }
}

extension HistoryMessage {
    /// The fewest whole revisions that have so many records, or all records.
    ///
    /// A server may send more than requested. What is cut off here starts the next page.
    func firstPage(of limit: Int) -> HistoryMessage {
        guard records.count > limit, limit > 0 else { return self }
        let last = records[limit - 1].revision
        let page = Array(records.prefix { $0.revision >= last })
        return page.count == records.count ? self : HistoryMessage(records: page, next: last)
    }
}
