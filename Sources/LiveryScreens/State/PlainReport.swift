// SPDX-License-Identifier: Apache-2.0

package import ConfigDefinitions
import ConfigModel
import ConfigRules
import Files
import Programs
package import RemoteConfig
import TerminalUI

/// The contents of the screen, as text for pipes, logs and scripts.
package struct PlainReport {
    private let current: ConfigState.Snapshot
    private let values: DemoValues
    /// The overrides that the screen would show in place of values of the source, as JSON.
    private let tweaks: [(key: String, value: String)]
    /// The error in the file of tweaks, because of which the screen would not show its overrides.
    private var problemsOfTweaks: [ConfigError] = []
    /// The error of the last read.
    private var failure: ConfigError?
    /// Whether nothing follows the source.
    private var isReadOnce = false

    /// The maximum wait for the source: a script needs an answer, even from a server that sends a byte at a time.
    package static let patience = Duration.seconds(15)

    /// Reads the source once; after a timeout, the report has the known state and a problem.
    package init(after sync: RemoteConfigService, tweaks: FileStore? = nil, within patience: Duration = Self.patience)
        async
    {
        let config = DemoConfig(state: sync.state)
        let outcome = await config.readingCache(of: sync).refreshOutcome(timeout: patience)
        self.init(sync.state.current, config, tweaks: tweaks.map { TweakRepository(store: $0) })
        problemsOfTweaks = [tweaks?.problem].compactMap(\.self)
        isReadOnce = true
        if case .failed(let error) = outcome { failure = error }
    }

    init(_ current: ConfigState.Snapshot, _ config: DemoConfig? = nil, tweaks: TweakRepository? = nil) {
        self.current = current
        values = config?.values(in: current.snapshot) ?? DemoValues(of: current)
        let shown = DemoConfig(state: ConfigState(current), tweaks: tweaks).values(in: current.snapshot)
        self.tweaks = shown.tweaked.map { key in (key, tweaks?.tweak(id: key)?.override?.canonicalJSON ?? "") }
    }

    /// - Throws: `ProgramFailure` without a message if the report has a problem.
    package func print(asJSON: Bool) throws {
        let isTerminal = Output.standard.isTerminal
        try Output.standard.write(asJSON ? json(onTerminal: isTerminal) : text(clock: .local))
        if exit != .done { throw ProgramFailure(exit) }
    }

    /// The exit code of the program: a source that does not exist cannot be read, and the report may be out of date if the
    /// source could not be read. The report is complete without the tweaks.
    var exit: ProgramExit { problems.first.map { $0.code == .notFound ? .noInput : $0.code.exit } ?? .done }

    private var problems: [ConfigError] {
        [current.status.problem ?? failure].compactMap(\.self) + values.problems + current.snapshot.ruleProblems
    }

    private var state: String {
        if !values.problems.isEmpty { return SourceStatus.errorWord }
        if (current.status.problem ?? failure)?.code == .notFound { return "missing" }
        if (current.status.problem ?? failure)?.code == .ended { return "ended" }
        if current.status.phase == .starting, current.status.readingSince != nil { return "reading" }
        if current.status.phase == .starting, failure != nil { return SourceStatus.Phase.offline.rawValue }
        return isReadOnce ? current.status.wordOnceRead : current.status.word
    }

    func text(clock: ClockFormat) -> String {
        var lines = [
            "state:       \(state)",
            "source:      \(current.status.source)",
            "background:  \(values.background)",
            "button:      \(values.buttonText)",
            "url:         \(values.buttonURL.text)",
            "version:     \(values.versionText)",
        ]
        if let draft = current.status.preview { lines.append("preview:     of draft \(draft)") }
        if let modifiedAt = current.status.modifiedAt { lines.append("modified:    \(clock.dateAndClock(modifiedAt))") }
        lines += tweaks.map { "tweak:       \($0.key) = \($0.value), on this machine only" }
        lines += (problems + problemsOfTweaks).map { "problem:     \($0)" }
        if let note = current.noteOnNamespace { lines.append("note:        \(note)") }
        let keys = Array(current.snapshot.entries.keys) + current.snapshot.keysOfRulesAlone
        lines += keys.sorted().flatMap { self.lines(ofKey: $0) }
        return lines.map { $0.sanitized() + "\n" }.joined()
    }

    /// A key as the inspector shows it: its value, its origin if not all keys have the same, and its rule.
    private func lines(ofKey key: String) -> [String] {
        let entry = current.snapshot.entries[key]
        let value = entry.map { " = \($0.value.canonicalJSON)" } ?? " has a rule, and no default value"
        var lines = ["key:         \(key)\(value)"]
        if let place = entry?.fullPlace, place != current.status.source { lines.append("origin:      \(place)") }
        guard current.snapshot.hasRule(forKey: key) else { return lines }
        let result = current.ruleProblem(forKey: key)?.message ?? current.explanation(forKey: key)?.evaluation.words
        return lines + ["rule:        \(result ?? "not evaluated: no user; pass --context")"]
    }

    /// - Parameter onTerminal: whether it goes to a terminal, which nothing in it may control.
    func json(onTerminal: Bool = false) -> String {
        let settings = DemoValues.keys.map { (key: $0, value: EntryValue.string(values.text(forKey: $0) ?? "")) }
        var json = JSONWriter()
        json.object { object in
            object.member("is_up_to_date") { $0.boolean(values.isUpToDate) }
            object.member("modified_at") { $0.optional(current.status.modifiedAt) { $0.string($1.description) } }
            if let draft = current.status.preview { object.member("preview") { $0.string(draft) } }
            object.member("problems") { $0.strings((problems + problemsOfTweaks).map(\.description)) }
            object.member("settings") { $0.values(settings) }
            object.member("source") { $0.string(current.status.source) }
            object.member("state") { $0.string(state) }
            object.member("tweaks") { $0.strings(tweaks.map(\.key)) }
            object.member("values") { $0.values(current.snapshot.entries.lazy.map { ($0.key, $0.value.value) }) }
            object.member("version") { $0.string(SemanticVersion.livery.description) }
        }
        let text = String(decoding: PrettyJSON.laidOut(json.bytes), as: UTF8.self)
        return onTerminal ? text.escapedForTerminal : text
    }
}

