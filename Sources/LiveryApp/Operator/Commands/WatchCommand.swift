import ArgumentParser
import ConfigModel
import Files
import Foundation
import Observing
import RemoteConfig

/// `livery watch [KEY …]`
struct WatchCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Print each change as it happens, until Ctrl-C.",
        usage: "livery watch [<key> ...] [<options>]",
        discussion: """
            A line has the time, the key, its old and its new value and the revision. After a broken connection, the \
            changes that were missed follow as one change of each key, with the time from the server's history.

            As JSON, a line each: {"time": …, "revision": …, "key": …, "old": …, "new": …}; null without an entry.
            """
    )

    @Argument(
        help: "Only these keys; one that ends in a dot is a prefix.",
        completion: KeyCompletion.kind
    )
    var keys: [String] = []

    @OptionGroup var access: ServerOptions
    @OptionGroup var output: OutputOptions

    func check() throws(ConfigError) {
        for key in keys { try Assignment.check(prefix: key) }
    }

    /// How many states may wait while the output is not read; beyond that, older ones are merged.
    private static let mostWaiting = 1000

    @MainActor
    func run(in session: OperatorSession) async throws {
        let service = SyncService(source: try session.client.source(), notificationCenter: NotificationCenter())
        if case .failed(let error) = await service.refresh() {
            // The operator's client reports what to do about it at the command line.
            if error.retryAfter == nil { _ = try await session.client.snapshot() }
            throw error
        }
        let start = service.state.current.snapshot
        let address = session.client.address
        Output.error.writeLine(
            "Watching \(address.namespace) at \(address.text) from revision \(start.cursor?.revision ?? 0)."
        )
        let states = service.state.succession(keeping: Self.mostWaiting)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await service.run() }
            var watched = WatchedState(start)
            for await state in states { try await report(watched.update(state), session) }
            group.cancelAll()
        }
    }

    @MainActor
    private func report(_ news: WatchedState.News, _ session: OperatorSession) async throws {
        if let problem = news.problem { Output.error.writeLine("Trying again: \(problem.sentence)") }
        let changes = news.diff.changes.filter { Self.isWanted($0.key, by: keys) }
        if changes.isEmpty { return }
        let records = news.isFresh ? [:] : await history(of: Set(changes.map(\.key)), news, session.client)
        let lines = changes.map { change in
            let record = records[change.key]
            let (revision, time) = (record?.revision ?? news.revision, record?.updatedAt ?? news.receivedAt)
            return session.style.isJSON
                ? session.style.json(Self.json(change, revision: revision, at: time)) + "\n"
                : session.style.line(Self.line(change, revision: revision, at: time, style: session.style))
        }
        try Output.standard.write(lines.joined())
    }

    /// The records of the server's history for changes that arrived late. Without an answer, the time of their arrival
    /// is shown.
    private func history(
        of keys: Set<String>,
        _ news: WatchedState.News,
        _ client: ServerClient
    ) async -> [String: HistoryRecord] {
        var search = HistorySearch(for: keys, after: news.since, through: news.revision)
        while let before = search.nextBefore {
            guard let page = try? await client.history(before: before, limit: 500) else { break }
            search.add(page)
        }
        return search.found
    }

    static func isWanted(_ key: String, by filters: [String]) -> Bool {
        filters.isEmpty || filters.contains { $0.hasSuffix(".") ? key.hasPrefix($0) : key == $0 }
    }

    static func line(
        _ change: KeyChange,
        revision: UInt64,
        at time: Timestamp,
        clock: ClockFormat = .local,
        style: OutputStyle
    ) -> [Span] {
        let start = Span(clock.clock(time) + "  ", .faint)
        let end = Span("  r\(revision)", .faint)
        var style = style
        style.columns = style.columns.map { $0 - start.text.utf8.count - end.text.utf8.count }
        return [start] + change.line(style: style) + [end]
    }

    static func json(_ change: KeyChange, revision: UInt64, at time: Timestamp) -> [UInt8] {
        var json = JSONWriter()
        json.object { object in
            object.member("time") { $0.string(time.description) }
            object.member("revision") { $0.number(revision) }
            change.writeMembers(to: &object)
        }
        return json.bytes
    }
}
