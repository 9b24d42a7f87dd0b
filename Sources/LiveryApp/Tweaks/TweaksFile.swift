import ConfigDefinitions
import ConfigModel
import RemoteConfig

/// The file of tweaks, which other programs and people may write as well.
struct TweaksFile: Sendable {
    let store: FileStore
    private let watched: FileSource

    init(path: String) {
        store = FileStore(path: path)
        watched = FileSource(path: path)
    }

    /// Takes in what others write, until the task is cancelled.
    ///
    /// - Parameter tell: told what is wrong with a file that has come to rest, and with `nil` that it is no longer so.
    func follow(_ tell: (ConfigError?) async -> Void) async {
        var problem: ConfigError?
        for await hint in watched.hints() {
            let before = problem
            do throws(ConfigError) {
                try store.refresh(isSettled: hint == .settled)
                if hint == .settled { problem = nil }
            } catch {
                problem = error
            }
            if problem != before { await tell(problem) }
        }
    }
}
