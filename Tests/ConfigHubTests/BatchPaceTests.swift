// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ConfigHub

struct BatchPaceTests {
    private let now = ContinuousClock.now
    private static let limit = BatchSize(count: 512, bytes: 128 * 1024)

    private func pace(
        after count: Int,
        waiting: Int,
        ofBytes bytes: Int = 100,
        isCut: Bool = false,
        in duration: Duration
    ) -> BatchPace {
        var pace = BatchPace(Self.limit)
        let (batch, rest) = (size(count, ofBytes: bytes), size(waiting, ofBytes: bytes))
        pace.committed(batch, waiting: rest, isCut: isCut, in: duration, at: now)
        return pace
    }

    private func size(_ count: Int, ofBytes bytes: Int = 100) -> BatchSize {
        BatchSize(count: count, bytes: count * bytes)
    }

    @Test func singleWriterDoesNotWait() {
        #expect(BatchPace(Self.limit).end(with: 1, at: now) == nil)
        #expect(pace(after: 1, waiting: 0, in: .milliseconds(8)).end(with: 1, at: now) == nil)
    }

    @Test func waitsHalfACommitForAnsweredWriters() {
        let pace = pace(after: 16, waiting: 16, in: .milliseconds(4))
        #expect(pace.end(with: 16, at: now) == now + .milliseconds(2))
        #expect(pace.end(with: 31, at: now + .milliseconds(1)) == now + .milliseconds(2))
        #expect(pace.end(with: 32, at: now + .milliseconds(1)) == nil)
        #expect(pace.end(with: 16, at: now + .milliseconds(2)) == nil)
    }

    @Test func quickCommitIsFollowedByNoWait() {
        #expect(pace(after: 16, waiting: 16, in: .microseconds(1900)).end(with: 16, at: now) == nil)
        #expect(pace(after: 16, waiting: 16, in: BatchPace.minimumDuration).end(with: 16, at: now) != nil)
    }

    @Test func noWaitWithoutOtherWriters() {
        #expect(pace(after: 16, waiting: 16, in: .milliseconds(8)).end(with: 0, at: now) == nil)
    }

    @Test func aSlowStoreDelaysNoBatchForLong() {
        let pace = pace(after: 2, waiting: 1, in: .seconds(5))
        #expect(pace.end(with: 1, at: now) == now + BatchPace.maximumDelay)
    }

    @Test func absentWritersAreWaitedForOnce() {
        var pace = pace(after: 16, waiting: 16, in: .milliseconds(8))
        for _ in 0..<100 {
            pace.committed(size(10), waiting: size(22), in: .milliseconds(8), at: now)
            #expect(pace.end(with: 22, at: now) != nil)
        }
        pace.committed(size(1), waiting: size(0), in: .milliseconds(8), at: now)
        #expect(pace.end(with: 1, at: now) == nil)
    }

    @Test func aBatchOfAsManyAsThereMayBeBegins() {
        let pace = pace(after: 512, waiting: 88, in: .milliseconds(8))
        #expect(pace.end(with: 511, at: now) != nil)
        #expect(pace.end(with: 512, at: now) == nil)
    }

    @Test(arguments: [(64 * 1024, 2), (70_000, 1), (16 * 1024, 8), (200_000, 1)])
    func aBatchOfAsManyBytesAsThereMayBeBegins(bytes: Int, count: Int) {
        let pace = pace(after: 8, waiting: 8, ofBytes: bytes, in: .milliseconds(8))
        #expect(pace.end(with: count, at: now) == nil)
        if count > 1 { #expect(pace.end(with: count - 1, at: now) != nil) }
    }

    @Test func waitersOfAFullCommitGoFirst() {
        #expect(pace(after: 1, waiting: 15, isCut: true, in: .milliseconds(8)).end(with: 15, at: now) == nil)
    }
}
