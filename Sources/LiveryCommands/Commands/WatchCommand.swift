// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigChanges
import ConfigClient
import ConfigModel
import ConfigWire
import Essentials
import Files
import Observing
import Programs
import RemoteConfig

struct WatchCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Print changes as they happen.",
        usage: "livery watch [<key> ...] [<options>]",
        discussion: """
            Runs until Ctrl-C. Each line contains the time, the key, the old and the new value, and the revision. \
            After a reconnect, missed changes are printed as one change per key, with the time from the server's \
            history. A changed rule is printed with the word rule before the key.
            --since first prints each change after REVISION from the server's history, oldest first, then continues \
            with new changes, without gaps or duplicates. If the history does not reach back that far, nothing is \
            printed and the exit code is 1.
            With --context, each line is a change of the value for this user: by a value, by a rule, or by the time \
            that a rule reads. The context is evaluated locally. Missed changes then have the time of the reconnect.

            EXAMPLES
              livery watch app.background.color
              livery watch app. --since 41
              livery watch app. --context user=42 --context language=es

            As JSON, one object per line: {"namespace": …, "time": …, "revision": …, "key": …, "old": …, "new": …}; \
            old and new are null if the key does not exist. For a rule, "kind" is "rule".
            """
    )

    @Argument(
        help: "Watch only these keys; a name that ends in a dot is a prefix.",
        completion: KeyCompletion.names(of: .value, .rule, as: .value)
    )
    var keys: [String] = []

    @Option(help: ArgumentHelp("Start with the changes after this revision.", valueName: "revision"))
    var since: UInt64?

    @OptionGroup var audience: ContextOptions
    @OptionGroup var access: ServerOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        // The history has no values for users.
        if since != nil, !audience.given.isEmpty {
            throw ValidationError("--since cannot be combined with --context.")
        }
    }

    func check() throws(ConfigError) {
        for key in keys { try EntryKind.value.check(prefix: key) }
    }

    /// The maximum number of states that wait while the output is blocked; beyond that, older ones are merged.
    private static let maximumPendingStates = 1000

    func run(in session: OperatorSession) async throws {
        var settings = ServiceSettings()
        settings.notificationCenter = nil
        (settings.context, settings.isContextExact) = (try audience.context, true)
        let service = RemoteConfigService(source: ServerSource(session.client), settings)
        if case .failed(let error) = await service.refreshOutcome() {
            // The operator's client reports what to do about it at the command line.
            if error.retryAfter == nil { _ = try await session.client.snapshot() }
            throw error
        }
        let start = service.state.current.snapshot
        let address = session.client.address
        let first = start.cursor?.revision ?? 0
        var past: [HistoryReplay.Step] = []
        if let since { past = try await HistoryReplay(after: since, to: start, on: session.client).steps }
        Output.error.writeLine("Watching \(address.namespace) at \(address.text) from revision \(since ?? first).")
        if first == 0 { await session.reportMissingNamespace() }
        try write(past, session)
        let (states, news) = AsyncStream.makeStream(
            of: ConfigState.Snapshot.self,
            bufferingPolicy: .bufferingNewest(Self.maximumPendingStates)
        )
        let subscription = service.state.observed.observe { news.yield($1) }
        defer { subscription.end() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await service.run() }
            var watched = WatchedState(start, isOfContext: settings.context != nil)
            for await state in states {
                try await report(watched.update(state), session)
                if let end = state.status.problem, end.code == .ended { throw end }
            }
            group.cancelAll()
        }
    }

    @MainActor
    private func report(_ news: WatchedState.News, _ session: OperatorSession) async throws {
        if let problem = news.problem, problem.code != .ended {
            Output.error.writeLine("Reconnecting: \(problem.sentence)")
        }
        let changes = news.diff.changes.filter { Self.isWanted($0.key, by: keys) }
        if changes.isEmpty { return }
        let isRecorded = audience.given.isEmpty && !news.isFresh
        let records = !isRecorded ? [:] : await history(of: Set(changes.map(\.heldKey)), news, session.client)
        let steps = changes.map { change in
            let record = records[change.heldKey]
            return HistoryReplay.Step(
                change: change,
                revision: record?.revision ?? news.revision,
                time: record?.updatedAt ?? news.receivedAt
            )
        }
        try write(steps, session)
    }

    private func write(_ steps: [HistoryReplay.Step], _ session: OperatorSession) throws {
        let style = session.style
        let lines = steps.filter { Self.isWanted($0.change.key, by: keys) }.map { step in
            style.isJSON
                ? style.json(Self.json(step, namespace: session.client.address.namespace)) + "\n"
                : style.line(Self.line(step, style: style))
        }
        try Output.standard.write(lines.joined())
    }

    /// The server's records of changes that arrived late. Without them, the time of their arrival is shown.
    private func history(
        of keys: Set<String>,
        _ news: WatchedState.News,
        _ client: ServerClient
    ) async -> [String: HistoryRecord] {
        var search = HistorySearch(for: keys, after: news.since, through: news.revision)
        while let before = search.nextBefore {
            // Without the history, the changes are printed without their authors.
            guard let page = try? await client.historyPage(before: before, limit: 500) else { break }
            search.add(page)
        }
        return search.found
    }

    static func isWanted(_ key: String, by filters: [String]) -> Bool {
        filters.isEmpty
            || filters.contains {
                $0.utf8.last == UInt8(ascii: ".") ? key.utf8.starts(with: $0.utf8) : key.hasSameScalars(as: $0)
            }
    }

    static func line(_ step: HistoryReplay.Step, clock: ClockFormat = .local, style: OutputStyle) -> [Span] {
        let start = Span(clock.dateAndClock(step.time) + "  ", .faint)
        let end = Span("  r\(step.revision)", .faint)
        var style = style
        style.columns = style.columns.map { $0 - start.text.utf8.count - end.text.utf8.count }
        return [start] + step.change.line(style: style) + [end]
    }

    static func json(_ step: HistoryReplay.Step, namespace: String) -> [UInt8] {
        let change = step.change
        return JSONWriter.object { object in
            object.member("namespace") { $0.string(namespace) }
            object.member("time") { $0.string(step.time.description) }
            object.member("revision") { $0.number(step.revision) }
            if change.kind != .value { object.member("kind") { $0.string(change.kind.rawValue) } }
            change.writeMembers(to: &object)
        }
    }
}
