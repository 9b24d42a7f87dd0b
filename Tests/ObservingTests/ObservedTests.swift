// SPDX-License-Identifier: Apache-2.0

import Observation
import Synchronization
import TestSupport
import Testing

@testable import Observing

@Suite(.timeLimit(.minutes(5)))
struct ObservedTests {
    @Test func observersReceiveOldAndNewValueInOrder() {
        let (level, calls) = (Observed(1), Log<String>())
        let subscriptions = (1...3).map { number in
            level.observe { previous, next in calls.append("\(number): \(previous) \(next)") }
        }
        level.replace(with: 2)
        #expect(calls.entries == ["1: 1 2", "2: 1 2", "3: 1 2"])
        #expect(level.observerCount == 3)
        for subscription in subscriptions { subscription.end() }
        level.replace(with: 3)
        #expect(calls.entries.count == 3 && level.observerCount == 0)
    }

    @Test func anObserverThatAnotherHasEndedIsNotCalled() {
        let (level, calls) = (Observed(1), Log<Int>())
        let second = Mutex<ObservationToken?>(nil)
        let first = level.observe { _, _ in second.withLock { $0 }?.end() }
        let subscription = level.observe { calls.append($1) }
        second.withLock { $0 = subscription }
        level.replace(with: 2)
        #expect(calls.entries.isEmpty)
        first.end()
    }

    @Test func thousandsOfObserversThatHaveLeftLeaveNoTrace() {
        let (level, calls) = (Observed(0), Log<Int>())
        let stays = level.observe { calls.append($1) }
        for _ in 0..<10_000 { level.observe { _, _ in }.end() }
        let comesLater = level.observe { calls.append(-$1) }
        level.replace(with: 1)
        #expect(calls.entries == [1, -1] && level.observerCount == 2)
        stays.end()
        comesLater.end()
    }

    @Test func updatesStartWithValueAndAreDistinct() async {
        let level = Observed(14)
        var tens = level.updates(of: { $0 / 10 }, element: { value, ten in "\(ten) by \(value)" }).makeAsyncIterator()
        #expect(await tens.next() == "1 by 14")
        for value in [15, 27, 28] { level.replace(with: value) }
        #expect(await tens.next() == "2 by 28")
        for value in [31, 29] { level.replace(with: value) }
        level.replace(with: 40)
        #expect(await tens.next() == "4 by 40")
    }

    @Test func aSignalIsEnoughForUpdates() async {
        let (signal, level) = (ChangeSignal(), Observed(1))
        var levels = DistinctUpdates(value: { level.value }) { [signal.subscribe($0)] }.makeAsyncIterator()
        #expect(await levels.next() == 1)
        signal.send()
        level.replace(with: 2)
        signal.send()
        #expect(await levels.next() == 2)
    }

    /// Observation tracks what a closure has read once the closure has ended.
    @Test @MainActor func changeDuringADrawIsAnnouncedAfterIt() async {
        let (reading, changes) = (ObservedReading(), Log<Int>())
        withObservationTracking {
            reading.access()
            reading.announceOnMain()
            reading.announceOnMain()
        } onChange: {
            changes.append(1)
        }
        #expect(changes.entries.isEmpty)
        await mainQueueIsEmpty()
        #expect(changes.entries == [1])
    }

    @Test func keysAreComparedByBytes() {
        let (signals, queue, calls) = (KeyedSignals(), RefreshQueue(), Log<Int>())
        let names = ["\u{E9}", "e\u{301}"]
        let subscriptions = names.map { name in signals[name].subscribe { calls.append(name.utf8.count) } }
        signals.send(names)
        signals.send([names[1]])
        #expect(calls.entries == [2, 3, 3])
        queue.add(names) { calls.append($0.utf8.count) }
        #expect(calls.entries.suffix(2) == [2, 3])
        for subscription in subscriptions { subscription.end() }
    }

    @Test func workThatIsAddedDuringWorkIsDoneAfterIt() {
        let (queue, done) = (RefreshQueue(), Log<String>())
        queue.add(["a", "b", "a"]) { id in
            done.append("begin " + id)
            if id == "a", done.entries.count == 1 { queue.add(["b", "a"]) { _ in Issue.record("it is at work") } }
            done.append("end " + id)
        }
        #expect(done.entries == ["begin a", "end a", "begin b", "end b", "begin a", "end a"])
    }
}
