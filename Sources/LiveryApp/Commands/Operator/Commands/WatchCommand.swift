import ArgumentParser
import ConfigModel
import Files
import RemoteConfig

/// `livery watch [KEY …]`
struct WatchCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Say each change as it happens, until Ctrl-C.",
        usage: "livery watch [<key> ...] [<options>]",
        discussion: """
            A line has the time, the key, its old and its new value and the revision. When the connection breaks, it is \
            taken up again, and what has changed meanwhile is said then, as one change of each key.

            As JSON, a line for each: {"time": …, "revision": …, "key": …, "old": …, "new": …}; null where there is no \
            entry.
            """
    )

    @Argument(
        help: "Only these keys; one that ends in a dot stands for all that begin with it.",
        completion: KeyCompletion.kind
    )
    var keys: [String] = []

    @OptionGroup var access: ServerOptions
    @OptionGroup var output: OutputOptions

    func check() throws(ConfigError) {
        for key in keys { try Assignment.check(prefix: key) }
    }

    @MainActor
    func run(in session: OperatorSession) async throws {
        let start = try await session.client.snapshot()
        let address = session.client.address
        Output.error.writeLine(
            "Watching \(address.namespace) at \(address.text) from revision \(start.cursor.revision)."
        )
        var state = WatchedState(start)
        var failures = 0
        while true {
            do {
                try await follow(&state, session) { failures = 0 }
            } catch let error as ConfigError where Self.mayPass(error) {
                if failures == 0 { Output.error.writeLine("Trying again: \(error.sentence)") }
                failures += 1
            }
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...Self.longestPause(after: failures))))
        }
    }

    /// Whether waiting may help.
    private static func mayPass(_ error: ConfigError) -> Bool {
        [.unreachable, .unavailable, .rateLimited].contains(error.code)
    }

    /// Milliseconds of the longest pause before another attempt: 0.2 s at first, then twice as long each time, up to
    /// 30 s, and drawn at random up to there, so that many clients do not come back at once.
    static func longestPause(after failures: Int) -> Int {
        min(200 << min(max(failures - 1, 0), 8), 30_000)
    }

    /// Says what happens until the connection ends.
    @MainActor
    private func follow(
        _ state: inout WatchedState,
        _ session: OperatorSession,
        onEvent: () -> Void
    ) async throws {
        var events = try await session.client.events(after: state.cursor)
        while let event = try await events.next() {
            onEvent()
            switch state.take(event) {
            case .changes(let diff):
                try say(diff, at: state.cursor.revision, session)
            case .resync:
                let diff = state.replace(with: try await session.client.snapshot())
                return try say(diff, at: state.cursor.revision, session)
            }
        }
    }

    private func say(_ diff: ConfigDiff, at revision: UInt64, _ session: OperatorSession) throws {
        let now = Timestamp.now
        let changes = diff.changes.filter { Self.isWanted($0.key, by: keys) }
        let lines = changes.map { change in
            session.style.isJSON
                ? session.style.json(Self.json(change, revision: revision, at: now)) + "\n"
                : session.style.line(Self.line(change, revision: revision, at: now, style: session.style))
        }
        try Output.standard.write(lines.joined())
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
