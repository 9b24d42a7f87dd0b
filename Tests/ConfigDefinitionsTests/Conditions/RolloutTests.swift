// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import Testing

struct RolloutTests {
    /// Computed by another program: an id has the same place in every process and on every platform.
    @Test(
        arguments: [
            ("", "", 0x6e34_0b9c_ffb3_7a98), ("button", "user-1", 0xc0ff_fe47_2dea_7afc),
            ("button", "user-2", 0xb93e_0776_21fa_410d), ("new-checkout", "é😸", 0xa1f9_95ee_30d6_5ad3),
        ] as [(String, String, UInt64)]
    )
    func anIdHasOnePlaceForEver(_ salt: String, _ id: String, _ hash: UInt64) {
        let place = Double(hash >> 11) / 0x1p53
        #expect(Rollout(percent: 50, salt: salt).place(of: id) == place)
        #expect(!Rollout(percent: place * 100, salt: salt).includes(id))
        #expect(Rollout(percent: (place * 100).nextUp, salt: salt).includes(id))
    }

    @Test(arguments: [1, 10, 33.3, 50, 99] as [Double])
    func theShareOfManyIdsIsThePercentage(percent: Double) {
        let rollout = Rollout(percent: percent, salt: "button")
        let count = (0..<200_000).count { rollout.includes("user-\($0)") }
        #expect(abs(Double(count) / 2000 - percent) < 0.5, "\(count) of 200,000")
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
        #expect(Rollout(percent: 50, salt: "ab").place(of: "c") != Rollout(percent: 50, salt: "a").place(of: "bc"))
    }

    @Test(arguments: [(0, false), (100, true), (-5, false), (1000, true), (Double.nan, false)])
    func nobodyAndEverybody(_ percent: Double, _ isIn: Bool) {
        let rollout = Rollout(percent: percent, salt: "s")
        #expect((0..<10_000).allSatisfy { rollout.includes("\($0)") == isIn })
    }
}
