import ConfigDefinitions
import ConfigModel
import Synchronization

/// The last good value of a remote key, for as long as the present one cannot be used.
final class LastGood<Value: ReaderValue>: ConfigLink {
    let name = "last good value"
    private let remote: ConfigDefinition<Value>
    private let memory = Mutex<Value?>(nil)

    /// - Parameter remote: the remote value by itself.
    init(_ remote: ConfigDefinition<Value>) { self.remote = remote }

    func answer(from sources: ConfigSources) -> Override<Value> {
        var sources = sources
        sources.tweaks = nil
        let explanation = remote.explain(from: sources)
        return memory.withLock { memory in
            if case .problem = explanation.steps.first?.finding { return Override(memory) }
            memory = explanation.answeredBy == nil ? nil : remote.value(from: sources)
            return .none
        }
    }
}
