// SPDX-License-Identifier: Apache-2.0

/// Drafts, policy and values of a namespace in the simplest way, as their documentation describes them: without stores, servers,
/// revisions and digests. A value is a number, a time is a minute.
struct TeamModel {
    /// The entry of a key, with a number that no other state of an entry has.
    struct Entry: Hashable { var (value, stamp): (Int, Int) }

    struct Operation: Hashable {
        /// `nil` to remove the entry.
        var value: Int?
        var base: Int?
    }

    struct Policy: Hashable {
        var approvals = 0
        /// How strictly changes without a draft are refused: 0 not, 1 but in an emergency, 2 always.
        var strictness = 0
        /// All if empty.
        var protected: Set<String> = []

        static let all = [
            Policy(), Policy(approvals: 1, strictness: 2), Policy(approvals: 2, strictness: 2),
            Policy(approvals: 1, strictness: 2, protected: ["a.*"]), Policy(approvals: 1, strictness: 1),
            Policy(approvals: 1, strictness: 2, protected: ["a.*", "b.*"]), Policy(approvals: 0, strictness: 2),
            Policy(approvals: 1, strictness: 1, protected: ["b.*"]),
        ]

        func protects(_ key: String) -> Bool {
            let name = key.split(separator: ":").last ?? ""
            return protected.isEmpty || protected.contains { name.hasPrefix($0.dropLast()) }
        }

        func requiresLess(than other: Policy) -> Bool {
            if approvals < other.approvals || strictness < other.strictness { return true }
            if other.approvals == 0, other.strictness == 0 { return false }
            if protected.isEmpty { return false }
            return other.protected.isEmpty || !other.protected.isSubset(of: protected)
        }
    }

    /// What a reviewer has read.
    struct Content: Hashable {
        var operations: [String: Operation] = [:]
        var message: Int?
        /// The minute in which it should be applied.
        var time: Int?
        var policy: Policy?
        var policyBase: Int?
    }

    struct Draft {
        var id = ""
        var content = Content()
        var title: Int?
        var version = 1
        var editors: [String]
        /// Whether they approve, by the reviewers of this version.
        var verdicts: [String: Bool] = [:]
        var state = "open"
    }

    struct Edit {
        var title: Int?
        var message: Int??
        var time: Int??
        var operations: [String: Int?] = [:]
        var discarded: Set<String> = []
        var policy: Policy?
    }

    enum Choice { case mine, theirs, other(Int?) }

    static let window = 15

    var entries: [String: Entry] = [:]
    var policy = Policy()
    var policyStamp: Int?
    var drafts: [Draft] = []
    /// Whose tokens are valid.
    var valid: Set<String> = []
    var minute = 0
    /// The values after each revision of the namespace.
    private(set) var past: [[String: Int]] = [[:]]
    private var lastStamp = 0

    private mutating func stamp() -> Int {
        lastStamp += 1
        return lastStamp
    }

    var values: [String: Int] { entries.mapValues(\.value) }
}

// MARK: Derived states

extension TeamModel {
    func conflicts(_ draft: Draft) -> Set<String> {
        var conflicts = Set(draft.content.operations.filter { $1.base != entries[$0]?.stamp }.keys)
        if draft.content.policy != nil, draft.content.policyBase != policyStamp { conflicts.insert("$policy") }
        return conflicts
    }

    func isValid(_ edits: [String: Int?]) -> Bool {
        var after: [String: Int?] = values.mapValues { $0 }
        for (key, value) in completed(edits) { after[key] = .some(value) }
        guard let value = after["limited"] ?? nil, let maximum = after["schema:limited"] ?? nil else { return true }
        return value <= maximum
    }

    func approvers(_ draft: Draft) -> Set<String> {
        Set(draft.verdicts.filter { $1 && valid.contains($0) && !draft.editors.contains($0) }.keys)
    }

    private func lacksReview(_ draft: Draft) -> Bool {
        let isProtected = draft.content.policy != nil || draft.content.operations.keys.contains(where: policy.protects)
        return draft.verdicts.values.contains(false) || isProtected && approvers(draft).count < policy.approvals
    }

    private func isMissed(_ draft: Draft) -> Bool { draft.content.time.map { minute - $0 >= Self.window } ?? false }

    func status(_ draft: Draft) -> String {
        if draft.state != "open" { return draft.state }
        if isMissed(draft) { return "missed" }
        if !conflicts(draft).isEmpty { return "conflicted" }
        if !isValid(draft.content.operations.mapValues(\.value)) { return "invalid" }
        if lacksReview(draft) { return "in review" }
        guard let time = draft.content.time else { return "approved" }
        return time > minute ? "scheduled" : "due"
    }

    /// Edits with the rules that are removed with their keys.
    private func completed(_ edits: [String: Int?]) -> [String: Int?] {
        var edits = edits
        for (key, value) in edits where value == nil && !key.contains(":") && edits["rule:" + key] == nil {
            edits["rule:" + key] = .some(nil)
        }
        return edits
    }
}

// MARK: Steps

extension TeamModel {
    private mutating func change(_ edits: [String: Int?]) {
        let changes = completed(edits).filter { entries[$0]?.value != $1 }
        if changes.isEmpty { return }
        let stamp = stamp()
        for (key, value) in changes { entries[key] = value.map { Entry(value: $0, stamp: stamp) } }
        past.append(values)
    }

    mutating func write(_ edits: [String: Int?], isEmergency: Bool, isRollback: Bool = false) -> String {
        let changed = completed(edits).filter { entries[$0]?.value != $1 }.keys
        if !isRollback, !isValid(edits) { return "invalid" }
        let isFree = policy.strictness == 0 || policy.strictness == 1 && isEmergency
        if !isFree, changed.contains(where: policy.protects) { return "reviewRequired" }
        change(edits)
        return changed.isEmpty ? "unchanged" : "made"
    }

