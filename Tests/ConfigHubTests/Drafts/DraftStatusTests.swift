// SPDX-License-Identifier: Apache-2.0

import ConfigHub
import ConfigModel
import Testing

struct DraftStatusTests {
    private static let epoch = Epoch(rawValue: 7)
    private static let start = Timestamp(milliseconds: 1_800_000_000_000)

    private static func actor(_ name: String) -> DraftActor { DraftActor(subject: name, token: name, hash: name) }

    private static func draft(_ operations: [String: Draft.Operation] = ["app.color": .init("#fff", base: 3)]) -> Draft
    {
        var draft = Draft(id: "d1", epoch: epoch)
        draft.operations = operations
        draft.events = [DraftEvent(.created, by: actor("ann"), at: start, version: 1)]
        return draft
    }

    private static func surroundings(
        approvals: Int = 1,
        at seconds: Int64 = 0,
        revoked: Set<String> = [],
        revision: UInt64? = 3
    ) -> DraftSurroundings {
        var policy = ReviewPolicy()
        (policy.approvals, policy.direct) = (approvals, approvals > 0 ? .deny : .allow)
        return DraftSurroundings(
            epoch: epoch,
            policy: policy,
            now: Timestamp(milliseconds: start.milliseconds + seconds * 1000),
            isValid: { !revoked.contains($0.hash ?? "") },
            revision: { _ in revision }
        )
    }

    private func review(_ kind: DraftEvent.Kind, _ name: String, _ draft: inout Draft) {
        draft.events.append(DraftEvent(kind, by: Self.actor(name), at: Self.start, version: draft.version))
    }

    private func edit(_ name: String, _ draft: inout Draft) {
        draft.version += 1
        draft.events.append(DraftEvent(.edited, by: Self.actor(name), at: Self.start, version: draft.version))
    }

    @Test func countsApprovalsOfOthersOnTheCurrentVersion() {
        var draft = Self.draft()
        #expect(draft.standing(in: Self.surroundings(approvals: 0)).status == .approved)
        #expect(draft.standing(in: Self.surroundings()).status == .inReview)
        review(.approved, "ann", &draft)
        #expect(draft.standing(in: Self.surroundings()).status == .inReview, "the author's own does not count")
        review(.approved, "bob", &draft)
        #expect(draft.standing(in: Self.surroundings()).approvers == ["bob"])
        #expect(draft.standing(in: Self.surroundings()).status == .approved)
        #expect(draft.standing(in: Self.surroundings(revoked: ["bob"])).status == .inReview)
        review(.approved, "bob", &draft)
        #expect(draft.standing(in: Self.surroundings(approvals: 2)).status == .inReview, "nobody counts twice")
        review(.approved, "cid", &draft)
        #expect(draft.standing(in: Self.surroundings(approvals: 2)).status == .approved)
        edit("cid", &draft)
        #expect(draft.standing(in: Self.surroundings()).status == .inReview, "an edit ends all approvals")
        review(.approved, "cid", &draft)
        #expect(draft.standing(in: Self.surroundings()).status == .inReview, "an editor's does not count")
        #expect(draft.editors == ["ann", "cid"])
    }

    @Test func rejectionBlocksUntilWithdrawnOrEdited() {
        var draft = Self.draft()
        review(.approved, "bob", &draft)
        review(.rejected, "cid", &draft)
        #expect(draft.standing(in: Self.surroundings()).rejecters == ["cid"])
        #expect(draft.standing(in: Self.surroundings()).status == .inReview)
        #expect(draft.standing(in: Self.surroundings(approvals: 0)).status == .inReview)
        review(.withdrew, "cid", &draft)
        #expect(draft.standing(in: Self.surroundings()).status == .approved)
        review(.rejected, "bob", &draft)
        edit("ann", &draft)
        #expect(draft.standing(in: Self.surroundings(approvals: 0)).status == .approved)
    }

    @Test func bindsDigestsToContentAlone() {
        let draft = Self.draft()
        let digest = draft.digest(in: "shop")
        #expect(digest.count == 64)
        func other(_ change: (inout Draft) -> Void) -> Bool {
            var other = draft
            change(&other)
            return other.digest(in: "shop") != digest
        }
        #expect(other { $0.operations["app.color"]?.value = "#ffe" })
        #expect(other { $0.operations["app.color"]?.value = nil })
        #expect(other { $0.operations["app.color"]?.base = 4 })
        #expect(other { $0.operations["app.color"]?.base = nil })
        #expect(other { $0.operations["app.size"] = .init(1, base: nil) })
        #expect(other { $0.message = "because" })
        #expect(other { $0.schedule(try? ScheduledTime("2027-03-28T09:00:00Z")) })
        #expect(other { $0.policy = .init(["approvals": 0], base: nil) })
        #expect(!other { $0.events.append($0.events[0]) })
        #expect(draft.digest(in: "other") != digest)
    }

    @Test func findsConflictsAndEndsWithItsStore() {
        let draft = Self.draft(["a": .init(1, base: 3), "b": .init(nil, base: nil), "schema:c": .init(nil, base: 4)])
        var surroundings = Self.surroundings(approvals: 0)
        surroundings.revision = { ["a": 3, "schema:c": 4][$0] }
        #expect(draft.standing(in: surroundings).status == .approved)
        surroundings.revision = { ["a": 5, "b": 6][$0] }
        #expect(draft.standing(in: surroundings).conflicts == ["a", "b", "schema:c"])
        #expect(draft.standing(in: surroundings).status == .conflicted)
        surroundings.epoch = Epoch(rawValue: 8)
        #expect(draft.standing(in: surroundings).status == .closed)
        surroundings = Self.surroundings(approvals: 0)
        surroundings.violations = [ViolationMessage(schema: "a", pointer: "", message: "too small")]
        #expect(Self.draft().standing(in: surroundings).status == .invalid)
    }

    @Test func isDueFromItsInstantThroughTheWindow() {
        var draft = Self.draft()
        draft.schedule(try? ScheduledTime(Timestamp(milliseconds: Self.start.milliseconds + 60_000).description))
        #expect(draft.standing(in: Self.surroundings(at: 59)).status == .inReview)
        #expect(draft.standing(in: Self.surroundings(at: 60 + 901)).status == .missed)
        for (seconds, status) in [(59, DraftStatus.scheduled), (60, .due), (960, .due), (961, .missed)] {
            #expect(draft.standing(in: Self.surroundings(approvals: 0, at: Int64(seconds))).status == status)
        }
    }

    @Test func entriesKeepAllOfIt() throws {
        var draft = Self.draft([
            "a": .init(["x": 1], base: 3), "rule:b": .init(nil, base: .max), "c": .init("", base: nil),
        ])
        (draft.title, draft.message) = ("Autumn", "colours")
        draft.schedule(try? ScheduledTime("2027-03-28T09:00:00[Europe/Berlin]"))
        draft.policy = .init(["approvals": 2], base: 9)
        edit("bob", &draft)
        draft.events.append(
            DraftEvent(
                .rejected,
                by: DraftActor(subject: nil, token: nil, hash: nil),
                at: Self.start,
                version: 2,
                digest: "ab",
                comment: "no"
            )
        )
        for state in [
            Draft.State.open, .applied(revision: 12), .applied(revision: nil), .closed(reason: "late"),
            .closed(reason: nil),
        ] {
            draft.state = state
            #expect(Draft(id: "d1", content: draft.content, state: draft.stateEntry) == draft)
        }
        #expect(Draft(id: "d1", content: ["operations": 1], state: draft.stateEntry) == nil)
    }
}
