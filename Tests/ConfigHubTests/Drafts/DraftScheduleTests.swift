// SPDX-License-Identifier: Apache-2.0

import ConfigHub
import ConfigModel
import ConfigStore
import ConfigStoreTesting
import HubTestSupport
import StoreTestSupport
import Synchronization
import TestSupport
import Testing

/// Drafts that one server applies at their times, and the limits of drafts.
@Suite(.timeLimit(.minutes(5)))
struct DraftScheduleTests {
    private static let minute: Int64 = 60_000

    /// Proposes a change of a key at a time.
    private static func schedule(
        _ key: String,
        at time: Timestamp,
        in hub: NamespaceHub,
        values: [String: EntryValue?] = [:]
    ) async throws -> String {
        var edit = DraftEdit()
        (edit.title, edit.applyAt) = ("scheduled", time.description)
        edit.operations = values.isEmpty ? [key: 1] : values
        return try await hub.drafts(of: "default").create(edit, by: .named("ann")).id
    }

    private static func wait(
        for ids: [String],
        in hub: NamespaceHub
    ) async throws -> (revisions: [UInt64], times: [Timestamp]) {
        let desk = hub.drafts(of: "default")
        try await until("the drafts are applied") { try ids.allSatisfy { try desk.draft($0).state != .open } }
        let drafts = try ids.map { try desk.draft($0) }
        let revisions = drafts.compactMap { if case .applied(let revision) = $0.state { revision } else { nil } }
        return (revisions, drafts.compactMap(\.events.last?.time))
    }

    @Test(
        "A draft that the store does not take holds back those after it; one with a conflict or too many keys does not"
    )
    func onlyAnUnavailableStoreHoldsBackOthers() async throws {
        let store = FaultyStore()
        let limits = NamespaceHub.Limits.patient { $0.quotas.keys = 5 }
        try await withHub(store, limits: limits) { hub in
            let time = Timestamp.ofClock().later(by: 1500)
            let conflicted = try await Self.schedule("taken", at: time, in: hub)
            try await hub.edit(["taken": 2])
            let large = Dictionary(uniqueKeysWithValues: (0..<9).map { ("k\($0)", EntryValue?.some(1)) })
            let tooLarge = try await Self.schedule("", at: time.later(by: 1), in: hub, values: large)
            // The later one is created first.
            let second = try await Self.schedule("b", at: time.later(by: 3), in: hub)
            let first = try await Self.schedule("a", at: time.later(by: 2), in: hub)
            store.state.withLock { $0.commitFaults = [.refuse(StoreError(.unavailable, "gone"))] }
            let made = try await Self.wait(for: [first, second], in: hub).revisions
            #expect(made.count == 2 && made[0] < made[1])
            let desk = hub.drafts(of: "default")
            #expect(try desk.standing(try desk.draft(conflicted)).status == .conflicted)
            #expect(try desk.standing(try desk.draft(tooLarge)).status == .due)
            #expect(try hub.values() == ["taken": 2, "a": 1, "b": 1])
        }
    }

