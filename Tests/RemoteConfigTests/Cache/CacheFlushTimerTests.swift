// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RemoteConfig

struct CacheFlushTimerTests {
    @Test func burstIsFlushedTenTimesASecond() {
        var flushes = CacheFlushTimer()
        #expect(flushes.appended(at: .seconds(1)) && flushes.deadline == nil)
        flushes.flushed(at: .seconds(1))
        let later = [1020, 1060].map { flushes.appended(at: .milliseconds($0)) }
        #expect(later == [false, false] && flushes.deadline == .milliseconds(1100))
        flushes.attempted(at: .milliseconds(1100))
        #expect(flushes.deadline == .milliseconds(1100), "it stays due if it fails")
        flushes.flushed(at: .milliseconds(1100))
        #expect(flushes.deadline == nil && flushes.appended(at: .seconds(2)), "a change that comes alone")
    }
}
