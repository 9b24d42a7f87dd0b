// SPDX-License-Identifier: Apache-2.0

import ConfigHub
import ConfigModel
import ConfigStore
import HubTestSupport
import StoreTestSupport
import TestSupport
import Testing

/// Whether unapproved content of a draft can be applied, while one person edits the draft on one server and another one approves
/// and applies it on another.
@Suite(.mariaDB, .serialized, .timeLimit(.minutes(60)))
struct DraftRaceTests {
    /// The number of drafts. Set `LIVERY_DRAFT_ROUNDS=10000` for a long run.
    private static let rounds = number("LIVERY_DRAFT_ROUNDS", otherwise: 120)
    private static let lanes = 8

    private struct Count: Sendable { var (superseded, refused) = (0, 0) }

    @Test(arguments: DraftPlace.allCases)
    func onlyApprovedContentIsApplied(place: DraftPlace) async throws {
        // The store in memory copies a namespace for each commit.
        let rounds = place == .memory ? min(Self.rounds, 1000) : Self.rounds
        try await place.withHubs { editing, approving in
            let count = try await withThrowingTaskGroup(of: Count.self) { group in
                for lane in 0..<Self.lanes {
                    let pair = Pair(namespace: "shop-\(lane)", editing: editing, approving: approving)
                    group.addTask { try await pair.race(rounds / Self.lanes) }
                }
                return try await group.reduce(into: Count()) { sum, count in
                    sum.superseded += count.superseded
                    sum.refused += count.refused
                }
            }
            // There was a race: edits have ended approvals, and drafts were not applied because of that.
            #expect(count.superseded > 0 && count.refused > 0)
            print("\(place): \(rounds) drafts, \(count)")
        }
    }

    /// The servers of the two, in a separate namespace.
    private struct Pair: Sendable {
        let namespace: String
        let editing: NamespaceHub
        let approving: NamespaceHub

        var editor: DraftDesk { editing.drafts(of: namespace) }
        var approver: DraftDesk { approving.drafts(of: namespace) }

        func race(_ rounds: Int) async throws -> Count {
            try await editor.set(.needing(1), ifRevision: nil, by: .named("ada"))
            var count = Count()
            for round in 0..<rounds { count.refused += try await race(round: round) }
            count.superseded = try await checkHistory(rounds)
            return count
        }

        /// - Returns: how often the draft could not be applied.
        private func race(round: Int) async throws -> Int {
            let id = try await editor.create(edit(round * 10), by: .named("eve")).id
            try await wait(in: approving) { (try? $0.draft(id)) != nil }
            async let edits: Void = edit(id, round)
            async let refused = approveAndApply(id, round)
            try await edits
            // The next one begins with what this one has set.
            try await wait(in: editing) { (try? $0.draft(id)).map { $0.state != .open } }
            return try await refused
        }

        private func wait(in hub: NamespaceHub, until isSeen: @escaping @Sendable (DraftDesk) -> Bool?) async throws {
            let namespace = namespace
            try #require(
                await hub.wait(atMost: .seconds(60)) { isSeen($0.drafts(of: namespace)) == true ? true : nil } ?? false
            )
        }

        private func edit(_ value: Int) -> DraftEdit {
            var edit = DraftEdit()
            edit.title = "race"
            edit.operations = ["k": .integer(value)]
            return edit
        }

        private func edit(_ id: String, _ round: Int) async throws {
            for step in 1...4 {
                // Half of the edits come when the draft has just been approved.
                if step.isMultiple(of: 2) {
                    try await wait(in: editing) {
                        (try? $0.draft(id)).map { $0.state != .open || !$0.currentReviews.isEmpty }
                    }
                }
                do throws(DraftError) {
                    _ = try await editor.edit(id, edit(round * 10 + step), ifVersion: nil, by: .named("eve"))
                } catch {
                    guard case .ended = error else { throw error }
                    return
                }
            }
        }

        private func approveAndApply(_ id: String, _ round: Int) async throws -> Int {
            var (approved, refused): ([String: EntryValue], Int) = ([:], 0)
            while true {
                do throws(DraftError) {
                    let read = try approver.draft(id)
                    let digest = read.digest(in: namespace)
                    _ = try await approver.review(id, .approved, digest: digest, comment: nil, by: .named("bob"))
                    approved[digest] = read.operations["k"]?.value
                    for _ in 0..<round % 8 { await Task.yield() }
                    // By a request, and as at its time.
                    let named = round.isMultiple(of: 2) ? digest : nil
                    let applied = try await approver.apply(id, digest: named, by: .named("bob"))
                    guard case .applied(let revision?) = applied.state else { throw DraftError.unknown(id) }
                    let entry = approving.state(of: namespace)?.stored("k")
                    let content = approved[applied.events.last?.digest ?? ""]
                    #expect(content != nil && entry?.value == content && entry?.revision == revision)
                    #expect(applied.digest(in: namespace) == applied.events.last?.digest)
                    return refused
                } catch {
                    switch error {
                    case .otherDigest, .approvalsMissing: refused += 1
                    default: throw error
                    }
                }
            }
        }

        /// Checks that each draft has made one revision.
        ///
        /// - Returns: the number of reviews that edits have ended.
        private func checkHistory(_ drafts: Int) async throws -> Int {
            let records = try await approving.history(HistoryQuery(of: namespace, limit: 100_000))
            let all = try approver.all()
            #expect(records.count == drafts && all.count == drafts)
            let revisions = all.compactMap { if case .applied(let revision) = $0.state { revision } else { nil } }
            #expect(Set(revisions) == Set(records.map(\.revision)))
            return all.reduce(0) { sum, draft in
                sum + draft.events.count { $0.kind.isReview && $0.version < draft.version }
            }
        }
    }
}
