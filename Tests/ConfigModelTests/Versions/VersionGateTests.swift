// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Testing

struct VersionGateTests {
    @Test(
        arguments: [
            ("1.0.0", "2.0.0", nil, false), ("2.0.0", "2.0.0", nil, true), ("2.0.1", "2.0.0", "3.0.0", true),
            ("2.0.0-rc.1", "2.0.0", nil, false), ("2.0.0+build", "2.0.0", "2.0.0", true),
            ("3.0.1", nil, "3.0.0", false),
            ("1.0.0", nil, nil, true), ("10.0.0", "9.0.0", nil, true),
        ] as [(String, String?, String?, Bool)]
    )
    func aVersionIsComparedWithTheOldestAndTheNewest(
        _ version: String,
        _ minimum: String?,
        _ maximum: String?,
        _ isUpToDate: Bool
    ) throws {
        let version = try #require(SemanticVersion(version))
        let minimum = minimum.flatMap { SemanticVersion($0) }
        let maximum = maximum.flatMap { SemanticVersion($0) }
        let gate = VersionGate(of: version, minimum: minimum, maximum: maximum)
        #expect(gate.isUpToDate == isUpToDate)
        switch gate {
        case .upToDate: break
        case .outOfDate(let required): #expect(required == minimum && version < required)
        case .tooNew(let newest): #expect(newest == maximum && newest < version)
        case .unsupported: Issue.record("there is no range")
        }
    }

    @Test func aVersionIsLookedForInARange() throws {
        let range = try #require(VersionRange("1.x || 3.x"))
        #expect(VersionGate(of: SemanticVersion(1, 4, 0), in: range) == .upToDate)
        #expect(VersionGate(of: SemanticVersion(2, 0, 0), in: range) == .unsupported(range))
    }
}
