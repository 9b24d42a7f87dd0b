// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import ConfigRules
import ConfigWire
import TestSupport
import Testing

@testable import LiveryCommands

struct FlagdFileTests {
    private func file(_ text: String) throws -> FlagdFile {
        try FlagdFile(json: Array(text.utf8), source: "flags.json")
    }

    @Test func flagsBecomeRulesAndPlainOnesValues() throws {
        let file = try file(
            #"""
            {"$schema":"https://flagd.dev/schema/v0/flags.json","metadata":{"team":"web","n":1},
            "$evaluators":{"adult":{">=":[{"var":"age"},18]}},
            "flags":{"new.page":{"state":"ENABLED","variants":{"on":true,"off":false},"defaultVariant":"off",
            "targeting":{"if":[{"$ref":"adult"},"on"]},"metadata":{"n":2}},
            "off":{"state":"DISABLED","variants":{"a":1},"defaultVariant":null}}}
            """#
        )
        #expect(file.values.isEmpty)
        #expect(file.defaults == ["new.page": false])
        #expect(
            file.rules == [
                "$evaluators": ["adult": [">=": [["var": "age"], 18]]],
                "new.page": [
                    "variants": ["on": true, "off": false], "defaultVariant": "off",
                    "targeting": ["if": [["$ref": "adult"], "on"]], "metadata": ["team": "web", "n": 2],
                    "bucketing": "flagd-3",
                ],
                "off": [
                    "state": "DISABLED", "variants": ["a": 1], "defaultVariant": .null,
                    "metadata": ["team": "web", "n": 1], "bucketing": "flagd-3",
                ],
            ]
        )
        let plain = try self.file(
            #"{"flags":{"k":{"state":"ENABLED","variants":{"default":[1]},"defaultVariant":"default"}}}"#
        )
        #expect(plain.values == ["k": [1]] && plain.rules.isEmpty)
    }

    @Test(arguments: EquivalentNames.pairs)
    func namesThatOnlyLookTheSameAreApart(_ left: String, _ right: String) throws {
        let file = try file(#"{"flags":{"a":{"variants":{"\#(left)":1,"\#(right)":2},"defaultVariant":"\#(right)"}}}"#)
        #expect(file.defaults == ["a": 2])
        guard case .object(let members)? = file.rules["a"] else { throw ConfigError(.syntax, "no rule") }
        #expect(members["variants"] == [left: 1, right: 2])
    }

    @Test func exportsImportUnchanged() throws {
        let contents = NamespaceContents(
            values: ["plain": ["a": 1.5], "ruled": "x", "off": 7],
            rules: [
                "$evaluators": ["one": ["==": [1, 1]]],
                "ruled": [
                    "variants": ["x": "x", "y": "y"], "defaultVariant": "x", "bucketing": "flagd-3",
                    "targeting": ["if": [["$ref": "one"], "y"]],
                ],
                "off": ["variants": ["a": 7], "defaultVariant": "a", "state": "DISABLED", "bucketing": "flagd-3"],
                "bare": ["variants": ["a": true], "bucketing": "flagd-3"],
            ]
        )
        #expect(FlagdFile.losses(of: contents).isEmpty)
        let file = try FlagdFile(json: FlagdFile.json(of: contents), source: "export")
        #expect(file.rules == contents.rules)
        #expect(file.values.merging(file.defaults) { $1 } == contents.values)
    }

    @Test func unsupportedContentIsNamed() {
        let contents = NamespaceContents(
            values: ["a": 1, "b": 2],
            schemas: ["a": true],
            rules: ["a": ["variants": ["x": 2], "defaultVariant": "x"], "b": ["variants": ["x": 2]]]
        )
        let losses = FlagdFile.losses(of: contents)
        #expect(losses.count == 2 && losses[1].contains("2 keys"))
    }

    @Test func listsOfFlagsAndOfFlagSetsAreRead() throws {
        let file = try file(
            #"""
            [{"flags":[{"key":"one","state":"ENABLED","variants":{"on":true},"defaultVariant":"on"}],
            "metadata":{"set":1},"$evaluators":{"a":true}},
            {"flags":{"two":{"variants":{"on":1,"off":2},"defaultVariant":"off"}},"$evaluators":{"a":true,"b":false}}]
            """#
        )
        #expect(file.defaults == ["one": true, "two": 2])
        #expect(file.rules["$evaluators"] == ["a": true, "b": false])
        #expect(
            file.rules["one"] == [
                "variants": ["on": true], "defaultVariant": "on", "metadata": ["set": 1], "bucketing": "flagd-3",
            ]
        )
        #expect(file.ignored.isEmpty && file.leftOut.count == 0)
    }

    @Test func flagsThatAreNoRulesAreLeftOut() throws {
        let file = try file(
            #"""
            {"flags":{"good":{"description":"x","variants":{"on":true},"defaultVariant":"on"},
            "bad":{"variants":{"on":true},"defaultVariant":"of"},
            "a b":{"variants":{"x":1}}, "big":{"variants":{"x":123456789012345678901}}, "five":5}}
            """#
        )
        #expect(file.defaults == ["good": true] && Array(file.rules.keys) == ["good"])
        #expect(file.ignored == ["good: the member 'description'"])
        let lines = file.leftOut.lines
        #expect(lines.count == 4 && lines[0].hasPrefix("Skipped: flags.json:2:7: bad: /defaultVariant: "), "\(lines)")
        #expect(lines[3].contains(": five: a rule must be an object"), "\(lines)")
        #expect(lines[1].contains("flags.json:3:7: a b: the key") && lines[2].contains("flags.json:3:"), "\(lines)")
    }

    @Test("A flag without a key is left out, and of two of one key the last counts")
    func flagsThatAreNoMembersAreNamed() throws {
        let file = try file(
            #"""
            [{"flags":[{"variants":{"x":1}},5,{"key":"a","variants":{"x":1},"defaultVariant":"x"}]},
            {"flags":{"a":{"variants":{"x":2},"defaultVariant":"x"}}}]
            """#
        )
        #expect(file.defaults == ["a": 2] && file.leftOut.lines.count == 2)
        #expect(file.leftOut.lines.allSatisfy { $0.contains("missing the member 'key'") }, "\(file.leftOut.lines)")
        #expect(file.ignored == ["a: the flag at 1:35, replaced by the flag at 2:15"])
    }

    @Test("Of two flags of one name the last counts; a flag that repeats a name is left out")
    func repeatedNamesDoNotRejectTheFile() throws {
        let file = try file(
            #"""
            {"metadata":"m","flags":{"a":{"variants":{"x":1},"defaultVariant":"x"},"b":{"variants":{"x":1,"x":2}},
            "c":{"variants":{"x":1},"targeting":{"if":[{"==":[1,1],"==":[1,2]},"x"]}},
            "a":{"variants":{"x":2},"defaultVariant":"x"}}}
            """#
        )
        #expect(file.defaults == ["a": 2] && Array(file.rules.keys) == ["a"])
        #expect(file.ignored == ["metadata: it is not an object", "a: the flag at 1:30, replaced by the flag at 3:5"])
        let lines = file.leftOut.lines
        #expect(lines.count == 2 && lines[0].contains("1:95: b: duplicate name \"x\""), "\(lines)")
        #expect(lines[1].contains("2:56: c: duplicate name \"==\""), "\(lines)")
    }

    @Test func aFlagThatReplacesAnotherMovesNoMetadata() throws {
        let file = try file(
            #"""
            [{"flags":{"a":{"variants":{"x":1}},"b":{"variants":{"x":2}}},"metadata":{"set":1}},
            {"flags":{"a":{"variants":{"x":3}},"c":{"variants":{"x":4}}},"metadata":{"set":2}}]
            """#
        )
        let sets = file.rules.mapValues { rule -> EntryValue? in
            if case .object(let members) = rule { members["metadata"] } else { nil }
        }
        #expect(sets == ["a": ["set": 2], "b": ["set": 1], "c": ["set": 2]])
    }

    @Test("An operation that flagd evaluates to null becomes null, and its result is removed")
    func operationsWithWrongOperandsBecomeNull() throws {
        let file = try file(
            #"""
            {"flags":{"s":{"variants":{"a":1,"b":2},"defaultVariant":"a","targeting":{"if":[{"ends_with":[{"var":"id"},3]},
            "fail",{"starts_with":[{"var":"id"},"x"]},"b",{"sem_ver":[{"var":"v"},"=="]}]}},
            "f":{"variants":{"a":1},"defaultVariant":"a","targeting":{"fractional":[["a",0]]}},
            "unknown":{"variants":{"a":1},"targeting":{"fractional":[["b",1]]}}}}
            """#
        )
        guard case .object(let rule)? = file.rules["s"] else { throw ConfigError(.syntax, "no rule") }
        #expect(rule["targeting"] == ["if": [["starts_with": [["var": "id"], "x"]], "b", .null]])
        guard case .object(let split)? = file.rules["f"] else { throw ConfigError(.syntax, "no rule") }
        #expect(split["targeting"] == .null)
        let evaluation = try ConfigRule(.object(split)).evaluate(key: "f", in: EvaluationContext(), at: 0)
        #expect(evaluation == RuleEvaluation(variant: "a", value: 1, reason: .default))
        let places = file.notes.map { $0.split(separator: ": ").prefix(2).joined(separator: " ") }
        #expect(
            places == ["f /targeting/fractional", "s /targeting/if/0/ends_with", "s /targeting/if/4/sem_ver"],
            "\(file.notes)"
        )
        #expect(
            file.ignored.isEmpty && file.leftOut.lines.count == 1
                && file.leftOut.lines[0].contains("unknown variant \"b\"")
        )
    }

    @Test(arguments: [nil, .flagd1, .flagd2, .flagd3] as [RuleBucketing?])
    func splitsKeepTheirBuckets(bucketing: RuleBucketing?) throws {
        let text = #"""
            {"$evaluators":{"half":{"fractional":[[true,1],[false,1]]}},"flags":{
            "a":{"variants":{"x":1,"y":2},"defaultVariant":"x","targeting":{"fractional":[["x",1],["y",1]]}},
            "b":{"variants":{"x":1,"y":2},"defaultVariant":"x","targeting":{"if":[{"$ref":"half"},"y"]}},
            "c":{"variants":{"x":1,"y":2},"defaultVariant":"x"}}}
            """#
        let file = try FlagdFile(json: Array(text.utf8), source: "f", bucketing: bucketing)
        let stored = ["a", "b", "c"].map { key -> EntryValue? in
            if case .object(let members)? = file.rules[key] { members["bucketing"] } else { nil }
        }
        let name = EntryValue.string((bucketing ?? .flagd3).rawValue)
        #expect(stored == [name, name, "flagd-3"])
        #expect(file.notes.count == 1 && file.notes[0].contains("fractional divides users as"), "\(file.notes)")
        #expect(file.notes[0].contains("--buckets flagd-2") == (bucketing == nil))
        let losses = FlagdFile.losses(of: NamespaceContents(rules: file.rules))
        #expect(losses.count == 1 && losses[0].contains("(\((bucketing ?? .flagd3).rawValue))"), "\(losses)")
        let plain = try self.file(#"{"flags":{"a":{"variants":{"x":1},"defaultVariant":"x"}}}"#)
        #expect(plain.notes.isEmpty)
    }

    @Test func aRuleThatIsTooLargeIsMadeSmaller() throws {
        let users = (0..<8_000).map { "\"user-\($0)\"" }.joined(separator: ",")
        let file = try file(
            #"{"flags":{"a":{"variants":{"x":1},"targeting":{"if":[{"in":[{"var":"u"},[\#(users)]]},"x"]}}}}"#
        )
        let lines = file.leftOut.lines
        #expect(
            lines.count == 1 && lines[0].contains("the rule is larger than 65535 bytes; compare an attribute"),
            "\(lines)"
        )
        #expect(lines.first?.contains("store large variants elsewhere") == true, "\(lines)")
    }

    @Test func aRuleThatIsTooLargeByTheMetadataOfItsSetIsLeftOut() throws {
        let text = String(repeating: "x", count: 40_000)
        let file = try file(
            #"""
            {"metadata":{"text":"\#(text)"},"flags":{"a":{"variants":{"x":"\#(text)"},"defaultVariant":"x"},
            "b":{"variants":{"x":1},"defaultVariant":"x"}}}
            """#
        )
        let lines = file.leftOut.lines
        #expect(file.defaults == ["b": 1] && Array(file.rules.keys) == ["b"])
        #expect(lines.count == 1 && lines[0].contains("a: the rule is larger than 65535 bytes"), "\(lines)")
    }

    @Test("An invalid shared evaluator is left out with the flags that refer to it")
    func brokenEvaluatorsAreLeftOut() throws {
        let file = try file(
            #"""
            {"$evaluators":{"good":{"==":[1,1]},"bad":{"unknown":[1]}},"flags":{
            "a":{"variants":{"x":1,"y":2},"defaultVariant":"x","targeting":{"if":[{"$ref":"good"},"y"]}},
            "b":{"variants":{"x":1,"y":2},"defaultVariant":"x","targeting":{"if":[{"$ref":"bad"},"y"]}}}}
            """#
        )
        #expect(file.rules.keys.sorted() == ["$evaluators", "a"])
        #expect(file.rules["$evaluators"] == ["good": ["==": [1, 1]]])
        let lines = file.leftOut.lines
        #expect(lines.count == 2 && lines.contains { $0.contains("$evaluators: /bad/unknown: ") }, "\(lines)")
        #expect(lines.contains { $0.contains("b: /targeting/if/0/$ref: unknown shared evaluator") }, "\(lines)")
    }

    @Test("What is beside the flags and cannot be stored is named, and the flags are imported")
    func otherMembersSkipNoFlag() throws {
        let file = try file(
            #"""
            [{"metadata":null,"$evaluators":null,"flags":[{"key":5,"variants":{"x":1}},{"key":"a","variants":{"x":1}}]},
            {"metadata":{"n":123456789012345678901},"flags":{"b":{"variants":{"x":1}}}},
            {"$evaluators":{"e":{"==":[1,123456789012345678901]}},"flags":{"c":{"variants":{"x":1}}}}]
            """#
        )
        #expect(file.rules.keys.sorted() == ["a", "b", "c"])
        let lines = file.leftOut.lines
        #expect(lines.count == 2 && lines[0].contains("missing the member 'key'"), "\(lines)")
        #expect(lines[1].contains("flags.json:3:") && lines[1].contains("$evaluators: "), "\(lines)")
        #expect(file.ignored.count == 1 && file.ignored[0].contains("metadata: "), "\(file.ignored)")
    }

    @Test(arguments: [
        ("[]", "missing member 'flags'"), ("{}", "missing member 'flags'"), (#"{"flags":1}"#, "flags.json:1:"),
        (#"[{"flags":{},"$evaluators":{"e":1}},{"flags":{},"$evaluators":{"e":2}}]"#, "two flag sets"),
    ])
    func invalidFlagdFileIsRejectedWithPosition(text: String, message: String) {
        let error = #expect(throws: ConfigError.self) { try file(text) }
        #expect(error?.sentence.contains(message) == true, "\(error?.sentence ?? "")")
    }
}
