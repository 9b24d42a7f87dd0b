import ConfigModel
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
                "app.fun_button.sizes": .integers([1, 2]), "app.min_version": .string("1.0.0"),
                "app.fun_button.url": .string("https://a.b/"), "x.y.z.w": .boolean(true),
            ]
        )
    }

    @Test(arguments: ["{}", " { } ", "\r\n\t {\n}\n", "\u{FEFF}{}", "\u{FEFF} {} ", #"{"a":{}}"#, #"{"a":{"b":{}}}"#])
    func aDocumentMayHoldNothing(json: String) throws {
        #expect(try values(of: json).isEmpty)
    }

    @Test(
        arguments: [
            (#""text""#, .string("text")), (#""""#, .string("")), ("true", .boolean(true)), ("false", .boolean(false)),
            ("[]", .strings([])), ("[ ]", .strings([])), (#"["a"]"#, .strings(["a"])),
            (#"[ "a" , "" ]"#, .strings(["a", ""])),
            ("[1]", .integers([1])), ("[1,2.5]", .doubles([1, 2.5])), ("[2.5,1]", .doubles([2.5, 1])),
            ("[1.0,2]", .integers([1, 2])),
            ("[true,\nfalse]", .booleans([true, false])), ("[0.1, 1e300]", .doubles([0.1, 1e300])),
        ] as [(String, EntryValue)]
    )
    func valuesAreScalarsAndArraysOfOneKind(json: String, value: EntryValue) throws {
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

    @Test func anErrorNamesItsSource() {
        let error = #expect(throws: ConfigError.self) { try ConfigDocument(json: [], source: "some/where.json") }
        #expect(error?.source == "some/where.json")
    }
}
