// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import TestSupport
import Testing

struct ConfigDocumentTests {
    @Test func nestingIsFlattenedToDottedKeys() throws {
        let json = #"""
            { "app": { "background": { "color": "#FFB6C1" }, "fun_button": { "text": "Hi", "sizes": [1, 2] } },
              "app.min_version": "1.0.0", "app.fun_button": { "url": "https://a.b/" }, "x.y": { "z.w": true } }
            """#
        #expect(
            try values(of: json) == [
                "app.background.color": .string("#FFB6C1"), "app.fun_button.text": .string("Hi"),
                "app.fun_button.sizes": [1, 2], "app.min_version": .string("1.0.0"),
                "app.fun_button.url": .string("https://a.b/"), "x.y.z.w": .boolean(true),
            ]
        )
    }

    @Test(arguments: ["{}", " { } ", "\r\n\t {\n}\n", "\u{FEFF}{}", "\u{FEFF} {} ", #"{"a":{}}"#, #"{"a":{"b":{}}}"#])
    func documentMayBeEmpty(json: String) throws {
        #expect(try values(of: json).isEmpty)
    }

    @Test(
        arguments: [
            (#""text""#, .string("text")), (#""""#, .string("")), ("true", .boolean(true)), ("false", .boolean(false)),
            ("[]", []), ("[ ]", []), (#"["a"]"#, ["a"]),
            (#"[ "a" , "" ]"#, ["a", ""]),
            ("[1]", [1]), ("[1,2.5]", [1, 2.5]), ("[2.5,1]", [2.5, 1]),
            ("[1.0,2]", [1, 2]),
            ("[true,\nfalse]", [true, false]), ("[0.1, 1e300]", [0.1, 1e300]),
            ("[null]", [.null]), ("[[1]]", [[1]]), ("[1, []]", [1, []]), ("[{}]", [[:]]),
            (#"[1,"b",true]"#, [1, "b", true]),
            (#"[{"title": "Home", "": [{"a.b": null}]}, {}]"#, [["title": "Home", "": [["a.b": .null]]], [:]]),
        ] as [(String, EntryValue)]
    )
    func anythingButAnObjectIsAValue(json: String, value: EntryValue) throws {
        #expect(try values(of: #"{"k":\#(json)}"#) == ["k": value])
        #expect(try values(of: #"{ "k" : \#(json) }"#) == ["k": value])
    }

    @Test(arguments: [
        (#"{"a":1}"#, "a", "1:6"), ("{\n  \"a\" : 1}", "a", "2:9"), ("{\"a\":\n\n 1}", "a", "3:2"),
        ("{\r\n\"a\":1}", "a", "2:5"),
        (#"{"a":{"b":"x"}}"#, "a.b", "1:11"), (#"{"a":"🐶é","b":2}"#, "b", "1:15"),
        (#"{"a":"e\#u{301}","b":2}"#, "b", "1:15"),
        ("\u{FEFF}{\"a\":1}", "a", "1:6"),
        (#"{"a":[1,2],"b":[3]}"#, "b", "1:16"), ("{\"a\":\"\u{2028}\",\"b\":2}", "b", "1:14"),
        ("{\r\"a\":1}", "a", "1:7"),
    ])
    func everyValueKnowsItsPlace(json: String, key: String, place: String) throws {
        #expect(try document(json).entries[key]?.location?.description == place)
    }

    @Test(arguments: [
        (#"{"a":1,"a":2}"#, "a", "1:8", "1:6"),
        (#"{"a":1,"a":1}"#, "a", "1:8", "1:6"),
        ("{\"a\":1,\n \"b\":2,\n \"a\":3}", "a", "3:2", "1:6"),
        (#"{"a":{"b":1},"a.b":2}"#, "a.b", "1:14", "1:11"),
        (#"{"a.b":2,"a":{"b":1}}"#, "a.b", "1:15", "1:8"),
        (#"{"a.b":{"c":1},"a":{"b.c":2}}"#, "a.b.c", "1:21", "1:13"),
        (#"{"a":{"b":1,"b":2}}"#, "a.b", "1:13", "1:11"),
        (#"{"a":1,"\u0061":2}"#, "a", "1:8", "1:6"),
        (#"{"a":{"b":1},"a":{"c":2}}"#, "a", "1:14", "1:6"),
        (#"{"a":{},"a":{}}"#, "a", "1:9", "1:6"),
        (#"{"a":1,"a":{"b":2}}"#, "a", "1:8", "1:6"),
        (#"{"a":{"b":2},"a":1}"#, "a", "1:14", "1:6"),
        (#"{"x":{"a.b":{},"a.b":{}}}"#, "x.a.b", "1:16", "1:13"),
    ])
    func oneKeyDefinedTwiceIsRefused(json: String, key: String, place: String, first: String) {
        let error = problem(in: json)
        #expect(error?.code == .duplicateKey)
        #expect(
            error?.description == "d.json:\(place): \(key): duplicate key, first defined at \(first); remove one"
        )
    }

    @Test(arguments: [
        #"{"a":{"b":1},"a.c":2}"#, #"{"a":1,"A":2}"#, #"{"a":{"a":1},"b":{"a":1}}"#,
        #"{"a.b":{"c":1},"a":{"b":{"d":2}}}"#,
        #"{"a":{"b":{"c":1}},"a.b":{"d":1}}"#,
    ])
    func differentKeysAreNoDuplicates(json: String) throws {
        #expect(try values(of: json).count == 2)
    }

    @Test(arguments: [
        #"{"livery": 1, "entries": {"a": {"b": {"c": null}}, "a.b": [1], "livery": 2, "e": {}}}"#,
        #" {"entries" : {"a":{"b":{"c":null}},"a.b":[1],"livery":2,"e":{}}, "livery":1.0}"#,
    ])
    func anExactDocumentHasOneValueForEachMember(json: String) throws {
        #expect(try values(of: json) == ["a": ["b": ["c": .null]], "a.b": [1], "livery": 2, "e": [:]])
    }

    @Test func exactDocumentsAreRecognizedAtAnyOffset() throws {
        for count in 0..<24 {
            let space = String(repeating: " ", count: count)
            for name in [#""livery""#, #""l\u0069very""#] {
                let json = "\(space){\"entries\":{\"a\":{\"b\":1}},\(space)\(name):1}"
                #expect(try values(of: json) == ["a": ["b": 1]], "\(json)")
            }
        }
    }

    /// If one of the two members is missing or of another type, the document is a plain one.
    @Test(
        arguments: [
            (#"{"livery": 1}"#, ["livery": 1]), (#"{"entries": {"a": {"b": 1}}}"#, ["entries.a.b": 1]),
            (#"{"livery": "1", "entries": {"a": 1}}"#, ["livery": "1", "entries.a": 1]),
            (#"{"livery": 1, "entries": 2}"#, ["livery": 1, "entries": 2]),
            (#"{"livery": 0, "entries": {"a": 1}}"#, ["livery": 0, "entries.a": 1]),
            (#"{"x": {"livery": 1, "entries": {"a": 1}}}"#, ["x.livery": 1, "x.entries.a": 1]),
        ] as [(String, [String: EntryValue])]
    )
    func otherDocumentsArePlain(json: String, expected: [String: EntryValue]) throws {
        #expect(try values(of: json) == expected)
    }

    @Test func exactDocumentMayContainSchemas() throws {
        let both = try document(#"{"livery":1,"entries":{"a":{"b":1}},"schemas":{"a":{"type":"object"},"c.*":true}}"#)
        #expect(both.entries.mapValues(\.value) == ["a": ["b": 1]])
        #expect(both.schemas == ["a": ["type": "object"], "c.*": true])
        let alone = try document(#"{"livery":1,"schemas":{}}"#)
        #expect(alone.entries.isEmpty && alone.kinds == [.schema])
        #expect(try document(#"{"livery":1,"entries":{}}"#).kinds == [.value])
        // Without the version they are branches of the keys.
        #expect(try values(of: #"{"schemas":{"a":{"type":"object"}}}"#) == ["schemas.a.type": "object"])
        var json = JSONWriter()
        json.document(both.entries.map { ($0.key, $0.value.value) }, schemas: both.schemas)
        #expect(try document(String(decoding: json.bytes, as: UTF8.self)).schemas == both.schemas)
        var plain = JSONWriter()
        let like: [(key: String, value: EntryValue)] = [("livery", 1), ("schemas.a", 2)]
        plain.document(like)
        #expect(try values(of: String(decoding: plain.bytes, as: UTF8.self)) == ["livery": 1, "schemas.a": 2])
    }

    @Test func aSchemaThatCannotBeHeldIsLeftOutAndTheRestCounts() throws {
        let found = try document(
            #"{"livery":1,"schemas":{"a b":{},"c":null,"d":{"maximum":1e400},"e":true},"entries":{"schemas.c":1}}"#
        )
        #expect(found.schemas == ["e": true])
        #expect(found.entries.mapValues(\.value) == ["schemas.c": 1])
        #expect(found.leftOut == ["schema a b", "schema c", "schema d"])
        #expect(found.problems.map { $0.location?.description } == ["1:30", "1:37", "1:57"])
        #expect(throws: ConfigError.self) { try document(#"{"livery":1,"schemas":{"a":{},"a":true}}"#) }
        #expect(throws: ConfigError.self) { try document(#"{"livery":1,"schemas":{"a":{"b":}}}"#) }
    }

    @Test(arguments: [
        (
            #"{"livery":2,"entries":{}}"#, "1:11",
            "unsupported document version 2, maximum 1; update the program"
        ),
        (#"{"livery":1,"entries":{"a":1,"a":{}}}"#, "1:30", "duplicate key, first defined at 1:28; remove one"),
        (#"{"livery":1,"entries":{"a":{"b":1,"b":{}}}}"#, "1:35", #"duplicate name "b"; remove one"#),
        (#"{"livery":1,"entries":{"a":1}} 2"#, "1:32", "expected the end of input, found '2'"),
    ])
    func errorsInExactDocumentsHavePositions(json: String, place: String, message: String) {
        let error = #expect(throws: ConfigError.self) { try document(json) }
        #expect(error?.location?.description == place)
        #expect(error?.message == message)
    }

    /// A later program may write more members beside the values, as this one writes schemas.
    @Test func exactDocumentIgnoresUnknownMembers() throws {
        let later = try document(#"{"livery":1,"entries":{"a":1},"layers":[{}],"schemas":null,"rules":2}"#)
        #expect(later.entries.mapValues(\.value) == ["a": 1] && later.kinds == [.value])
        #expect(later.leftOut == ["member layers", "member schemas", "member rules"])
        #expect(
            later.problems.map(\.message) == [
                "unknown member 'layers'; expected one of 'livery', 'entries', 'schemas', 'rules'",
                "expected an object of schemas, found 'n'", "expected an object of rules, found '2'",
            ]
        )
    }

    @Test func exactDocumentNamesMayBeEscaped() throws {
        #expect(try values(of: #"{"\u006civery":1,"entries":{"a":{"b":1}}}"#) == ["a": ["b": 1]])
        #expect(try values(of: #"{"a":"\u0041","entries":{"a":{"b":1}}}"#) == ["a": "A", "entries.a.b": 1])
    }

    /// A written document is read as the same entries, and is plain if possible.
    @Test(.timeLimit(.minutes(5))) func writtenDocumentReadsBackUnchanged() throws {
        var generator = ValueGenerator(seed: 3)
        var forms: Set<Bool> = []
        for _ in 0..<3_000 {
            let keys = ["a", "a.b", "a.b.c", "livery", "entries", "entries.a", "entries.a.b", "b"].shuffled(
                using: &generator.random
            )
            var entries: [String: EntryValue] = [:]
            for key in keys.prefix(Int.random(in: 0...5, using: &generator.random)) {
                let value: EntryValue = Bool.random(using: &generator.random) ? 1 : generator.anyValue()
                if value != .null { entries[key] = value }
            }
            var json = JSONWriter()
            json.document(
                entries.lazy.map { ($0.key, $0.value) },
                isExact: Int.random(in: 0..<4, using: &generator.random) == 0
            )
            let text = String(decoding: json.bytes, as: UTF8.self)
            forms.insert(text.hasPrefix(#"{"livery":1,"entries":"#))
            #expect(try values(of: text) == entries, "\(text)")
        }
        #expect(forms.count == 2)
    }
}
