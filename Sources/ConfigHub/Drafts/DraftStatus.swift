// SPDX-License-Identifier: Apache-2.0

package import ConfigModel
internal import ConfigStore

/// The state of a draft, as derived from the namespace, the policy, the tokens and the time.
package enum DraftStatus: String, CaseIterable, Sendable {
    /// It has been applied.
    case applied
    /// It has been closed.
    case closed
    /// Its time has passed by more than the window of the policy.
    case missed
    /// An entry has changed since it was put into the draft.
    case conflicted
    /// It violates a schema, or a rule cannot be evaluated.
    case invalid
    /// Approvals are missing, or a reviewer has rejected it.
    case inReview = "in review"
    /// It can be applied, and is applied at its time.
    case scheduled
    /// Its time has come.
    case due
    /// It can be applied.
    case approved

    /// Whether nothing changes it any more.
    package var isEnd: Bool { self == .applied || self == .closed }
}

/// The facts from which the status of a draft follows.
package struct DraftSurroundings {
    /// The revision of the entry of a key of ``Draft/bases``; `nil` without one.
    package var revision: (String) -> UInt64?
    package var policy: ReviewPolicy
    /// Whether the token of a review exists, has not expired and still has the role.
    package var isValid: (DraftActor) -> Bool
    package var violations: [ViolationMessage]
    package var epoch: Epoch
    package var now: Timestamp

    package init(
        epoch: Epoch,
        policy: ReviewPolicy,
        now: Timestamp,
        violations: [ViolationMessage] = [],
        isValid: @escaping (DraftActor) -> Bool,
        revision: @escaping (String) -> UInt64?
    ) {
        (self.epoch, self.policy, self.now) = (epoch, policy, now)
        (self.violations, self.isValid, self.revision) = (violations, isValid, revision)
    }
}

/// The derived state of a draft, with the reasons.
package struct DraftStanding: Hashable, Sendable {
    package var status: DraftStatus
    /// The keys whose entries have changed since they were put into the draft, sorted.
    package var conflicts: [String] = []
    package var violations: [ViolationMessage] = []
    /// The number of approvals that it needs.
    package var needed = 0
    /// The subjects whose approvals count.
    package var approvers: [String] = []
    /// The subjects that have rejected it.
    package var rejecters: [String] = []

    /// The steps before the draft can be applied, in words without values.
    package var missing: [String] {
        var missing: [String] = []
        if !conflicts.isEmpty { missing.append("rebase: \(conflicts.joined(separator: ", "))") }
        if !violations.isEmpty {
            missing.append(violations.count == 1 ? "1 violation" : "\(violations.count) violations")
        }
        // The subject of a server without tokens has no name.
        let names = rejecters.filter { !$0.isEmpty }.joined(separator: ", ")
        if !rejecters.isEmpty { missing.append(names.isEmpty ? "rejected" : "rejected by \(names)") }
        let count = needed - approvers.count
        if count > 0 { missing.append(count == 1 ? "1 approval" : "\(count) approvals") }
        return missing
    }
}

extension Draft {
    /// The state as it is stored, or closed by a restored backup.
    package func state(in epoch: Epoch) -> State {
        guard case .open = state, epoch != self.epoch else { return state }
        return .closed(reason: "the store was restored from a backup; propose the change again")
    }

    /// Derives the state.
    package func standing(in surroundings: DraftSurroundings) -> DraftStanding {
        switch state(in: surroundings.epoch) {
        case .applied: return DraftStanding(status: .applied, approvers: approvers)
        case .closed: return DraftStanding(status: .closed)
        case .open: break
        }
        var standing = DraftStanding(status: .approved)
        standing.conflicts = bases.filter { surroundings.revision($0.key) != $0.value }.keys.sorted()
        standing.violations = surroundings.violations
        standing.needed = approvalsNeeded(by: surroundings.policy)
        let editors = editors
        for review in currentReviews {
            let subject = review.actor.subject ?? ""
            if review.kind == .rejected {
                standing.rejecters.append(subject)
            } else if !editors.contains(review.actor.subject), surroundings.isValid(review.actor) {
                standing.approvers.append(subject)
            }
        }
        standing.status = status(of: standing, in: surroundings)
        return standing
    }

    /// The number of approvals that the draft needs.
    private func approvalsNeeded(by policy: ReviewPolicy) -> Int {
        let isProtected = self.policy != nil || operations.keys.contains(where: policy.protects)
        return isProtected ? policy.approvals : 0
    }

    private func status(of standing: DraftStanding, in surroundings: DraftSurroundings) -> DraftStatus {
        let (now, instant) = (surroundings.now, instant)
        if let instant, now > instant.later(by: surroundings.policy.window.milliseconds) { return .missed }
        if !standing.conflicts.isEmpty { return .conflicted }
        if !standing.violations.isEmpty { return .invalid }
        if !standing.rejecters.isEmpty || standing.approvers.count < standing.needed { return .inReview }
        guard let instant else { return .approved }
        return now < instant ? .scheduled : .due
    }
}

extension Duration {
    /// In whole milliseconds.
    package var milliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}
