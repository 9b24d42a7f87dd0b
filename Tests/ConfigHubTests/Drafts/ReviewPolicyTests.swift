// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Testing

struct ReviewPolicyTests {
    private func policy(_ approvals: Int, _ direct: ReviewPolicy.Direct, _ protected: String...) -> ReviewPolicy {
        var policy = ReviewPolicy()
        (policy.approvals, policy.direct, policy.protected) = (approvals, direct, protected)
        return policy
    }

    @Test(arguments: [
        ("app.color", true), ("app.color.dark", false), ("pay.limit", true), ("pay", false), ("payment", false),
        ("schema:app.color", true), ("schema:app.*", true), ("schema:*", true), ("schema:pay.x.*", true),
        ("schema:other.*", false), ("rule:app.color", true), ("rule:other", false), ("rule:$evaluators", true),
    ])
    func protectsNamesAndPrefixes(key: String, isProtected: Bool) {
        #expect(policy(1, .deny, "app.color", "pay.*").protects(key) == isProtected)
        #expect(policy(1, .deny).protects(key))
    }

    @Test func requiresLessInAnyRespect() {
        let strict = policy(2, .emergency, "app.*", "pay.limit")
        let equals = [strict, policy(3, .deny, "app.*", "pay.*"), policy(2, .emergency), policy(2, .deny, "*")]
        for other in equals { #expect(!other.requiresLess(than: strict), "\(other)") }
        let less = [
            policy(1, .emergency, "app.*", "pay.limit"), policy(2, .allow, "app.*", "pay.limit"),
            policy(2, .emergency, "app.*"), policy(2, .emergency, "app.color", "pay.*"), ReviewPolicy(),
        ]
        for other in less { #expect(other.requiresLess(than: strict), "\(other)") }
        #expect(!policy(0, .allow, "app.*").requiresLess(than: ReviewPolicy()))
    }

    @Test func rejectsPoliciesThatCannotHold() {
        #expect(policy(1, .deny).problem == nil)
        #expect(policy(0, .allow, "app.*", "*").problem == nil)
        #expect(policy(6, .deny).problem?.contains("0 to 5") == true)
        #expect(policy(1, .allow).problem?.contains("must not allow direct changes") == true)
        #expect(policy(1, .deny, "app..x").problem?.contains("'app..x'") == true)
        var late = policy(1, .deny)
        late.window = .seconds(8 * 24 * 3600)
        #expect(late.problem?.contains("7d") == true)
    }
}
