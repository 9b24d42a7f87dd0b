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