    mutating func rollBack(to revision: Int, isEmergency: Bool) -> String {
        let former = past[revision]
        var edits: [String: Int?] = former.mapValues { $0 }
        for key in entries.keys where former[key] == nil { edits[key] = .some(nil) }
        return write(edits, isEmergency: isEmergency, isRollback: true)
    }

    mutating func set(_ new: Policy) -> String {
        if new.requiresLess(than: policy) { return "reviewRequired" }
        if new != policy || policyStamp == nil { (policy, policyStamp) = (new, stamp()) }
        return "made"
    }

    /// - Returns: the content with an edit, or why it is refused.
    private func edited(_ draft: Draft, _ edit: Edit, isNew: Bool) -> (Draft, refusal: String?) {
        var draft = draft
        if let title = edit.title { draft.title = title }
        if let message = edit.message { draft.content.message = message }
        if let time = edit.time, time != draft.content.time || isNew {
            if let time, time <= minute { return (draft, "past") }
            draft.content.time = time
        }
        for key in edit.discarded { draft.content.operations[key] = nil }
        for (key, value) in edit.operations {
            let base = draft.content.operations[key].map(\.base) ?? entries[key]?.stamp
            draft.content.operations[key] = Operation(value: value, base: base)
        }
        if let policy = edit.policy { (draft.content.policy, draft.content.policyBase) = (policy, policyStamp) }
        return (draft, draft.content.operations.isEmpty && draft.content.policy == nil ? "limit" : nil)
    }

    mutating func propose(_ edit: Edit, by name: String) -> String {
        let (draft, refusal) = edited(Draft(editors: [name]), edit, isNew: true)
        if refusal == nil { drafts.append(draft) }
        return refusal ?? "made"
    }

    /// A change of an open draft at a version: if it makes a difference, the reviews are over.
    private mutating func revise(
        _ index: Int,
        by name: String,
        ifVersion version: Int?,
        _ body: (TeamModel, Draft) -> (Draft, refusal: String?)
    ) -> String {
        let old = drafts[index]
        if old.state != "open" { return "ended" }
        if let version, version != old.version { return "stale" }
        var (new, refusal) = body(self, old)
        if let refusal { return refusal }
        if new.content == old.content, new.title == old.title { return "made" }
        (new.version, new.verdicts) = (old.version + 1, [:])
        if !new.editors.contains(name) { new.editors.append(name) }
        drafts[index] = new
        return "made"
    }

    mutating func edit(_ index: Int, _ edit: Edit, by name: String, ifVersion version: Int?) -> String {
        revise(index, by: name, ifVersion: version) { $0.edited($1, edit, isNew: false) }
    }

    mutating func rebase(_ index: Int, _ choices: [String: Choice], by name: String, ifVersion version: Int?) -> String
    {
        revise(index, by: name, ifVersion: version) { model, draft in
            if !model.conflicts(draft).isSubset(of: choices.keys) { return (draft, "undecided") }
            var draft = draft
            for (key, choice) in choices {
                if key == "$policy", draft.content.policy != nil {
                    draft.content.policyBase = model.policyStamp
                    if case .theirs = choice { (draft.content.policy, draft.content.policyBase) = (nil, nil) }
                    continue
                }
                guard var operation = draft.content.operations[key] else { return (draft, "notInDraft") }
                operation.base = model.entries[key]?.stamp
                if case .other(let value) = choice { operation.value = value }
                draft.content.operations[key] = operation
                if case .theirs = choice { draft.content.operations[key] = nil }
            }
            return (draft, draft.content.operations.isEmpty && draft.content.policy == nil ? "limit" : nil)
        }
    }

    /// - Parameter approves: `nil` to withdraw.
    mutating func review(_ index: Int, _ approves: Bool?, of content: Content, by name: String) -> String {
        let draft = drafts[index]
        if draft.state != "open" { return "ended" }
        if content != draft.content { return "otherDigest" }
        if approves == true {
            if draft.editors.contains(name) { return "ownDraft" }
            if !isValid(draft.content.operations.mapValues(\.value)) { return "invalid" }
        }
        drafts[index].verdicts[name] = approves
        return "made"
    }

    mutating func apply(_ index: Int, of content: Content) -> String {
        let draft = drafts[index]
        if draft.state == "applied" { return "made" }
        if draft.state != "open" { return "ended" }
        if content != draft.content { return "otherDigest" }
        if isMissed(draft) { return "missed" }
        if !conflicts(draft).isEmpty { return "conflict" }
        if lacksReview(draft) { return "approvalsMissing" }
        if let time = draft.content.time, time > minute { return "scheduled" }
        let edits = draft.content.operations.mapValues(\.value)
        if !isValid(edits) { return "invalid" }
        change(edits)
        if let policy = draft.content.policy, policy != self.policy || policyStamp == nil {
            (self.policy, policyStamp) = (policy, stamp())
        }
        drafts[index].state = "applied"
        return "made"
    }

    mutating func close(_ index: Int) -> String {
        if drafts[index].state == "applied" { return "ended" }
        drafts[index].state = "closed"
        return "made"
    }

    /// Applies what is due, in the order of the times and of the ids, until nothing more can be applied.
    mutating func applyDue() {
        var isDone = false
        while !isDone {
            isDone = true
            let due = drafts.indices.filter { drafts[$0].content.time.map { $0 <= minute } ?? false }
                .sorted {
                    (drafts[$0].content.time ?? 0, drafts[$0].id) < (drafts[$1].content.time ?? 0, drafts[$1].id)
                }
            for index in due where status(drafts[index]) == "due" {
                _ = apply(index, of: drafts[index].content)
                isDone = false
            }
        }
    }
}
