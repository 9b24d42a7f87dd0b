// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import ConfigRules
import Foundation
import Testing

struct ConfigConditionTests {
    private func surroundings(_ change: (inout ProgramFacts) -> Void = { _ in }) -> Surroundings {
        var facts = ProgramFacts(platform: .linux)
        change(&facts)
        return Surroundings(facts: facts)
    }

    @Test func platformIsOneOfThese() {
        let surroundings = surroundings()
        #expect(ConfigCondition.platform(.macOS, .linux).holds(in: surroundings))
        #expect(!ConfigCondition.platform(.macOS).holds(in: surroundings))
    }

    @Test(
        arguments: [
            ("pt-BR", ["pt"], true), ("pt-BR", ["pt-PT"], false), ("pt", ["pt-BR"], false),
            ("de_AT.UTF-8", ["DE"], true),
            ("es", ["de", "es"], true), ("est", ["es"], false), ("zh-Hant-TW", ["zh-hant"], true), ("fr", ["*"], true),
            (nil, ["*"], false), ("C", ["*"], false),
        ] as [(String?, [String], Bool)]
    )
    func locale(_ language: String?, _ ranges: [String], _ holds: Bool) {
        let surroundings = surroundings { $0.language = language }
        let condition = ranges.map { ConfigCondition.language($0) }.reduce(.never, ||)
        #expect(condition.holds(in: surroundings) == holds)
    }

    @Test(
        arguments: [
            (["LC_ALL": "de_DE.UTF-8", "LANG": "en_US"], "de-DE"), (["LC_ALL": "", "LANG": "en_US"], "en-US"),
            (["LC_MESSAGES": "fr", "LANG": "en"], "fr"), (["LANG": "C.UTF-8"], nil), ([:], nil),
        ] as [([String: String], String?)]
    )
    func theLanguageIsThatOfTheEnvironment(_ environment: [String: String], _ language: String?) {
        #expect(ProgramFacts.current(environment: environment).language == language)
    }

    @Test func environmentVariable() {
        let surroundings = surroundings { $0.environment = ["A": "1", "EMPTY": ""] }
        #expect(ConfigCondition.environment("A", is: "1").holds(in: surroundings))
        #expect(!ConfigCondition.environment("A", is: "2").holds(in: surroundings))
        #expect(ConfigCondition.environment("EMPTY").holds(in: surroundings))
        #expect(!ConfigCondition.environment("B").holds(in: surroundings))
    }

    @Test func conditionsCompose() {
        let surroundings = surroundings()
        for left in [false, true] {
            for right in [false, true] {
                let (a, b) = (ConfigCondition("a") { left }, ConfigCondition("b") { right })
                #expect((a && b).holds(in: surroundings) == (left && right))
                #expect((a || b).holds(in: surroundings) == (left || right))
                #expect((!a).holds(in: surroundings) == !left)
                #expect((a && !b || !(a || b)).name == "((a and not b) or not (a or b))")
            }
        }
    }

    @Test(arguments: [10, 33, 50, 99]) func rolloutSelectsTheUsersOfASplit(percent: Int) throws {
        let split: EntryValue = ["fractional": [["on", .integer(percent)], ["off", .integer(100 - percent)]]]
        let rule = try ConfigRule(
            ["variants": ["on": true, "off": false], "defaultVariant": "off", "targeting": split]
        )
        let condition = ConfigCondition.rollout(percent: Double(percent), salt: "button")
        #expect(!condition.holds(in: Surroundings()), "nobody is known")
        for number in 0..<2000 {
            let context = EvaluationContext(targetingKey: "user-\(number)")
            let isIn = EvaluationContext.$current.withValue(context) { condition.holds(in: Surroundings()) }
            #expect(isIn == (rule.evaluate(key: "button", in: context, at: 0).variant == "on"))
        }
    }
}

extension ConfigCondition {
    static let never = ConfigCondition("never") { false }
}
