// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigStore
import HubTestSupport
import StoreTestSupport
import TestSupport
import Testing

@testable import ConfigHub

/// A team of five at two servers, who do at random what can be done with drafts; each step has the effect that it has in
/// ``TeamModel``.
@Suite(.mariaDB, .serialized, .timeLimit(.minutes(120)))
struct TeamStoryTests {
    /// The number of steps. Set `LIVERY_DRAFT_STEPS=100000` for about an hour.
    private static let steps = number("LIVERY_DRAFT_STEPS", otherwise: 300)
    /// The number of steps in a namespace.
    private static let chapter = 100

    @Test(arguments: DraftPlace.allCases)
    func theDraftsOfATeamAreAsInTheModel(place: DraftPlace) async throws {
        let minute = Box(0)
        let time: @Sendable () -> Timestamp = { .ofMinute(minute.value).later(by: 30_000) }
        try await place.withHubs(at: time) { first, second in
            for chapter in 0..<(Self.steps + Self.chapter - 1) / Self.chapter {
                let story = TeamStory(chapter: chapter, hubs: [first, second], minute: minute)
                for _ in 0..<Self.chapter { try await story.step() }
                try await story.end()
            }
        }
    }
}

/// The steps in one namespace.
private final class TeamStory {
    private typealias Content = TeamModel.Content

    private static let team = ["ann", "bob", "cid", "dan", "eve"]
    private static let keys = ["a.1", "a.2", "b.1", "limited", "rule:a.1", "schema:limited"]

    private let namespace: String
    private let hubs: [NamespaceHub]
    private let minute: Box<Int>
    private let valid = Box(Set(team))
    private var model = TeamModel()
    private var random: SeededGenerator
    private var digests: [Content: String] = [:]
    private var contents: [String: Content] = [:]
    /// The contents that the drafts have had.
    private var former: [[Content]] = []
    private var log: [String] = []

    init(chapter: Int, hubs: [NamespaceHub], minute: Box<Int>) {
        (namespace, self.hubs, self.minute) = ("team-\(chapter)", hubs, minute)
        random = SeededGenerator(seed: UInt64(chapter))
        (model.valid, model.minute) = (Set(Self.team), minute.value)
        for hub in hubs { hub.approvals.set { [valid] actor, _ in valid.value.contains(actor.subject ?? "") } }
    }

