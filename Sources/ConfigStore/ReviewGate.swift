// SPDX-License-Identifier: Apache-2.0

package import ConfigModel

/// The policy of a namespace, as it was when a publish was sent: the transaction checks that it is still the current one, and
/// that the publish changes no key that needs a review.
package struct ReviewGate: Hashable, Sendable {
    /// The namespace that the policy is stored in.
    package var namespace: String
    /// The revision of that namespace.
    package var revision: UInt64
    /// The revision of the policy; `nil` if none is stored.
    package var policyRevision: UInt64?
    /// The policy, if changes need a draft.
    package var policy: ReviewPolicy?

    package init(namespace: String, revision: UInt64, policyRevision: UInt64?, policy: ReviewPolicy?) {
        (self.namespace, self.revision) = (namespace, revision)
        (self.policyRevision, self.policy) = (policyRevision, policy)
    }

    /// The first keys that need a review, sorted.
    func gatedKeys(in keys: [String]) -> [String] {
        guard let policy else { return [] }
        return Array(keys.filter(policy.protects).sorted().prefix(100))
    }
}

extension StoreReads {
    /// Whether the policy is the one that a publish was sent under.
    func isCurrent(_ gate: ReviewGate?) throws(Failure) -> Bool {
        guard let gate, try revision(of: gate.namespace) != gate.revision else { return true }
        return try entry(ReviewPolicy.key, in: gate.namespace)?.revision == gate.policyRevision
    }
}
