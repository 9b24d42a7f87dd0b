import ArgumentParser
import ConfigModel
import Files
import Foundation
import Programs
import RemoteConfig
import TerminalUI

/// Says each change in a line of its own, without ever moving the cursor: for screen readers, logs and pipes.
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

    /// Says what each state changed; ends the program if there is no one to say it to.
    ///
    /// - Parameter printed: what has been said already, so that nothing is missed that happens before this begins.
    private func announce(since printed: ConfigState.Current) async {
        var said = printed
        for await current in sync.state.updates() {
            warnings.tell()
            do {
                let lines = Self.changes(from: said, to: current) + Self.status(from: said, to: current)
                let news = lines.map { "\(clock.clock(.now)) \($0.sanitized())\n" }
                try Output.standard.write(news.joined())
            } catch {
                Ending(error, of: Livery.program).endProcess()
            }
            said = current
        }
    }

    /// A line for each key that was added, changed or removed.
    static func changes(from former: ConfigState.Current, to current: ConfigState.Current) -> [String] {
        let (old, new) = (former.snapshot.entries, current.snapshot.entries)
        return Set(old.keys).union(new.keys).sorted().compactMap { key in
            switch (old[key]?.value, new[key]?.value) {
            case (let before?, let after?) where before != after:
                "\(key) changed from \(before.canonicalJSON) to \(after.canonicalJSON)"
            case (nil, let after?): "\(key) is new: \(after.canonicalJSON)"
            case (let before?, nil): "\(key) is gone, it was \(before.canonicalJSON)"
            default: nil
            }
        }
    }

    /// A line if the connection, or what is wrong, is another.
    static func status(from former: ConfigState.Current, to current: ConfigState.Current) -> [String] {
        if let problem = current.status.problem {
            return problem == former.status.problem ? [] : ["\(current.status.phase.rawValue): \(problem)"]
        }
        let isSame = former.status.phase == current.status.phase && former.status.problem == nil
        return isSame ? [] : ["\(current.status.phase.rawValue): \(current.status.source)"]
    }
}
