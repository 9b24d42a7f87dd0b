// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TerminalUI

struct InputTimeoutsTests {
    private let start = ContinuousClock.now

    /// The time at which input is flushed if one sequence is incomplete after each of several reads, in seconds after the
    /// first.
    private func limit(
        _ unfinished: [InputDecoder.Unfinished?],
        every interval: Double,
        awaitsAnswer: Bool = false
    ) -> Double? {
        var timeouts = InputTimeouts()
        var limit: ContinuousClock.Instant?
        for (number, unfinished) in unfinished.enumerated() {
            let now = start + .seconds(Double(number) * interval)
            if let limit, limit <= now { return (limit - start) / .seconds(1) }
            limit = timeouts.deadline(for: unfinished, at: now, awaitsAnswer: awaitsAnswer)
        }
        return limit.map { ($0 - start) / .seconds(1) }
    }

    private func isNear(_ limit: Double?, _ expected: Double) -> Bool {
        limit.map { abs($0 - expected) < 0.01 } ?? false
    }

    @Test func nothingUnfinishedIsNothingToWaitFor() {
        #expect(limit([nil], every: 1) == nil)
        #expect(limit([.key, nil], every: 0.05) == nil)
    }

    /// `ESC`, `[`, `1`, `;`, `5`, `C`, each 70 ms after the last.
    @Test func aSequenceMayComeInPieces() {
        #expect(isNear(limit([.key], every: 0.07), 0.1))
        #expect(isNear(limit([.key, .key], every: 0.07), 0.17))
        #expect(isNear(limit([.key, .key, .sequence, .sequence, .sequence], every: 0.07), 1.28))
    }

    @Test func anAnswerMayComeSlowly() {
        #expect(isNear(limit([.key], every: 0.9, awaitsAnswer: true), 1))
        #expect(isNear(limit([.key, .sequence, .sequence], every: 0.9, awaitsAnswer: true), 2.8))
    }

    @Test func endlessSequenceTimesOutDespiteTyping() {
        #expect(isNear(limit(Array(repeating: .sequence, count: 100), every: 0.5), 5))
    }

    /// Someone who types does not prolong a paste; a slow line does.
    @Test func unterminatedPasteTimesOutDespiteTyping() {
        let typed = (0..<100).map { InputDecoder.Unfinished.paste(count: $0) }
        #expect(isNear(limit([.paste(count: 0)], every: 1), 1))
        #expect((3...3.5).contains(limit(typed, every: 0.2) ?? 0))
        let slow = (0..<1000).map { InputDecoder.Unfinished.paste(count: $0 * 96) }
        #expect(isNear(limit(slow, every: 0.1), 100.9))
    }
}
