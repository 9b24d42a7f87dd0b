import Testing

@testable import ConfigServer

struct BatchPaceTests {
    private let now = ContinuousClock.now

    @Test func aWriterWhoComesAloneDoesNotWait() {
        #expect(BatchPace().end(with: 1, at: now) == nil)
        let pace = BatchPace(answered: 1, waiting: 0, in: .milliseconds(8), at: now)
        #expect(pace.end(with: 1, at: now) == nil)
    }

    @Test func thoseWhoWereAnsweredAreWaitedForAQuarterOfACommit() {
        let pace = BatchPace(answered: 16, waiting: 16, in: .milliseconds(8), at: now)
        #expect(pace.end(with: 16, at: now) == now + .milliseconds(2))
        #expect(pace.end(with: 31, at: now + .milliseconds(1)) == now + .milliseconds(2))
        #expect(pace.end(with: 32, at: now + .milliseconds(1)) == nil)
        #expect(pace.end(with: 16, at: now + .milliseconds(2)) == nil)
    }

    @Test func nobodyIsWaitedForWhereNobodyWaits() {
        let pace = BatchPace(answered: 16, waiting: 16, in: .milliseconds(8), at: now)
        #expect(pace.end(with: 0, at: now) == nil)
    }

    @Test func aSlowStoreDelaysNoBatchForLong() {
        let pace = BatchPace(answered: 2, waiting: 1, in: .seconds(5), at: now)
        #expect(pace.end(with: 1, at: now) == now + BatchPace.longestDelay)
    }
}
