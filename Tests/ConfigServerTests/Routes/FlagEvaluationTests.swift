// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigRules
import Testing

@testable import ConfigServer

struct FlagEvaluationTests {
    /// Such an answer is written by the workers, and not on an event loop.
    @Test(arguments: [
        (EntryValue.string(String(repeating: "x", count: 4000)), false),
        (.string(String(repeating: "x", count: 4200)), true),
        (.array(Array(repeating: .double(0.1), count: 100)), true),
        (.array(Array(repeating: .array([]), count: 1000)), true),
        (.object(EntryObject([("a", .array(Array(repeating: .integer(1), count: 1000))), ("b", .null)])), true),
        (.object(EntryObject([("a", .array([.double(0.1), .integer(1)])), ("b", .null)])), false),
    ])
    func longAnswersAreKnownWithoutWritingThem(value: EntryValue, isLong: Bool) {
        let evaluation = RuleEvaluation(variant: "a", value: value, reason: .static)
        #expect(FlagEvaluation(key: "flag", evaluation: evaluation).isLonger(than: 4096) == isLong)
        let plain = RuleEvaluation(variant: "a", value: .boolean(true), reason: .static)
        let flag = FlagEvaluation(key: "flag", evaluation: plain, metadata: EntryObject([("about", value)]))
        #expect(flag.isLonger(than: 4096) == isLong)
    }
}
