internal import Synchronization

/// The states of a configuration one after the other, for one reader.
///
/// A reader who is slow misses none as long as few enough wait for it; then those in between are left out.
package final class ConfigSuccession: Sendable {
    private let waiting = Mutex<[ConfigState.Current]>([])
    private let signals = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    private let observation: Mutex<Observed<ConfigState.Current>.Observation?>

    init(of observed: Observed<ConfigState.Current>, limit: Int) {
        observation = Mutex(nil)
        let observation = observed.observe { [weak self] previous, next in
            if StateMark(previous) != StateMark(next) { self?.take(next, limit) }
        }
        self.observation.withLock { $0 = observation }
    }

    private func take(_ state: ConfigState.Current, _ limit: Int) {
        waiting.withLock { waiting in
            if waiting.count >= max(limit, 1) { waiting.removeLast() }
            waiting.append(state)
        }
        signals.continuation.yield()
    }

    /// The next state, once there is one; `nil` when the task is cancelled.
    package func next() async -> ConfigState.Current? {
        var iterator = signals.stream.makeAsyncIterator()
        while true {
            let state = waiting.withLock { waiting in
                waiting.isEmpty ? nil : waiting.removeFirst()
            }
            if let state { return state }
            guard await iterator.next(isolation: #isolation) != nil else { return nil }
        }
    }
}
