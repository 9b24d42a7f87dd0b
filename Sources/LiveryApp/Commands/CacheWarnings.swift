import ConfigModel
import Files
import RemoteConfig
import TerminalUI

/// Says on standard error what is wrong with what is kept for the next start: each problem once.
///
/// What is written while the screen is full is seen when it is free again.
@MainActor
final class CacheWarnings {
    private let sync: SyncService
    private let say: (String) -> Void
    private var said: ConfigError?

    init(of sync: SyncService, say: @escaping (String) -> Void = Output.error.writeLine) {
        self.sync = sync
        self.say = say
    }

    /// Says what is wrong now, if it is something new.
    func tell() {
        guard let problem = sync.state.current.status.cacheProblem, problem != said else { return }
        said = problem
        say("livery: \(problem.description.sanitized())")
    }
}