    /// The machine's clock is two minutes behind, and two minutes ahead.
    @Test(arguments: [2 * minute, -2 * minute]) func theClockOfTheDatabaseCounts(lead: Int64) async throws {
        let store = FaultyStore()
        store.state.withLock { $0.clockLead = lead }
        try await withHub(store) { hub in
            let time = Timestamp.ofClock().later(by: lead + 1000)
            // The server reads the clock when it begins to schedule.
            var id: String?
            try await until("the time is not past") {
                id = try? await Self.schedule("a", at: time, in: hub)
                return id != nil
            }
            let applied = try await Self.wait(for: [try #require(id)], in: hub).times[0]
            #expect(applied >= time && applied < time.later(by: 2000))
        }
    }

    @Test("A draft that became due while no server ran is applied within the window, and later it is missed")
    func aMissedDraftWritesNothing() async throws {
        let store = FaultyStore()
        store.state.withLock { $0.clockLead = 0 }
        let (early, late) = try await withHub(store) { hub in
            let time = Timestamp.ofClock()
            let early = try await Self.schedule("early", at: time.later(by: Self.minute), in: hub)
            return (early, try await Self.schedule("late", at: time.later(by: 10 * Self.minute), in: hub))
        }
        // A quarter of an hour is the window.
        store.state.withLock { $0.clockLead = 20 * Self.minute }
        try await withHub(store) { hub in
            _ = try await Self.wait(for: [late], in: hub)
            let desk = hub.drafts(of: "default")
            let draft = try desk.draft(early)
            #expect(try desk.standing(draft).status == .missed)
            let error = await #expect(throws: DraftError.self) {
                try await desk.apply(early, digest: draft.digest(in: "default"), by: .named("bob"))
            }
            guard case .missed = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(try hub.values() == ["late": 1])
            #expect(try desk.all().map(\.id) == [late, early])
        }
    }

    @Test("Restoring a store under another epoch closes its open drafts, whatever their time")
    func aRestoredStoreClosesItsDrafts() async throws {
        let store = FaultyStore()
        store.state.withLock { $0.clockLead = 0 }
        let (draft, contents) = try await withHub(store) { hub in
            let time = Timestamp.ofClock().later(by: Self.minute)
            let id = try await Self.schedule("k", at: time, in: hub)
            return (try hub.drafts(of: "default").draft(id), try await store.load())
        }
        let restored = ReferenceStore()
        for (namespace, state) in contents.namespaces {
            try await restored.edit(state.entries.mapValues { $0.value }, in: namespace)
        }
        let later = FaultyStore(store: restored)
        later.state.withLock { $0.clockLead = 2 * Self.minute }
        try await withHub(later) { hub in
            let desk = hub.drafts(of: "default")
            #expect(try desk.standing(try desk.draft(draft.id)).status == .closed)
            let digest = draft.digest(in: "default")
            func expectEnd(_ body: () async throws -> Draft) async throws {
                let error = await #expect(throws: DraftError.self) { _ = try await body() }
                guard case .ended(let how) = error else {
                    Issue.record("\(String(describing: error))")
                    return
                }
                #expect(how == "it was closed: the store was restored from a backup; propose the change again")
            }
            try await expectEnd { try await desk.apply(draft.id, digest: digest, by: .named("bob")) }
            try await expectEnd {
                try await desk.review(draft.id, .approved, digest: digest, comment: nil, by: .named("bob"))
            }
            try await expectEnd { try await desk.edit(draft.id, DraftEdit(), ifVersion: nil, by: .named("bob")) }
            try await expectEnd { try await desk.rebase(draft.id, [:], ifVersion: nil, by: .named("bob")) }
            #expect(try hub.values().isEmpty)
        }
    }

    @Test func tooMuchIsRefused() async throws {
        try await withHub(ReferenceStore()) { hub in
            let desk = hub.drafts(of: "default")
            func refusal(_ body: () async throws -> Draft) async throws -> String {
                let error = await #expect(throws: DraftError.self) { _ = try await body() }
                guard case .limit(let message) = error else { return "\(String(describing: error))" }
                return message
            }
            func edit(_ operations: [(String, EntryValue?)]) -> DraftEdit {
                var edit = DraftEdit()
                edit.operations = Dictionary(uniqueKeysWithValues: operations)
                return edit
            }
            let many = edit((0...Draft.maximumOperations).map { ("k\($0)", 1) })
            let large = edit((0..<18).map { ("k\($0)", .string(String(repeating: "x", count: 60_000))) })
            let draft = try await desk.create(edit([("k", 1)]), by: .named("ann"))
            for (edit, message) in [(many, "at most 1000 operations"), (large, "at most 1048576 bytes")] {
                #expect(try await refusal { try await desk.create(edit, by: .named("ann")) }.contains(message))
                let refused = try await refusal {
                    try await desk.edit(draft.id, edit, ifVersion: nil, by: .named("ann"))
                }
                #expect(refused.contains(message))
            }
            let (id, digest) = (draft.id, draft.digest(in: "default"))
            let long = String(repeating: "x", count: 4097)
            let comment = try await refusal {
                try await desk.review(id, .approved, digest: digest, comment: long, by: .named("bob"))
            }
            #expect(comment.contains("longer than 4096 bytes"))
            for _ in 0..<Draft.maximumComments {
                _ = try await desk.review(id, .rejected, digest: digest, comment: "no", by: .named("bob"))
            }
            let review = try await refusal {
                try await desk.review(id, .rejected, digest: digest, comment: "no", by: .named("bob"))
            }
            #expect(review.contains("has 100 comments"))
            _ = try await desk.review(id, .withdrew, digest: digest, comment: nil, by: .named("bob"))
        }
    }
}
