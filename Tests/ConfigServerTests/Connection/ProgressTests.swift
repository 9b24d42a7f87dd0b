// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Testing

@testable import ConfigServer

/// The limits on time without progress.
struct ProgressTests {
    private static func moment(_ seconds: Int64) -> NIODeadline { .uptimeNanoseconds(0) + .seconds(1000 + seconds) }

    private func verdicts(_ outstanding: [Int], written: Int = 1000) -> [WriteProgress.Verdict] {
        var progress = WriteProgress()
        progress.wrote(written)
        return outstanding.enumerated().map { second, outstanding in
            progress.check(outstanding: outstanding, at: Self.moment(Int64(second)), patience: .seconds(3))
        }
    }

    @Test func clientsThatProgressAreWaitedFor() {
        #expect(verdicts([900, 900, 900, 899, 899, 899, 898, 898, 0]).dropLast().allSatisfy { $0 == .progresses })
    }

    @Test func clientsWithoutProgressTimeOut() {
        #expect(verdicts([900, 900, 900, 900]) == [.progresses, .progresses, .progresses, .stalled])
        #expect(verdicts([900, 900, 800, 800, 800, 800]) == Array(repeating: .progresses, count: 5) + [.stalled])
    }

    @Test func anIdleOutboxIsNotChecked() {
        var progress = WriteProgress()
        #expect(!progress.isWatched)
        progress.wrote(10)
        #expect(progress.isWatched)
        #expect(progress.check(outstanding: 0, at: Self.moment(0), patience: .seconds(3)) == .nothingOutstanding)
        #expect(!progress.isWatched)
        // The time before does not count.
        progress.wrote(10)
        #expect(progress.check(outstanding: 10, at: Self.moment(99), patience: .seconds(3)) == .progresses)
    }

    @Test func writingMoreIsNotProgress() {
        var progress = WriteProgress()
        for second in 0..<3 {
            progress.wrote(100)
            let outstanding = 100 * (second + 1)
            #expect(
                progress.check(outstanding: outstanding, at: Self.moment(Int64(second)), patience: .seconds(3))
                    == .progresses
            )
        }
        progress.wrote(100)
        #expect(progress.check(outstanding: 400, at: Self.moment(3), patience: .seconds(3)) == .stalled)
    }

    private func deadlines(_ arrivals: [(second: Int64, bytes: Int)]) -> [Int64] {
        var limits = ServerLimits()
        (limits.bodyPauseSeconds, limits.bodySeconds, limits.bodyBytesPerSecond) = (10, 20, 1000)
        var body = BodyProgress(from: Self.moment(0), limits)
        return arrivals.map { arrival in
            body.received(arrival.bytes, at: Self.moment(arrival.second))
            return (body.deadline - Self.moment(0)).nanoseconds / 1_000_000_000
        }
    }

    @Test func bodiesMayPauseWithinTheLimit() {
        #expect(deadlines([(0, 1), (5, 1), (9, 1)]) == [10, 15, 19])
        let seconds = (0..<60).map { Int64($0) * 9 }
        let steady = deadlines(seconds.map { ($0, 9000) })
        #expect(steady == seconds.map { $0 + 10 })
    }

    @Test func bodiesBelowTheMinimumRateTimeOut() {
        let trickling: [Int64] = deadlines((0..<30).map { ($0, 1) })
        #expect(trickling.max() == 20)
    }

    @Test func anOutboxYieldsSlicesWithoutCopying() {
        var outbox = Outbox()
        #expect(outbox.isEmpty && outbox.next(atMost: 5) == nil)
        let large = ByteBuffer(string: "0123456789")
        for buffer in [large, ByteBuffer(), ByteBuffer(string: "ab")] { outbox.append(buffer) }
        #expect(outbox.bytes == 12)
        var slices: [String] = []
        while let slice = outbox.next(atMost: 4) { slices.append(String(buffer: slice.bytes)) }
        #expect(slices == ["0123", "4567", "89", "ab"])
        #expect(outbox.isEmpty && outbox.bytes == 0)
    }

    @Test func logLinesAreRateLimitedAndCounted() {
        var budget = LogBudget(linesPerMinute: 2)
        let admitted = [0, 1, 2, 59, 60, 61].map { budget.admit(at: Self.moment($0)) }
        #expect(admitted == [0, 0, nil, nil, 2, 0])
    }
}
