// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigRules
import Testing

@testable import ConfigChanges

struct ContextWordsTests {
    @Test(arguments: [
        "user=42", "user=42 language=es", "user=a plan:=\"pro plan\" age=30", "user:=\"a b\" on=true tags:=[1,2]",
    ])
    func aLineIsReadAsItIsWritten(line: String) throws {
        let context = try #require(try EvaluationContext(line: line))
        #expect(try EvaluationContext(line: context.line) == context)
        #expect(context.targetingKey?.isEmpty == false)
    }

    @Test func wordsAreSeparatedOutsideOfQuotes() throws {
        let context = try #require(try EvaluationContext(line: #"  user=7   plan:="pro \" plan" "#))
        #expect(context.targetingKey == "7")
        #expect(context.attributes["plan"] == #"pro " plan"#)
        #expect(try EvaluationContext(line: "  ") == nil)
    }

    @Test(arguments: ["42", "=x", "plan:={"])
    func invalidAttributesAreRejected(line: String) {
        #expect(throws: ConfigError.self) { try EvaluationContext(line: line) }
    }
}

struct ValueDiffTests {
    @Test func unchangedLinesFarFromAChangeAreLeftOut() {
        let old = EntryValue.array((0..<20).map { .integer($0) })
        let new = EntryValue.array((0..<20).map { .integer($0 == 10 ? 99 : $0) })
        let lines = ValueDiff(from: old, to: new).lines
        #expect(lines.contains(.removed("  10,")) && lines.contains(.added("  99,")))
        #expect(lines.first == .gap(8) && lines.last == .gap(7))
        #expect(lines.count == 10)
    }

    @Test func aNewValueIsAddedAsAWhole() {
        #expect(ValueDiff(from: nil, to: [1]).lines == [.added("["), .added("  1"), .added("]")])
        #expect(ValueDiff(from: [1], to: nil).lines == [.removed("["), .removed("  1"), .removed("]")])
        #expect(ValueDiff(from: [1], to: [1]).lines == [.gap(3)])
    }

    @Test func longValuesAreComparedAsAWhole() {
        let old = EntryValue.array((0..<5000).map { .integer($0) })
        let new = EntryValue.array((0..<5000).map { .integer($0 + 10_000) })
        #expect(ValueDiff(from: old, to: new).lines.count == 10_002)
    }
}
