import ArgumentParser
import ConfigModel
import Files
import Foundation
import Programs
import RemoteConfig
import TerminalUI

/// Prints each change on a line of its own, without ever moving the cursor: for screen readers, logs and pipes.
@MainActor
struct Announcer {
    let sync: SyncService
    let warnings: CacheWarnings
    var clock = ClockFormat.local

    func run() async throws {
        await sync.refresh()
        let printed = sync.state.current
        try Output.standard.write(PlainReport(printed).text(clock: clock))
        let background = QueueExecutor(label: "livery.announcer")
        await withTaskGroup { group in
            group.addTask(executorPreference: background) { await sync.run() }
            group.addTask(executorPreference: background) { await announce(since: printed) }
        }
    }

    /// Prints what each state changed; ends the program if standard output cannot be written.
    ///
    /// - Parameter printed: what has been printed already, so that nothing is missed that happens before this starts.
    private func announce(since printed: ConfigState.Current) async {
        var former = printed
        for await current in sync.state.updates() {
            warnings.report()
            do {
                let lines = Self.changes(from: former, to: current) + Self.status(from: former, to: current)
                let news = lines.map { "\(clock.clock(.now)) \($0.sanitized())\n" }
                try Output.standard.write(news.joined())
            } catch {
                Ending(error, of: Livery.program).endProcess()
            }
            former = current
        }
    }

    /// A line for each key that was added, changed or removed.
    static func changes(from former: ConfigState.Current, to current: ConfigState.Current) -> [String] {
        ConfigDiff(from: former.snapshot.entries, to: current.snapshot.entries).changes.map { change in
            switch (change.old?.canonicalJSON, change.new?.canonicalJSON) {
            case (let old?, let new?): "\(change.key) changed from \(old) to \(new)"
            case (nil, let new): "\(change.key) is new: \(new ?? "")"
            case (let old?, nil): "\(change.key) is gone, it was \(old)"
            }
        }
    }

    /// A line if the connection or its problem has changed.
    static func status(from former: ConfigState.Current, to current: ConfigState.Current) -> [String] {
        if let problem = current.status.problem {
            return problem == former.status.problem ? [] : ["\(current.status.phase.rawValue): \(problem)"]
        }
        let isSame = former.status.phase == current.status.phase && former.status.problem == nil
        return isSame ? [] : ["\(current.status.phase.rawValue): \(current.status.source)"]
    }
}

/// Reports on standard error what is wrong with the cache: each problem once.
///
/// What is written during the full screen appears after it.
@MainActor
final class CacheWarnings {
    private let sync: SyncService
    private let write: (String) -> Void
    private var reported: ConfigError?

    init(of sync: SyncService, write: @escaping (String) -> Void = Output.error.writeLine) {
        self.sync = sync
        self.write = write
    }

    /// Reports the present problem, if it is a new one.
    func report() {
        guard let problem = sync.state.current.status.cacheProblem, problem != reported else { return }
        reported = problem
        write("livery: \(problem.description.sanitized())")
    }
}
