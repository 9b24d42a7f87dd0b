// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import Dispatch
import Observing
import TestSupport
import Testing

/// C's flaw: its state is unsynchronised. Run these with `--sanitize=thread` as well.
@Suite(.timeLimit(.minutes(5)))
struct RepositoryConcurrencyTests {
    private let store = MemoryStore()
    private let repository: ConfigRepository
    private let number = ConfigDefinition("number", default: 0).stored(key: "number")

    init() { repository = ConfigRepository(inputs: .empty(store: store)) }

    @Test func aListenerMayReadAddListenEndAndSet() throws {
        let (recorder, inner) = (Log<Int>(), Log<Int>())
        let subscriptions = Box<[ObservationToken]>([])
        let other = ConfigDefinition("other", default: 0).stored(key: "other")
        let subscription = repository.listen(to: number) { [repository, store, number] value in
            recorder.append(repository[number])
            repository.add(other, ConfigDefinition("added \(value)", default: value))
            let listening = repository.listen(to: other, inner.append)
            subscriptions.change { $0.append(listening) }
            store.apply([("other", .integer(value * 10)), ("number", .integer(min(value + 1, 3)))])
            if value == 3 {
                for subscription in subscriptions.value { subscription.end() }
            }
        }
        try store.set(1, forKey: "number")
        #expect(recorder.entries == [1, 2, 3])
        #expect(inner.entries.prefix(1) == [10])
        #expect(repository.ids == ["added 1", "added 2", "added 3", "number", "other"])
        subscription.end()
    }

    @Test func aListenerMayEndItself() throws {
        let subscription = Box<ObservationToken?>(nil)
        let recorder = Log<Int>()
        subscription.value = repository.listen(to: number) { value in
            recorder.append(value)
            subscription.value?.end()
        }
        for value in 1...3 { try store.set(value, forKey: "number") }
        #expect(recorder.entries == [1])
    }

    @Test func manyThreadsReadWriteAddAndListen() async throws {
        let definitions = (0..<8).map { ConfigDefinition("n\($0)", default: 0).stored(key: "n\($0)") }
        try await onDedicatedThread { [store, repository] in
            DispatchQueue.concurrentPerform(iterations: 8) { thread in
                var subscriptions: [ObservationToken] = []
                for step in 1...200 {
                    let definition = definitions[(thread + step) % definitions.count]
                    switch step % 5 {
                    case 0: repository.add(definition)
                    case 1: subscriptions.append(repository.listen(to: definition) { _ in _ = repository[definition] })
                    case 2: _ = repository[definition]
                    case 3: subscriptions.popLast()?.end()
                    default: store.apply([("n\((thread + step) % 8)", .integer(step))])
                    }
                }
            }
        }
        #expect(repository.ids.count == 8)
    }

    /// Whichever thread writes, each listener ends with the last value and never receives a value twice in a row.
    @Test func listenersEndOnTheLastValue() async throws {
        let recorder = Log<Int>()
        let subscription = repository.listen(to: number, recorder.append)
        try await onDedicatedThread { [store] in
            DispatchQueue.concurrentPerform(iterations: 4) { thread in
                for step in 1...500 { store.apply([("number", .integer(thread * 1000 + step))]) }
            }
        }
        try await until("the last value") {
            recorder.entries.last == repository[number]
        }
        let values = recorder.entries
        #expect(zip(values, values.dropFirst()).allSatisfy { $0 != $1 })
        subscription.end()
    }
}
