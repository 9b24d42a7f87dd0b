// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ConfigDefinitions

struct RolloutTests {
    /// Vectors of the hash's authors.
    @Test(
        arguments: [
            ("", 0xcbf2_9ce4_8422_2325), ("a", 0xaf63_dc4c_8601_ec8c), ("foobar", 0x8594_4171_f739_67e8),
        ] as [(String, UInt64)]
    )
    func theHashIsFNV1a(_ text: String, _ expected: UInt64) {
        #expect(Rollout.fnv1a(text.utf8) == expected)
    }

    /// Computed by another program: an id has the same place in every process and on every platform.
    @Test(
        arguments: [
            ("", "", 0xb903_4ad3_7056_f5fb), ("button", "user-1", 0x060b_e8ba_a375_1f18),
            ("button", "user-2", 0x3ad9_c79e_3d9d_8e7a), ("new-checkout", "é😸", 0x00a1_d54d_3369_7ce6),
            ("new-checkout", "0", 0x9182_9558_2772_cddd),
        ] as [(String, String, UInt64)]
    )
    func anIdHasOnePlaceForEver(_ salt: String, _ id: String, _ expected: UInt64) {
        #expect(Rollout(percent: 50, salt: salt).hash(of: id) == expected)
    }

    @Test func thePlaceDecides() {
        #expect(Rollout(percent: 2.37, salt: "button").includes("user-1"))
        #expect(!Rollout(percent: 2.36, salt: "button").includes("user-1"))
    }

    @Test(arguments: [1, 10, 33.3, 50, 99] as [Double])
    func theShareOfAMillionIdsIsThePercentage(percent: Double) {
        let rollout = Rollout(percent: percent, salt: "button")
        let count = (0..<1_000_000).count { rollout.includes("user-\($0)") }
        #expect(abs(Double(count) / 10_000 - percent) < 0.2, "\(count) of a million")
    }

    @Test func raisingThePercentageKeepsEveryoneWhoWasIn() {
        let (ten, twenty) = (Rollout(percent: 10, salt: "s"), Rollout(percent: 20, salt: "s"))
        let ids = (0..<100_000).map { "user-\($0)" }
        #expect(ids.filter(ten.includes).allSatisfy(twenty.includes))
        #expect(ids.count(where: twenty.includes) > ids.count(where: ten.includes))
    }

    @Test func anotherSaltDrawsOthers() {
        let ids = (0..<100_000).map { "user-\($0)" }
        let (a, b) = (Rollout(percent: 50, salt: "a"), Rollout(percent: 50, salt: "b"))
        let both = ids.count { a.includes($0) && b.includes($0) }
        #expect(abs(Double(both) / 1000 - 25) < 1, "\(both) of 100,000 are in both halves")
    }

    @Test func saltAndIdDoNotRunTogether() {
        #expect(Rollout(percent: 50, salt: "ab").hash(of: "c") != Rollout(percent: 50, salt: "a").hash(of: "bc"))
    }

    @Test(arguments: [(0, false), (100, true), (-5, false), (1000, true), (Double.nan, false)])
    func nobodyAndEverybody(_ percent: Double, _ isIn: Bool) {
        let rollout = Rollout(percent: percent, salt: "s")
        #expect((0..<10_000).allSatisfy { rollout.includes("\($0)") == isIn })
    }
}
