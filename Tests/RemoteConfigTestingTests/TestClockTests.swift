// SPDX-License-Identifier: Apache-2.0

import Observing
import RemoteConfigTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct TestClockTests {
    private let clock = TestClock()

    @Test func dueTimersFireOnceInOrder() {
        let log = Log<Int>()
        let calls = [3, 1, 2].map { second in
            clock.call(at: clock.now.advanced(by: .seconds(second))) { log.append(second) }
        }
        clock.advance(by: .milliseconds(999))
        #expect(log.entries.isEmpty)
        clock.advance(by: .seconds(5))
        #expect(log.entries == [1, 2, 3])
        clock.advance(by: .seconds(5))
        #expect(log.entries == [1, 2, 3])
        withExtendedLifetime(calls) {}
    }

    @Test func aCallThatEndsBeforeDoesNotHappen() {
        let log = Log<Int>()
        let call = clock.call(at: clock.now.advanced(by: .seconds(1))) { log.append(1) }
        call.end()
        #expect(clock.nextDeadline == nil)
        clock.advance(by: .seconds(1))
        #expect(log.entries.isEmpty)
    }

    @Test func aSleepEndsWhenItsTimeHasCome() async throws {
        let (clock, log) = (clock, Log<Duration>())
        let sleeper = Task {
            try await clock.sleep(for: .seconds(2))
            log.append(clock.elapsed)
        }
        try await until("it sleeps") { clock.nextDeadline != nil }
        clock.advance(by: .seconds(1))
        #expect(log.entries.isEmpty)
        clock.advance(by: .seconds(1))
        try await sleeper.value
        #expect(log.entries == [.seconds(2)])
        #expect(clock.nextDeadline == nil)
    }

    @Test func aSleepThatIsCancelledThrows() async throws {
        let clock = clock
        let sleeper = Task { try await clock.sleep(for: .seconds(2)) }
        try await until("it sleeps") { clock.nextDeadline != nil }
        sleeper.cancel()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
        #expect(clock.nextDeadline == nil)
    }

    @Test func timePassesWhileSomethingWaits() async throws {
        let clock = clock
        try await clock.passing {
            for _ in 0..<3 { try await clock.sleep(for: .seconds(10)) }
        }
        #expect(clock.elapsed >= .seconds(30))
    }
}
