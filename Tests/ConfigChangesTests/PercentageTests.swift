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

    @Test(arguments: [
        "", "%", "101%", "-1%", "1.23456%", "a%", "1.%", ".5%", "1e2", "100.1", "٣%", "99999999999999999999",
    ])
    func invalidPercentagesAreRejected(text: String) {
        #expect(throws: ConfigError.self) { try Percentage(text) }
    }
}
