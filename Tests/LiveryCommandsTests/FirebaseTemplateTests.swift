// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import ConfigRules
import Testing

@testable import LiveryCommands

struct FirebaseTemplateTests {
    private func template(_ text: String) throws -> FirebaseTemplate {
        try FirebaseTemplate(json: Array(text.utf8), source: "t.json")
    }

    /// The value of a key for a user at a time; `nil` if the program's own default applies.
    private func value(
        of key: String,
        in template: FirebaseTemplate,
        for context: EvaluationContext = EvaluationContext(),
        at seconds: Int = 0
    ) throws -> EntryValue? {
        guard let rule = template.rules[key] else { return template.values[key] }
        let compiled = try ConfigRule(rule, evaluators: template.rules[EntryKind.sharedRules])
        return compiled.evaluate(key: key, in: context, at: seconds).value ?? template.values[key]
    }

    @Test func parametersHaveTheirTypes() throws {
        let template = try template(
            #"""
            {"parameters": {
              "text": {"defaultValue": {"value": "3"}, "valueType": "STRING"},
              "old": {"defaultValue": {"value": "true"}, "description": "x"},
              "flag": {"defaultValue": {"value": "false"}, "valueType": "BOOLEAN"},
              "count": {"defaultValue": {"value": "90000"}, "valueType": "NUMBER"},
              "ratio": {"defaultValue": {"value": "-1.50"}, "valueType": "NUMBER"},
              "menu": {"defaultValue": {"value": "{\"a\": [1, null]}"}, "valueType": "JSON"},
              "local": {"defaultValue": {"useInAppDefault": true}, "valueType": "BOOLEAN"}},
            "parameterGroups": {"New UI": {"description": "g", "parameters": {
              "new_ui": {"defaultValue": {"value": "true"}, "valueType": "BOOLEAN"}}}},
            "version": {"versionNumber": "28"}}
            """#
        )
        #expect(
            template.values == [
                "text": "3", "old": "true", "flag": false, "count": 90_000, "ratio": -1.5, "menu": ["a": [1, .null]],
                "new_ui": true,
            ]
        )
        #expect(template.rules.isEmpty && template.leftOut.count == 0 && template.notes.isEmpty)
        #expect(template.ignored == ["the descriptions of 1 parameter"])
    }

    @Test(
        arguments: [
            ("12", 12), ("-0.25", -0.25), ("1e3", 1_000), ("+5", 5), (".5", 0.5), ("5.", 5), ("007", 7),
            ("9007199254740991", 9_007_199_254_740_991), ("0.1234567890123456", 0.1234567890123456),
        ] as [(String, EntryValue)]
    )
    func numbersKeepTheirDigits(text: String, number: EntryValue) throws {
        let template = try template(
            #"{"parameters": {"n": {"defaultValue": {"value": "\#(text)"}, "valueType": "NUMBER"}}}"#
        )
        #expect(template.values == ["n": number] && template.leftOut.count == 0, "\(template.leftOut.lines)")
    }

    @Test(
        arguments: [
            ("9007199254740993", "the integer exceeds"), ("12345678901234567890", "the integer exceeds"),
            ("0.12345678901234567890", "too many digits"), ("+9007199254740993", "expected a value"),
            ("0x10", "is not a number"), ("nan", "is not a number"), ("inf", "is not a number"),
            ("", "is not a number"), ("1e999", "is not a number"), (" 5", "is not a number"),
            ("1-2", "is not a number"),
        ]
    )
    func numbersThatWouldChangeAreLeftOut(text: String, reason: String) throws {
        let template = try template(
            #"{"parameters": {"n": {"defaultValue": {"value": "\#(text)"}, "valueType": "NUMBER"}}}"#
        )
        let lines = template.leftOut.lines
        #expect(template.values.isEmpty && lines.count == 1 && lines[0].contains(reason), "\(lines)")
    }

    /// The order in `conditions` decides. That of `conditionalValues` is another one.
    @Test func theFirstConditionOfTheTemplateApplies() throws {
        let template = try template(
            #"""
            {"conditions": [{"name": "Spain", "expression": "device.country in ['es']"},
              {"name": "default", "expression": "device.os == 'ios' && app.version.>=(['2.1'])"},
              {"name": "unused", "expression": "device.os == 'web'"}],
            "parameters": {"welcome": {"defaultValue": {"value": "Hello"}, "conditionalValues": {
              "default": {"value": "Hi iOS"}, "Spain": {"value": "Hola"}}}}}
            """#
        )
        #expect(template.values == ["welcome": "Hello"])
        let ios: [String: EntryValue] = ["platform": "ios", "version": "2.1.0"]
        for (attributes, text) in [
            (["region": "ES"], "Hola"), (ios, "Hi iOS"), (ios.merging(["region": "ES"]) { $1 }, "Hola"),
            (["platform": "ios", "version": "2.0.9"], "Hello"), ([:], "Hello"),
        ] as [([String: EntryValue], EntryValue)] {
            #expect(try value(of: "welcome", in: template, for: EvaluationContext(attributes)) == text, "\(attributes)")
        }
        guard case .object(let evaluators)? = template.rules["$evaluators"] else { throw ConfigError(.syntax, "none") }
        #expect(evaluators.map(\.key) == ["Spain", "default"])
        #expect(template.notes == ["the conditions read from the context: platform, region, version"])
    }

    @Test func conditionsShareNoVariant() throws {
        let template = try template(
            #"""
            {"conditions": [{"name": "default", "expression": "device.os == 'ios'"},
              {"name": "condition default", "expression": "device.os == 'web'"},
              {"name": "condition condition default", "expression": "device.os == 'android'"}],
            "parameters": {"a": {"defaultValue": {"value": "0"}, "conditionalValues": {"default": {"value": "1"},
              "condition default": {"value": "2"}, "condition condition default": {"value": "3"}}}}}
            """#
        )
        for (platform, text) in [("ios", "1"), ("web", "2"), ("android", "3"), ("linux", "0")]
            as [(EntryValue, EntryValue)]
        {
            let context = EvaluationContext(["platform": platform])
            #expect(try value(of: "a", in: template, for: context) == text, "\(platform)")
        }
    }

    /// Where a condition says `useInAppDefault`, no value of the key can be in the way.
    @Test func conditionsMayLeaveTheValueToTheApp() throws {
        let template = try template(
            #"""
            {"conditions": [{"name": "web", "expression": "device.os == 'web'"}, {"name": "ios", "expression": "device.os == 'ios'"}],
            "parameters": {
              "a": {"defaultValue": {"value": "1"}, "valueType": "NUMBER", "conditionalValues": {
                "web": {"useInAppDefault": true}, "ios": {"value": "2"}}},
              "b": {"defaultValue": {"useInAppDefault": true}, "conditionalValues": {"ios": {"value": "x"}}},
              "c": {"conditionalValues": {"ios": {"value": "x"}}}}}
            """#
        )
        #expect(template.values.isEmpty && template.leftOut.count == 0)
        for (platform, values) in [("web", [nil, nil, nil]), ("ios", [2, "x", "x"]), ("android", [1, nil, nil])]
            as [(EntryValue, [EntryValue?])]
        {
            let context = EvaluationContext(["platform": platform])
            let found = try ["a", "b", "c"].map { try value(of: $0, in: template, for: context) }
            #expect(found == values, "\(platform)")
        }
        #expect(template.notes.contains { $0.hasPrefix("a: programs without a context get their own default") })
    }

    @Test(
        arguments: [
            ("device.os == 'android'", ["platform": "android"], ["platform": "ios"]),
            ("device.os != 'android'", ["platform": "ios"], [:]),
            ("app.version.<(['2.10.0'])", ["version": "2.9"], ["version": "2.10.0"]),
            ("app.version.==(['2'])", ["version": "2.0.0"], ["version": "2.0.1"]),
            ("app.version.!=(['2'])", ["version": "2.0.1"], [:]),
            ("app.version.exactlyMatches(['2.1', 'beta'])", ["version": "beta"], ["version": "2.1.0"]),
            ("app.version.contains(['beta', 'rc'])", ["version": "2.0-rc1"], ["version": "2.0"]),
            ("app.version.notContains(['beta'])", ["version": "2.0"], [:]),
            ("app.build.>=(['42'])", ["build": 42], ["build": "41"]),
            ("app.build.exactlyMatches(['42'])", ["build": 42], ["build": 4]),
            ("device.country in ['US', 'ca']", ["region": "CA"], ["region": "MX"]),
            ("device.language in ['de', 'es-MX', 'pt_BR']", ["language": "de", "region": "AT"], ["language": "es"]),
            ("device.language in ['es-MX']", ["language": "es", "region": "MX"], ["language": "es", "region": "ES"]),
            ("device.language in ['es-419']", ["language": "es", "region": "419"], ["language": "es"]),
            ("true && device.os == \"web\"", ["platform": "web"], [:]),
        ] as [(String, [String: EntryValue], [String: EntryValue])]
    )
    func conditionsAreOperations(expression: String, isMet: [String: EntryValue], isNot: [String: EntryValue]) throws {
        let operation = try FirebaseCondition(expression).operation
        let rule = try ConfigRule(["variants": ["on": true], "targeting": ["if": [operation, "on"]]])
        for (attributes, variant) in [(isMet, "on"), (isNot, nil)] {
            let evaluation = rule.evaluate(key: "k", in: EvaluationContext(attributes), at: 0)
            #expect(evaluation.variant == variant, "\(operation) in \(attributes)")
        }
    }

    @Test(
        arguments: [
            ("dateTime < dateTime('2026-12-24T00:00:00')", 1_798_070_400),
            ("dateTime < dateTime('2026-12-24T00:00:00', 'GMT')", 1_798_070_400),
        ]
    )
    func timesAreComparedInTheirZones(expression: String, limit: Int) throws {
        let operation = try FirebaseCondition(expression).operation
        #expect(operation == ["<": [["var": "$flagd.timestamp"], .integer(limit)]])
    }

    /// Rules as the files of the time zones end with, and times by Python's zoneinfo.
    @Test(
        arguments: [
            ("UTC0", "2026-07-01T12:00:00Z", 1_782_907_200), ("IST-5:30", "2026-07-01T12:00:00Z", 1_782_887_400),
            ("PST8PDT,M3.2.0,M11.1.0", "2026-07-01T12:00:00Z", 1_782_932_400),
            ("PST8PDT,M3.2.0,M11.1.0", "2026-12-24T00:00:00Z", 1_798_099_200),
            ("PST8PDT,M3.2.0,M11.1.0", "2026-03-08T01:59:59Z", 1_772_963_999),
            ("PST8PDT,M3.2.0,M11.1.0", "2026-03-08T03:00:00Z", 1_772_964_000),
            ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-10-25T03:00:00Z", 1_792_893_600),
            ("AEST-10AEDT,M10.1.0,M4.1.0/3", "2026-01-15T00:00:00Z", 1_768_395_600),
            ("AEST-10AEDT,M10.1.0,M4.1.0/3", "2026-06-15T00:00:00Z", 1_781_445_600),
            ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2026-07-01T00:00:00Z", 1_782_867_600),
            ("IST-1GMT0,M10.5.0,M3.5.0/1", "2026-01-15T12:00:00Z", 1_768_478_400),
        ]
    )
    func rulesOfTimeZonesAreApplied(rule: String, local: String, seconds: Int) throws {
        let (rule, local) = (try #require(TimeZoneRule(rule)), try #require(Timestamp(local)))
        #expect(rule.seconds(ofLocal: local) == seconds)
    }

    @Test(arguments: ["", "PST", "PST8PDT", "PST8PDT,J60,J300", "8", "PST8PDT,M13.1.0,M11.1.0"])
    func otherRulesOfTimeZonesAreNone(rule: String) { #expect(TimeZoneRule(rule) == nil) }

    @Test(
        arguments: [
            ("percent <= 10", 0.1), ("percent > 75", 0.25), ("percent between 20 and 50.5", 0.305),
            ("percent('seed') <= 0.5", 0.005), ("percent <= 100", 1), ("percent('a') > 100", 0),
        ]
    )
    func percentagesAreSharesOfUsers(expression: String, share: Double) throws {
        let condition = try FirebaseCondition(expression)
        #expect(condition.isPercent)
        let rule = try ConfigRule(["variants": ["on": true], "targeting": ["if": [condition.operation, "on"]]])
        let chosen = (0..<20_000).count { number in
            let user = EvaluationContext(targetingKey: "user-\(number)")
            let (first, second) = (rule.evaluate(key: "a", in: user, at: 0), rule.evaluate(key: "b", in: user, at: 0))
            #expect(first == second, "the same users in each parameter")
            return first.variant != nil
        }
        #expect((share - 0.01...share + 0.01).contains(Double(chosen) / 20_000), "\(chosen)")
        #expect(rule.evaluate(key: "a", in: EvaluationContext(), at: 0).variant == nil)
    }

    @Test func whatARuleCannotExpressIsListed() throws {
        let template = try template(
            #"""
            {"conditions": [
              {"name": "vip", "expression": "app.userProperty['tier'].exactlyMatches(['gold'])"},
              {"name": "group", "expression": "device.os == 'ios' && app.audiences.inAtLeastOne(['buyers'])"},
              {"name": "four", "expression": "app.version.>=(['1.2.3.4'])"},
              {"name": "or", "expression": "device.os == 'ios' || device.os == 'web'"},
              {"name": "script", "expression": "device.language in ['zh-Hant-TW']"},
              {"name": "Mars", "expression": "dateTime < dateTime('2026-01-01T00:00:00', 'Mars/Phobos')"},
              {"name": "half", "expression": "percent <= 50"}],
            "parameters": {
              "a": {"defaultValue": {"value": "1"}, "conditionalValues": {"vip": {"value": "2"}, "half": {"value": "3"},
                "group": {"value": "4"}, "none": {"value": "5"}, "four": {"value": "6"}, "or": {"value": "7"}}},
              "b": {"defaultValue": {"personalizationValue": {"personalizationId": "p"}}, "conditionalValues": {
                "half": {"rolloutValue": {"rolloutId": "r", "value": "x", "percent": 10}}, "vip": {"value": "2"},
                "script": {"value": "8"}, "Mars": {"value": "9"}}},
              "number": {"defaultValue": {"value": "many"}, "valueType": "NUMBER"},
              "json": {"defaultValue": {"value": "{"}, "valueType": "JSON"},
              "a key": {"defaultValue": {"value": "x"}}, "empty": {}}}
            """#
        )
        #expect(template.values == ["a": "1"] && template.rules.keys.sorted() == ["$evaluators", "a"])
        #expect(
            template.ignored == [
                "a: the value of the condition 'none', which the template does not have",
                "b: the value of the condition 'half': a rollout of Firebase",
                "b: the default value: personalization of Firebase",
                "the values of the condition 'vip' (a rule has no user properties): a, b",
                "the values of the condition 'group' (a rule has no audiences): a",
                "the values of the condition 'four' (\"1.2.3.4\" is not a version such as 2.1.0): a",
                "the values of the condition 'or' (only '&&' can join comparisons): a",
                "the values of the condition 'script' (a rule has no scripts of languages, such as zh-Hant-TW): b",
                "the values of the condition 'Mars' (this system does not know the time zone Mars/Phobos): b",
            ],
            "\(template.ignored)"
        )
        let lines = template.leftOut.lines
        #expect(lines.count == 4 && lines[0].contains("number: \"many\" is not a number"), "\(lines)")
        #expect(lines[1].contains("json: the text of a value is not a JSON value: "), "\(lines)")
        #expect(lines[2].contains("a key: the key "), "\(lines)")
        #expect(lines[3].contains("empty: the parameter has no value"), "\(lines)")
        #expect(template.notes == ["conditions with a percentage select other users than Firebase does: 'half'"])
    }

    @Test func rulesThatAreTooLargeAreLeftOut() throws {
        let text = String(repeating: "x", count: 30_000)
        let template = try template(
            #"""
            {"conditions": [{"name": "a", "expression": "device.os == 'ios'"},
              {"name": "b", "expression": "device.os == 'web'"}, {"name": "c", "expression": "true"}],
            "parameters": {
              "small": {"defaultValue": {"value": "x"}, "conditionalValues": {"a": {"value": "y"}}},
              "large": {"defaultValue": {"value": "x"}, "conditionalValues": {"a": {"value": "\#(text)"},
                "b": {"value": "\#(text)"}, "c": {"value": "\#(text)"}}}}}
            """#
        )
        #expect(template.values == ["small": "x"] && template.rules["small"] != nil && template.rules["large"] == nil)
        let lines = template.leftOut.lines
        #expect(lines.count == 1 && lines[0].contains("large: the rule is larger than 65535 bytes"), "\(lines)")
    }

    @Test func conditionsBeyondTheSizeOfAValueAreLeftOut() throws {
        let names = (0..<500).map { "condition-\($0)-" + String(repeating: "x", count: 150) }
        let conditions = names.map { #"{"name": "\#($0)", "expression": "device.os == 'ios'"}"# }
        let members = names.map { #""\#($0)": {"value": "y"}"# }
        let parameters = (0..<5).map { part in
            let values = members[part * 100..<part * 100 + 100].joined(separator: ", ")
            return #""p\#(part)": {"defaultValue": {"value": "x"}, "conditionalValues": {\#(values)}}"#
        }
        let template = try template(
            #"""
            {"conditions": [\#(conditions.joined(separator: ", "))],
            "parameters": {\#(parameters.joined(separator: ", "))}}
            """#
        )
        #expect(template.values.count == 5 && template.leftOut.count == 0, "\(template.leftOut.lines)")
        let evaluators = try #require(template.rules["$evaluators"])
        #expect(evaluators.isWithinMaximumBytes && template.rules["p0"] != nil && template.rules["p4"] == nil)
        let lines = template.ignored
        #expect(lines.count > 100 && lines.allSatisfy { $0.contains("would be larger than 65535 bytes") })
    }

    @Test(arguments: ["[]", "{}", #"{"conditions": []}"#, #"{"parameters": 1}"#])
    func otherFilesAreRejected(text: String) { #expect(throws: ConfigError.self) { try template(text) } }
}
