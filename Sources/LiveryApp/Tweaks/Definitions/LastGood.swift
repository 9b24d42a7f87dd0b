import ConfigDefinitions
import ConfigModel
import Synchronization

/// The last good value of a remote key, for as long as what is there now cannot be used: what the main screen shows as well.
final class LastGood<Value: ReaderValue>: ConfigLink {
    let name = "last good value"
    private let setting: ConfigDefinition<Value>
    private let memory = Mutex<Value?>(nil)

    /// - Parameter setting: the remote value by itself.
    init(_ setting: ConfigDefinition<Value>) { self.setting = setting }

    func answer(from sources: ConfigSources) -> Override<Value> {
        var sources = sources
        sources.tweaks = nil
        let explanation = setting.explain(from: sources)
        return memory.withLock { memory in
            if case .problem = explanation.steps.first?.finding { return Override(memory) }
            memory = explanation.answeredBy == nil ? nil : setting.value(from: sources)
            return .none
        }
    }
}
