// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigStore
internal import Synchronization

extension NamespaceHub {
    /// The drafts of a namespace.
    package func drafts(of namespace: String) -> DraftDesk { DraftDesk(hub: self, namespace: namespace) }

    /// Sets the clock by the store's, if it has one.
    func readClock() async throws(StoreError) {
        if let time = try await store.now() { clock.set(to: time) }
    }

    /// The current epoch; that of no store until it has been loaded.
    var epoch: Epoch { head?.epoch ?? Epoch(rawValue: 0) }

    /// The states of two namespaces at one moment; `nil` until the store has been loaded.
    func states(of first: String, _ second: String) -> (NamespaceState, NamespaceState)? {
        memory.present.map { ($0.state(of: first), $0.state(of: second)) }
    }

    /// The policy in a namespace of drafts, with its revision. A policy that no server can have written denies all direct
    /// changes.
    func policy(of drafts: NamespaceState) -> (policy: ReviewPolicy, revision: UInt64?) {
        guard let entry = drafts.entry(ReviewPolicy.key) else { return (ReviewPolicy(), nil) }
        return (ReviewPolicy(stored: entry.value) ?? .unreadable, entry.revision)
    }

    /// The gate that a publish must pass: none for what a draft holds, for drafts themselves, and in an emergency.
    func gate(for publish: Publish) -> ReviewGate? {
        let isOfDrafts = DraftNamespace.subject(of: publish.namespace) != nil || publish.companion != nil
        let store = DraftNamespace.name(for: publish.namespace)
        guard !isOfDrafts, let drafts = state(of: store) else { return nil }
        let (policy, revision) = policy(of: drafts)
        let isFree = !policy.needsDraft || publish.isEmergency && policy.direct == .emergency
        return ReviewGate(
            namespace: store,
            revision: drafts.revision,
            policyRevision: revision,
            policy: isFree ? nil : policy
        )
    }
}

extension ReviewPolicy {
    fileprivate static let unreadable: ReviewPolicy = {
        var policy = ReviewPolicy()
        policy.direct = .deny
        return policy
    }()
}

/// Whether approvals still count, by the tokens of the server.
package final class ApprovalRule: Sendable {
    private let rule = Mutex<@Sendable (DraftActor, String) -> Bool>({ _, _ in false })

    /// Whether the token of a review exists, has not expired, and still has the role in a namespace.
    func isValid(_ actor: DraftActor, in namespace: String) -> Bool { rule.withLock(\.self)(actor, namespace) }

    package func set(_ body: @escaping @Sendable (_ actor: DraftActor, _ namespace: String) -> Bool) {
        rule.withLock { $0 = body }
    }
}