/// Prints each change on a separate line without moving the cursor, for screen readers, logs and pipes.
@MainActor
package struct Announcer {
    private let sync: RemoteConfigService
    private let warnings: CacheWarnings
    private let clock = ClockFormat.local

    package init(sync: RemoteConfigService, warnings: CacheWarnings) {
        (self.sync, self.warnings) = (sync, warnings)
    }

    /// The maximum wait of the first report for the source, which may answer slowly.
    private static let patience = Duration.milliseconds(800)

    package func run() async throws {
        let background = QueueExecutor(label: "livery.announcer")
        let config = DemoConfig(state: sync.state)
        _ = await config.readingCache(of: sync)
        try await withThrowingTaskGroup { group in
            group.addTask(executorPreference: background) { await sync.run() }
            // The report shows a failure.
            _ = await sync.refreshOutcome(timeout: Self.patience)
            let printed = sync.state.current
            try Output.standard.write(PlainReport(printed, config).text(clock: clock))
            group.addTask(executorPreference: background) { try await announce(since: printed) }
            // Until the output cannot be written.
            try await group.waitForAll()
        }
    }

    /// Prints the changes of each state since the last printed one, so that changes before the start of following are included.
    private func announce(since printed: ConfigState.Snapshot) async throws {
        var former = printed
        for await current in sync.state.observe() {
            warnings.report()
            let lines = Self.changes(from: former, to: current) + Self.status(from: former, to: current)
            let news = lines.map { "\(clock.clock(.now)) \($0.sanitized())\n" }
            try Output.standard.write(news.joined())
            former = current
        }
    }

    static func changes(from former: ConfigState.Snapshot, to current: ConfigState.Snapshot) -> [String] {
        let (before, after) = (former.snapshot.entries, current.snapshot.entries)
        return Set(before.keys).union(after.keys).sorted().compactMap { key in
            let (old, new) = (before[key]?.value, after[key]?.value)
            if old == new { return nil }
            switch (old?.canonicalJSON, new?.canonicalJSON) {
            case (let old?, let new?): return "\(key) changed from \(old) to \(new)"
            case (nil, let new): return "\(key) added: \(new ?? "")"
            case (let old?, nil): return "\(key) removed, was \(old)"
            }
        }
    }

    /// Lines for the state of the source, for values and rules that cannot be used, and for a namespace without a revision,
    /// where a line was not there before.
    static func status(from former: ConfigState.Snapshot, to current: ConfigState.Snapshot) -> [String] {
        let (before, lines) = (Set(Self.status(of: former)), Self.status(of: current))
        return lines.filter { !before.contains($0) }
    }

    private static func status(of current: ConfigState.Snapshot) -> [String] {
        let status = current.status
        let isReading = status.readingSince != nil
        let isMissing = status.problem?.code == .notFound
        let state = isReading ? "reading" : isMissing ? "missing" : status.word
        let news = isReading ? status.source : status.problemOfSource ?? status.source
        let problems = DemoValues(of: current).problems + current.snapshot.ruleProblems
        return ["\(state): \(news)"] + problems.map { "problem: \($0)" }
            + [current.noteOnNamespace].compactMap(\.self).map { "note: \($0)" }
    }
}

/// Reports problems of the cache on standard error, each kind once; after the full screen, if there is one.
@MainActor
package final class CacheWarnings {
    private let sync: RemoteConfigService
    private let write: (String) -> Void
    private var reported: ConfigError.Code?

    package init(of sync: RemoteConfigService, write: @escaping (String) -> Void = Output.error.writeLine) {
        (self.sync, self.write) = (sync, write)
    }

    package func report() {
        guard let problem = sync.state.current.status.cacheProblem, problem.code != reported else { return }
        reported = problem.code
        write("livery: \(problem.description.sanitized())")
    }
}
