// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigSchemas
import TestSupport
import Testing

/// Schemas and values made at random, decided as PyPI's jsonschema 4.26.0 decides them.
struct RandomPairTests {
    /// Reads `pairs.jsonl`, or another file that `generate.py` made: its path is in SCHEMA_PAIRS.
    @Test func twentyThousandPairsAreDecidedAsByPython() throws {
        let lines = try FixtureLines(variable: "SCHEMA_PAIRS", or: "pairs.jsonl", in: "Suite")
        var (decided, valid, failures): (Int, Int, [String]) = (0, 0, [])
        for line in lines.values {
            let text = try #require(String(configValue: line.elements[0]))
            let schema = try ConfigSchema(json: Array(text.utf8))
            let verdicts = try #require(String(configValue: line.elements[2]))
            for (value, verdict) in zip(line.elements[1].elements, verdicts) {
                let violations = schema.violations(of: value)
                decided += 1
                valid += violations.isEmpty ? 1 : 0
                if violations.isEmpty != (verdict == "1") {
                    failures.append("\(text)\non \(value.canonicalJSON), which is \(verdict): \(violations)")
                }
            }
        }
        #expect(failures.isEmpty, "\(failures.count) of \(decided):\n\(failures.prefix(10).joined(separator: "\n"))")
        #expect(decided >= 20_000)
        // Both results are frequent.
        #expect(valid * 4 > decided && valid * 4 < decided * 3)
    }
}
