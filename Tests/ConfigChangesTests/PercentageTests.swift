// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Testing

@testable import ConfigChanges

struct PercentageTests {
    @Test(arguments: [
        ("25%", 25, 100, "25 %"), ("25", 25, 100, "25 %"), ("0%", 0, 100, "0 %"), ("100%", 100, 100, "100 %"),
        ("0.5%", 5, 1000, "0.5 %"), ("33.3333%", 333_333, 1_000_000, "33.3333 %"), ("10.0%", 100, 1000, "10 %"),
    ])
    func aPercentageIsAWeight(text: String, weight: Int, total: Int, shown: String) throws {
        let share = try Percentage(text)
        #expect(share == Percentage(weight: weight, total: total))
        #expect(share.description == shown)
    }

    @Test(
        arguments: [
            (1, 3_000_000, "0.00003 %"), (1, 1_000_000, "0.0001 %"), (99_999_999, 100_000_000, "99.999999 %"),
            (1, 3, "33.3333 %"), (0, 7, "0 %"), (1, Int(Int32.max), "0.00000005 %"), (1, 1 << 62, "0 %"),
        ] as [(Int, Int, String)]
    )
    func onlyWholeSharesReadAsWhole(weight: Int, total: Int, shown: String) {
        #expect(Percentage(weight: weight, total: total).description == shown)
    }

    @Test func differentSharesReadDifferently() {
        let (near, far) = (Percentage(weight: 1, total: 30_000), Percentage(weight: 1, total: 30_001))
        #expect(Percentage.descriptions(near, far) == ("0.0033333 %", "0.0033332 %"))
        let half = Percentage(weight: 1, total: 2)
        #expect(Percentage.descriptions(half, Percentage(weight: 2, total: 4)) == ("50 %", "50 %"))
        let large = [1 << 61, 1 << 61 + 1].map { Percentage(weight: $0, total: 1 << 62) }
        #expect(Percentage.descriptions(large[0], large[1]).1.hasPrefix("2,305,843,009,213,693,953 of "))
    }

    @Test(arguments: [
        "", "%", "101%", "-1%", "1.23456%", "a%", "1.%", ".5%", "1e2", "100.1", "٣%", "99999999999999999999",
    ])
    func invalidPercentagesAreRejected(text: String) {
        #expect(throws: ConfigError.self) { try Percentage(text) }
    }
}
