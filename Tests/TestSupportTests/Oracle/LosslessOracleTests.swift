// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import TestSupport
import Testing

struct LosslessOracleTests {
    private let epoch = Epoch(rawValue: 9)

    /// Forty publishes of three keys each: two that always agree, and one that comes and goes.
    private var history: PublishedHistory {
        var history = PublishedHistory(epoch: epoch)
        for revision in 1...40 {
            let number = EntryValue.integer(revision)
            history.note(
                revision: UInt64(revision),
                changes: ["left": number, "right": number, "guest.\(revision % 3)": revision % 2 == 0 ? number : nil]
            )
        }
        return history
    }

    private func entries(at revision: Int) -> [String: EntryValue] {
        var entries: [String: EntryValue] = [:]
        for revision in stride(from: 1, through: revision, by: 1) {
            entries["left"] = .integer(revision)
            entries["right"] = .integer(revision)
            entries["guest.\(revision % 3)"] = revision % 2 == 0 ? .integer(revision) : nil
        }
        return entries
    }

    private func observation(_ revision: Int, after before: Int?, session: Int = 1) -> Observation {
        let now = entries(at: revision)
        let changedKeys = before.map { before in
            let then = entries(at: before)
            return Set(now.keys).union(then.keys).filter { now[$0] != then[$0] }
        }
        let cursor = RevisionCursor(epoch: epoch, revision: UInt64(revision))
        return Observation(session: session, cursor: cursor, entries: now, changedKeys: changedKeys)
    }

    private func promises(brokenBy observations: [Observation]) -> Set<LosslessOracle.Promise> {
        Set(LosslessOracle(history).violations(in: observations).map(\.promise))
    }

    @Test func aClientThatSkipsAndRestartsInOrderIsRight() {
        let observations = [
            observation(3, after: nil), observation(4, after: 3), observation(9, after: 4),
            observation(9, after: nil, session: 2), observation(40, after: 9, session: 2),
        ]
        #expect(promises(brokenBy: observations) == [])
    }

    @Test func aRollbackIsTheOldStateAgain() {
        var history = history
        history.note(revision: 41, rollbackTo: 5)
        let back = Observation(
            session: 1,
            cursor: RevisionCursor(epoch: epoch, revision: 41),
            entries: entries(at: 5),
            changedKeys: observation(40, after: 5).changedKeys
        )
        #expect(LosslessOracle(history).violations(in: [observation(40, after: nil), back]) == [])
        #expect(history.entries == entries(at: 5))
    }

    @Test func eachBrokenPromiseIsNamed() {
        var (silent, chatty) = (observation(40, after: 5), observation(40, after: 5))
        var (half, stray) = (observation(5, after: nil), observation(5, after: nil))
        silent.changedKeys?.remove("left")
        chatty.changedKeys?.insert("idle")
        half.fingerprint = StateFingerprint(entries(at: 5).merging(["left": .integer(4)]) { $1 })
        stray.cursor.epoch = Epoch(rawValue: 8)
        let cases: [(LosslessOracle.Promise, [Observation])] = [
            (.order, [observation(5, after: nil), observation(3, after: 5), observation(40, after: 3)]),
            (.uniqueness, [observation(5, after: nil), observation(40, after: 5), observation(40, after: 5)]),
            (.noGap, [observation(5, after: nil), silent]), (.noGap, [observation(5, after: nil), chatty]),
            (.atomicity, [half, observation(40, after: 5)]), (.atomicity, [stray, observation(40, after: 5)]),
            (
                .resumability,
                [
                    observation(9, after: nil), observation(8, after: nil, session: 2),
                    observation(40, after: 8, session: 2),
                ]
            ),
            (.agreement, [observation(39, after: nil)]), (.agreement, []),
        ]
        for (promise, observations) in cases { #expect(promises(brokenBy: observations) == [promise]) }
    }
}