    private func chance(oneOf count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

    private func any<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: elements.indices, using: &random)]
    }

    // MARK: Steps

    func step() async throws {
        let desk = any(hubs).drafts(of: namespace)
        let name = any(Self.team)
        let open = model.drafts.indices.filter { model.drafts[$0].state == "open" }
        let index = chance(oneOf: 12) || open.isEmpty ? model.drafts.indices.randomElement(using: &random) : any(open)
        let kind = Int.random(in: 0..<24, using: &random)
        var (expected, found) = ("", "")
        switch (kind, index) {
        case (0..<4, _) where open.count < 8, (_, nil):
            let edit = edit(of: nil)
            log.append("\(name) proposes \(edit)")
            expected = model.propose(edit, by: name)
            found = try await label {
                let draft = try await desk.create(draftEdit(edit), by: .named(name))
                if expected == "made" { model.drafts[model.drafts.count - 1].id = draft.id }
            }
            if expected == "made" { former.append([]) }
        case (0..<8, let index?):
            let (edit, version) = (edit(of: index), version(of: index))
            log.append("\(name) edits \(index) \(edit), if at \(version.map(String.init) ?? "any")")
            expected = model.edit(index, edit, by: name, ifVersion: version)
            found = try await label {
                _ = try await desk.edit(model.drafts[index].id, draftEdit(edit), ifVersion: version, by: .named(name))
            }
        case (8..<13, let index?):
            let verdict: Bool? = chance(oneOf: 5) ? any([false, nil]) : true
            let content = content(of: index)
            log.append("\(name) reviews \(index): \(String(describing: verdict))")
            expected = model.review(index, verdict, of: content, by: name)
            let event = verdict.map { $0 ? DraftEvent.Kind.approved : .rejected } ?? .withdrew
            let digest = digests[content] ?? ""
            found = try await label {
                let id = model.drafts[index].id
                _ = try await desk.review(id, event, digest: digest, comment: nil, by: .named(name))
            }
        case (13..<16, let index?):
            let content = content(of: index)
            log.append("\(name) applies \(index)")
            expected = model.apply(index, of: content)
            let digest = digests[content] ?? ""
            found = try await label {
                _ = try await desk.apply(model.drafts[index].id, digest: digest, by: .named(name))
            }
        case (16, let index?):
            log.append("\(name) closes \(index)")
            expected = model.close(index)
            found = try await label { _ = try await desk.close(model.drafts[index].id, reason: nil, by: .named(name)) }
        case (17, let index?):
            let (choices, version) = (choices(of: index), version(of: index))
            log.append("\(name) rebases \(index) \(choices), if at \(version.map(String.init) ?? "any")")
            expected = model.rebase(index, choices, by: name, ifVersion: version)
            let choice = Dictionary(uniqueKeysWithValues: choices.map { ($0, draftChoice($1, $0)) })
            found = try await label {
                _ = try await desk.rebase(model.drafts[index].id, choice, ifVersion: version, by: .named(name))
            }
        case (18..<20, _):
            let (edits, isEmergency) = (operations(upTo: 2, schemas: true), chance(oneOf: 3))
            log.append("write \(edits), emergency: \(isEmergency)")
            expected = model.write(edits, isEmergency: isEmergency)
            let values = Dictionary(uniqueKeysWithValues: edits.map { ($0, entryValue($1, $0)) })
            found = try await publish(.edit(values), isEmergency, at: desk.hub)
        case (20, _):
            let revisions = try await revisions()
            let (target, isEmergency) = (Int.random(in: revisions.indices, using: &random), chance(oneOf: 3))
            log.append("roll back to \(target), emergency: \(isEmergency)")
            expected = model.rollBack(to: target, isEmergency: isEmergency)
            found = try await publish(.rollback(to: revisions[target]), isEmergency, at: desk.hub)
        case (21, _):
            let policy = any(TeamModel.Policy.all)
            log.append("set \(policy)")
            expected = model.set(policy)
            found = try await label { try await desk.set(reviewPolicy(policy), ifRevision: nil, by: .named(name)) }
        case (22, _):
            log.append("the token of \(name)")
            if model.valid.remove(name) == nil { model.valid.insert(name) }
            valid.value = model.valid
        default: try await pass(chance(oneOf: 4) ? 20 : Int.random(in: 1...6, using: &random))
        }
        try #require(found == expected, "\(namespace): \(log.suffix(30).joined(separator: "\n"))")
        model.applyDue()
        try await agree()
        for (index, draft) in model.drafts.enumerated() where former[index].last != draft.content {
            former[index].append(draft.content)
        }
    }

    func end() async throws {
        let revisions = try await revisions()
        #expect(revisions.count == model.past.count)
        for draft in model.drafts where draft.state == "open" {
            _ = try await hubs[0].drafts(of: namespace).close(draft.id, reason: nil, by: .named("ann"))
        }
        print(
            namespace,
            Dictionary(grouping: model.drafts, by: \.state).mapValues(\.count),
            "\(revisions.count) revisions"
        )
    }

    /// Lets time pass at both servers.
    private func pass(_ minutes: Int) async throws {
        log.append("\(minutes) minutes pass")
        model.minute += minutes
        minute.value = model.minute
        // They read the clock when drafts of any namespace change.
        var policy = ReviewPolicy()
        policy.window = .seconds(model.minute)
        try await hubs[0].drafts(of: "clock").set(policy, ifRevision: nil, by: .named("ann"))
        let time = Timestamp.ofMinute(model.minute)
        try await until("the servers read the clock") { hubs.allSatisfy { $0.clock.now >= time } }
    }

    /// The revisions of the namespace, with 0 for the time before the first one.
    private func revisions() async throws -> [UInt64] {
        let records = try await hubs[0].history(HistoryQuery(of: namespace, limit: 100_000))
        return [0] + Set(records.map(\.revision)).sorted()
    }

    private func publish(_ change: Publish.Change, _ isEmergency: Bool, at hub: NamespaceHub) async throws -> String {
        var publish = Publish(namespace: namespace, change: change)
        publish.isEmergency = isEmergency
        switch try await hub.publish(publish) {
        case .committed: return "made"
        case .unchanged: return "unchanged"
        case .reviewRequired: return "reviewRequired"
        case .invalid: return "invalid"
        case let outcome: return "\(outcome)"
        }
    }

    private func label(_ body: () async throws -> Void) async throws -> String {
        do {
            try await body()
            return "made"
        } catch let error as DraftError {
            switch error {
            case .ended: return "ended"
            case .stale: return "stale"
            case .otherDigest: return "otherDigest"
            case .ownDraft: return "ownDraft"
            case .approvalsMissing: return "approvalsMissing"
            case .conflict: return "conflict"
            case .undecided: return "undecided"
            case .notInDraft: return "notInDraft"
            case .invalid: return "invalid"
            case .schedule(.past): return "past"
            case .scheduled: return "scheduled"
            case .missed: return "missed"
            case .limit: return "limit"
            case .policyRelaxed: return "reviewRequired"
            default: return "\(error)"
            }
        }
    }

    // MARK: What is chosen

    private func value() -> Int? { chance(oneOf: 5) ? nil : Int.random(in: 1...9, using: &random) }

    private func operations(upTo count: Int, schemas: Bool) -> [String: Int?] {
        let keys = Self.keys.filter { schemas || !$0.hasPrefix("schema:") }.shuffled(using: &random)
        let chosen = keys.prefix(Int.random(in: 1...count, using: &random))
        return Dictionary(uniqueKeysWithValues: chosen.map { ($0, value()) })
    }

    /// - Parameter index: the draft; `nil` for a new one. One with a time changes neither schemas nor the policy: the effect of
    ///   those on other drafts of the same time would depend on which server is faster.
    private func edit(of index: Int?) -> TeamModel.Edit {
        var edit = TeamModel.Edit()
        let content = index.map { model.drafts[$0].content }
        let isPlain = content?.policy == nil && content?.operations["schema:limited"] == nil
        let mayTime = isPlain && chance(oneOf: 3)
        let isTimed = mayTime || content?.time != nil
        if mayTime {
            edit.time = chance(oneOf: 5) ? .some(nil) : model.minute + Int.random(in: -1...12, using: &random)
        }
        if index == nil || chance(oneOf: 2) { edit.operations = operations(upTo: 3, schemas: !isTimed) }
        if chance(oneOf: 4) { edit.title = Int.random(in: 0..<3, using: &random) }
        if chance(oneOf: 4) { edit.message = chance(oneOf: 3) ? .some(nil) : Int.random(in: 0..<3, using: &random) }
        if chance(oneOf: 8), !isTimed { edit.policy = any(TeamModel.Policy.all) }
        if let content, chance(oneOf: 4) {
            edit.discarded = Set(content.operations.keys.filter { _ in chance(oneOf: 2) })
            for key in edit.discarded { edit.operations[key] = nil }
        }
        return edit
    }

    private func version(of index: Int) -> Int? {
        let version = model.drafts[index].version
        return chance(oneOf: 2) ? nil : chance(oneOf: 5) ? version - 1 : version
    }

    private func content(of index: Int) -> Content {
        let old = former[index].randomElement(using: &random)
        return chance(oneOf: 6) ? old ?? model.drafts[index].content : model.drafts[index].content
    }

    private func choices(of index: Int) -> [String: TeamModel.Choice] {
        let draft = model.drafts[index]
        var keys = chance(oneOf: 4) ? Set(draft.content.operations.keys) : model.conflicts(draft)
        if chance(oneOf: 6), let key = keys.randomElement(using: &random) { keys.remove(key) }
        if chance(oneOf: 10) { keys.insert(any(Self.keys)) }
        return Dictionary(
            uniqueKeysWithValues: keys.sorted().map { key in
                (key, any([.mine, .mine, .theirs] + (key == "$policy" ? [] : [.other(value())])))
            }
        )
    }

    // MARK: The same for a server

    private func entryValue(_ value: Int?, _ key: String) -> EntryValue? {
        value.map { value in
            switch EntryKind(of: key) {
            case .value: .integer(value)
            case .schema: ["maximum": .integer(value)]
            case .rule: ["variants": ["a": .integer(value)], "defaultVariant": "a", "bucketing": "flagd-3"]
            }
        }
    }

    private func draftChoice(_ choice: TeamModel.Choice, _ key: String) -> DraftChoice {
        switch choice {
        case .mine: .mine
        case .theirs: .theirs
        case .other(let value): .value(entryValue(value, key))
        }
    }

    private func draftEdit(_ edit: TeamModel.Edit) -> DraftEdit {
        var made = DraftEdit()
        made.title = edit.title.map(String.init)
        made.message = edit.message.map { $0.map(String.init) }
        made.applyAt = edit.time.map { $0.map { Timestamp.ofMinute($0).description } }
        for (key, value) in edit.operations { made.operations[key] = .some(entryValue(value, key)) }
        made.discarded = edit.discarded
        made.policy = edit.policy.map(reviewPolicy)
        return made
    }

    private func reviewPolicy(_ policy: TeamModel.Policy) -> ReviewPolicy {
        var made = ReviewPolicy()
        (made.approvals, made.protected) = (policy.approvals, policy.protected.sorted())
        made.direct = [.allow, .emergency, .deny][policy.strictness]
        return made
    }

    // MARK: Comparison

    private func agree() async throws {
        var differences: [String] = []
        do {
            try await until("both servers agree with the model", deadline: .seconds(30)) {
                differences = []
                for hub in hubs { differences += try await self.differences(in: hub) }
                return differences.isEmpty
            }
        } catch let error as WaitError {
            log.append("\(error.expectation): \(differences.joined(separator: "\n"))")
            throw FixtureError("\(namespace): \(log.suffix(40).joined(separator: "\n"))")
        }
    }

    private func differences(in hub: NamespaceHub) async throws -> [String] {
        let desk = hub.drafts(of: namespace)
        var found: [String] = []
        func compare<Value: Equatable>(_ what: String, _ found: Value, _ expected: Value) -> [String] {
            found == expected ? [] : ["\(what): \(found), expected \(expected)"]
        }
        for key in Self.keys {
            let value = hub.state(of: namespace)?.stored(key)?.value
            found += compare(key, value, entryValue(model.entries[key]?.value, key))
        }
        found += compare("policy", try desk.policy().policy, reviewPolicy(model.policy))
        for (index, expected) in model.drafts.enumerated()
        where expected.state == "open" || index + 4 > model.drafts.count {
            guard let draft = try? desk.draft(expected.id) else {
                found.append("draft \(index) is missing")
                continue
            }
            let violations = draft.state == .open ? try await desk.violations(of: draft) : []
            let standing = try desk.standing(draft, violations: violations)
            found += compare("status of \(index)", standing.status.rawValue, model.status(expected))
            found += compare("version of \(index)", draft.version, expected.version)
            found += compare("editors of \(index)", draft.editors, expected.editors)
            if expected.state == "open" {
                found += compare("approvers of \(index)", Set(standing.approvers), model.approvers(expected))
                if standing.status == .conflicted {
                    found += compare("conflicts of \(index)", Set(standing.conflicts), model.conflicts(expected))
                }
            }
            let digest = draft.digest(in: namespace)
            if found.isEmpty, digests[expected.content] == nil, contents[digest] == nil {
                (digests[expected.content], contents[digest]) = (digest, expected.content)
            }
            if found.isEmpty {
                found += compare("digest of \(index)", digest, digests[expected.content] ?? "a new one")
            }
        }
        return found
    }
}

extension Timestamp {
    fileprivate static func ofMinute(_ minute: Int) -> Timestamp {
        Timestamp(milliseconds: 1_798_761_600_000 + Int64(minute) * 60_000)
    }
}
