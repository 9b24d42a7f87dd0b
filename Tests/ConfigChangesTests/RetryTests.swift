// SPDX-License-Identifier: Apache-2.0

import ConfigClient
import ConfigModel
import Synchronization
import Testing

@testable import ConfigChanges

/// Reads and writes are repeated after a conflict with another writer.
struct RetryTests {
    @Test("Conflicts are retried after random pauses for as long as a person waits")
    func pausesAreRandomUntilPatienceEnds() async {
        let clock = SkippingClock()
        var times: [Duration] = []
        let error = await #expect(throws: ConfigError.self) {
            try await ServerClient.retrying(true, clock: clock) { () async throws(ConfigError) in
                times.append(clock.now.time)
                throw ConfigError(.conflict, "fetch it and retry")
            }
        }
        #expect(error?.code == .conflict && error?.message.contains("fetch it") == false)
        #expect(clock.now.time >= .seconds(30) && clock.now.time < .seconds(33))
        #expect(times.count > 15 && times.count < 200)
        let pauses = zip(times, times.dropFirst()).map { $1 - $0 }
        #expect(pauses.allSatisfy { $0 <= .seconds(2) } && Set(pauses).count > pauses.count / 2)
    }

    @Test("The time begins at the first conflict, and anew after each part that is written")
    func timeWithoutConflictsDoesNotCount() async throws {
        let clock = SkippingClock()
        var (attempts, parts) = (0, 0)
        let result = try await ServerClient.retrying(true, after: parts, clock: clock) { () async throws(ConfigError) in
            attempts += 1
            guard attempts < 6 else { return "written" }
            parts = attempts / 2
            try? await clock.sleep(for: .seconds(20))
            throw ConfigError(.conflict, "somebody else wrote")
        }
        #expect(result == "written" && attempts == 6)
    }

    @Test(
        "Other errors, and conflicts with an expected revision, are thrown at once",
        arguments: [
            (true, ConfigError(.unauthorized, "no")), (false, ConfigError(.conflict, "somebody else wrote")),
        ]
    )
    func nothingElseIsRepeated(retries: Bool, error: ConfigError) async {
        var attempts = 0
        let thrown = await #expect(throws: ConfigError.self) {
            try await ServerClient.retrying(retries, clock: SkippingClock()) { () async throws(ConfigError) in
                attempts += 1
                throw error
            }
        }
        #expect(thrown == error && attempts == 1)
    }
}

/// A clock on which each pause is over at once.
private final class SkippingClock: Clock {
    struct Instant: InstantProtocol {
        var time: Duration

        func advanced(by duration: Duration) -> Instant { Instant(time: time + duration) }
        func duration(to other: Instant) -> Duration { other.time - time }
        static func < (left: Instant, right: Instant) -> Bool { left.time < right.time }
    }

    private let time = Mutex(Duration.zero)

    var now: Instant { Instant(time: time.withLock(\.self)) }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        time.withLock { $0 = max($0, deadline.time) }
    }
}
