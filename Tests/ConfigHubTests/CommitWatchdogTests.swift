// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import ConfigHub

struct CommitWatchdogTests {
    private let watchdog = CommitWatchdog(minimumTime: .milliseconds(20))

    /// Runs the watchdog beside something else.
    private func running(_ body: (CommitWatchdog) async throws -> Void) async rethrows {
        try await withThrowingTaskGroup { group in
            group.addTask { [watchdog] in await watchdog.run() }
            try await body(watchdog)
            group.cancelAll()
        }
    }

    @Test(.timeLimit(.minutes(1))) func aCommitThatTakesTooLongIsNoticed() async throws {
        try await running { watchdog in
            for _ in 0..<3 {
                let start = ContinuousClock.now
                let (late, isLate) = AsyncStream.makeStream(of: ContinuousClock.Instant.self)
                watchdog.begin(until: start + .milliseconds(60)) { isLate.yield(.now) }
                let noticed = try #require(await late.first { _ in true })
                #expect(noticed >= start + .milliseconds(60))
                watchdog.end()
            }
        }
    }

    @Test(.timeLimit(.minutes(1))) func aCommitThatHasEndedIsForgotten() async throws {
        try await running { watchdog in
            let (over, late) = (Box<Set<Int>>([]), Log<Int>())
            for number in 0..<5 {
                watchdog.begin(until: .now + .milliseconds(20)) {
                    if over.value.contains(number) { late.append(number) }
                }
                watchdog.end()
                over.change { _ = $0.insert(number) }
                try await until { !watchdog.isCheckScheduled }
            }
            // None timed out after its end.
            #expect(late.entries == [])
        }
    }
}
