import Testing

@testable import ConfigServer

struct BatchPaceTests {
    private let now = ContinuousClock.now

    private func pace(after count: Int, waiting: Int, in duration: Duration) -> BatchPace {
        var pace = BatchPace()
        pace.committed(count, waiting: waiting, in: duration, at: now)
        return pace
    }

    @Test func aWriterWhoComesAloneDoesNotWait() {
        #expect(BatchPace().end(with: 1, at: now) == nil)
        #expect(pace(after: 1, waiting: 0, in: .milliseconds(8)).end(with: 1, at: now) == nil)
    }

    @Test func thoseWhoWereAnsweredAreWaitedForHalfACommit() {
        let pace = pace(after: 16, waiting: 16, in: .milliseconds(4))
        #expect(pace.end(with: 16, at: now) == now + .milliseconds(2))
        #expect(pace.end(with: 31, at: now + .milliseconds(1)) == now + .milliseconds(2))
        #expect(pace.end(with: 32, at: now + .milliseconds(1)) == nil)
        #expect(pace.end(with: 16, at: now + .milliseconds(2)) == nil)
    }

    @Test func nobodyIsWaitedForWhereNobodyWaits() {
        #expect(pace(after: 16, waiting: 16, in: .milliseconds(8)).end(with: 0, at: now) == nil)
    }

    @Test func aSlowStoreDelaysNoBatchForLong() {
        let pace = pace(after: 2, waiting: 1, in: .seconds(5))
        #expect(pace.end(with: 1, at: now) == now + BatchPace.longestDelay)
    }

    @Test func thoseWhoDoNotComeAgainAreWaitedForOnce() {
        var pace = pace(after: 16, waiting: 16, in: .milliseconds(8))
        #expect(pace.end(with: 1, at: now) != nil)
        pace.committed(1, waiting: 0, in: .milliseconds(8), at: now)
        #expect(pace.end(with: 1, at: now) == nil)
    }

    @Test func asLongAsManyComeCommitsWait() {
        var pace = pace(after: 16, waiting: 16, in: .milliseconds(8))
        for _ in 0..<100 {
            pace.committed(10, waiting: 22, in: .milliseconds(8), at: now)
            #expect(pace.end(with: 22, at: now) != nil)
        }
    }
}
