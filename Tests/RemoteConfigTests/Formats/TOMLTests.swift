// SPDX-License-Identifier: Apache-2.0

#if TOML
    import ConfigModel
    import TestSupport
    import Testing

    @testable import RemoteConfig

    @Suite(.timeLimit(.minutes(2)))
    struct TOMLTests {
        private func document(_ toml: String) throws(ConfigError) -> ConfigDocument {
            try DocumentFormat.toml.document(Array(toml.utf8), source: "c.toml")
        }

        private func values(_ toml: String) throws(ConfigError) -> [String: EntryValue] {
            try document(toml).entries.mapValues(\.value)
        }

        private func problem(_ toml: String) -> ConfigError? {
            do throws(ConfigError) {
                return try document(toml).problems.first
            } catch {
                return error
            }
        }

        @Test func tablesAreBranches() throws {
            let toml = #"""
                # a comment
                title = "Hi \"there\"\t\u00e9" # and one more
                "app.min" = '1.0\n'
                a.b = 1
                a.c = true
                [theme]
                dark = false
                colors = [ "#FFB6C1",
                  '#000000', # the last
                ]
                [theme.deep."er"]
                x = {y = 1, z.w = [1.5, 2]}
                none = {}
                [other]
                """#
            #expect(
                try values(toml) == [
                    "title": .string("Hi \"there\"\té"), "app.min": .string(#"1.0\n"#), "a.b": .integer(1),
                    "a.c": .boolean(true), "theme.dark": .boolean(false),
                    "theme.colors": ["#FFB6C1", "#000000"], "theme.deep.er.x.y": .integer(1),
                    "theme.deep.er.x.z.w": [1.5, 2],
                ]
            )
            #expect(try values("") == [:] && values("a = 1\r\nb = 2\r\n") == ["a": .integer(1), "b": .integer(2)])
        }

        @Test(arguments: EquivalentNames.pairs)
        func namesThatOnlyLookTheSameAreApart(_ left: String, _ right: String) throws {
            let found = try values(
                "k = [{\"\(left)\" = 1, \"\(right)\" = 2}]\n[[l]]\n\"\(left)\" = 1\n\"\(right)\" = 2\n"
            )
            let expected = [[left: 1, right: 2]] as EntryValue
            #expect(found == ["k": expected, "l": expected])
        }

        @Test func arraysHoldAnything() throws {
            let toml = """
                mixed = [1, 'a', [true, []], {b.c = 1, b.d = {}, e = [{}]}]
                [[fruit]]
                name = 'apple'
                [fruit.physical]
                color = 'red'
                [[fruit.variety]]
                name = 'red delicious'
                [[fruit.variety]]
                name = 'granny smith'
                [between]
                x = 1
                [[fruit]]
                [[fruit]]
                name = 'banana'
                physical.weight = 1.5
                """
            #expect(
                try values(toml) == [
                    "mixed": [1, "a", [true, []], ["b": ["c": 1, "d": [:]], "e": [[:]]]],
                    "fruit": [
                        [
                            "name": "apple", "physical": ["color": "red"],
                            "variety": [["name": "red delicious"], ["name": "granny smith"]],
                        ], [:], ["name": "banana", "physical": ["weight": 1.5]],
                    ],
                    "between.x": 1,
                ]
            )
        }

        @Test func aKeyThatCannotBeHeldIsLeftOut() throws {
            let document = try document("a = 1\n\"b c\" = 2\n[t.\"\"]\nx = 1\n[u]\ny = 3\n")
            #expect(document.entries.mapValues(\.value) == ["a": 1, "u.y": 3])
            #expect(document.problems.map { $0.location?.description } == ["2:1", "3:1"])
        }

        @Test func eachValueHasItsPlace() throws {
            let entries = try document("e.a = 1\n[t]\n  b =   [\n 1]\nc = {d = 'ü', e = 2}").entries
            #expect(entries["e.a"]?.location == TextLocation(line: 1, column: 7))
            #expect(entries["t.b"]?.location == TextLocation(line: 3, column: 9))
            #expect(entries["t.c.e"]?.location == TextLocation(line: 5, column: 19))
        }

        @Test(arguments: [
            ("1_000", EntryValue.integer(1000)), ("+7", .integer(7)), ("-0", .integer(0)), ("0x1F", .integer(31)),
            ("0o17", .integer(15)), ("0b1_0", .integer(2)), ("6.5e1", .integer(65)), ("-0.25", .double(-0.25)),
            ("1e+2", .integer(100)), ("3.141_5", .double(3.1415)), ("[]", [] as EntryValue),
            ("1979-05-27", .string("1979-05-27")), ("07:32:00.5", .string("07:32:00.5")),
            ("1979-05-27T07:32:00Z", .string("1979-05-27T07:32:00Z")),
            ("1979-05-27 07:32:00.25", .string("1979-05-27T07:32:00.25")),
            ("1979-05-27t00:32:00-07:00", .string("1979-05-27T00:32:00-07:00")),
            ("[1979-05-27, 07:32:00]", ["1979-05-27", "07:32:00"] as EntryValue),
            (#""""a"b""c""""#, .string(#"a"b""c"#)), ("\"\"\"\na\\\n   b\r\nc\"\"\"", .string("ab\r\nc")),
            ("'''\na\\n'b'''", .string("a\\n'b")), (#""\U0001F600\b""#, .string("😀\u{8}")), ("\"\"", .string("")),
            ("\"\"\"\"\"a\"\"\"\"\"", .string("\"\"a\"\"")), ("9007199254740991", .integer(9_007_199_254_740_991)),
            ("0.\(String(repeating: "0", count: 99))1", .double(1e-100)),
        ])
        func valuesAreThoseOfTheFormat(toml: String, value: EntryValue) throws {
            #expect(try values("k = \(toml)") == ["k": value])
        }

        @Test(arguments: [
            ("k = inf", "1:5", "a number has to be finite"), ("k = -nan", "1:5", "a number has to be finite"),
            ("k = 9007199254740993", "1:5", "beyond ±(2^53 − 1)"),
            ("k = 0xFFFFFFFFFFFFFFFFFF", "1:5", "beyond ±(2^53 − 1)"),
            ("k = 0644", "1:5", "expected a value"), ("k = 1__0", "1:5", "expected a value"),
            ("k = .5", "1:5", "expected a value"), ("k = 1.", "1:5", "expected a value"),
            ("k = yes", "1:5", "texts need quotes"), ("k = True", "1:5", "texts need quotes"),
            ("k =", "1:4", "a value"),
            ("k = 2026-02-29", "1:5", "expected a value"), ("k = 2026-04-31", "1:5", "expected a value"),
            ("k = 1979-05-27T00:00:00+24:00", "1:5", "expected a value"),
            ("k = \(String(repeating: "1", count: 100_000))", "1:5", "at most 1024 characters"),
            ("k = \(String(repeating: "1", count: 1024))", "1:5", "too large"),
            ("k = 1979-13-01", "1:5", "expected a value"), ("k = 25:00:00", "1:5", "expected a value"),
            ("k = 07:32:00Z", "1:5", "expected a value"), ("a = 1\na = 2", "2:1", "defined twice"),
            ("[t]\n[t]", "2:1", "defined twice"), ("a = 1\n[a]", "2:1", "defined twice"),
            ("a = 1\na.b = 2", "2:1", "defined twice"), ("a = {b = 1}\na.c = 2", "2:1", "defined twice"),
            ("a = {b = 1}\n[a.c]", "2:1", "defined twice"), ("[a.b]\n[a]\nb.c = 1", "3:1", "defined twice"),
            ("[a]\nb.c = 1\n[a.b]", "3:1", "defined twice"), ("a = {b = 1, b = 2}", "1:13", "defined twice"),
            ("[[s]]\n[s]", "2:1", "defined twice"), ("[s]\n[[s]]", "2:1", "defined twice"),
            ("s = []\n[[s]]", "2:1", "defined twice"), ("[[s]]\na = 1\n[[s]]\na = 1\na = 2", "5:1", "defined twice"),
            ("[[s]]\n[s.t]\n[s.t]", "3:1", "defined twice"), ("[[s]\n]", "1:5", "']' after the name of a table"),
            ("k = [{a = 1, a = 2}]", "1:14", "defined twice"),
            ("k = [{a = {b = 1}, a.c = 2}]", "1:20", "defined twice"),
            ("[[s]]\nt = {u = 1}\n[s.t.v]", "3:1", "defined twice"), ("k = [[1, 1e999]]", "1:10", "too large"),
            ("k = 1 2", "1:7", "a line break"), ("k 1", "1:3", "'=' after a key"), ("= 1", "1:1", "a key"),
            ("a b = 1", "1:3", "'='"), ("\"a b\" = 1", "1:1", "may only have ASCII letters"),
            ("\"\" = 1", "1:1", "is empty"),
            ("k = \"a", "1:7", "close it"), ("k = \"a\nb\"", "1:7", "three quotes"), ("k = '''a", "1:9", "close it"),
            ("k = \"\\x\"", "1:6", "after the backslash"), ("k = \"\\uD800\"", "1:6", "no Unicode scalar"),
            ("k = \"\u{1}\"", "1:6", "a control character"), ("# \u{1}", "1:3", "a control character"),
            ("k = {a = 1", "1:11", "'}'"), ("k = {a = 1,}", "1:12", "a key"), ("k = {\na = 1}", "1:6", "a key"),
            ("k = [1 2]", "1:8", "']'"), ("[a", "1:3", "']'"), ("[]", "1:2", "a key"),
            ("[a] b = 1", "1:5", "a line break"),
            ("k = \"\"\"\\ x\"\"\"", "1:8", "a line break after the backslash"),
        ])
        func whatIsWrongHasItsPlace(toml: String, place: String, message: String) throws {
            let error = try #require(problem(toml))
            #expect(error.source == "c.toml" && error.message.contains(message), "\(error)")
            #expect(error.location?.description == place, "\(error)")
        }

        @Test func tablesMayBeAddedToWhereTheFormatSays() throws {
            let toml = """
                [fruit]
                apple.color = 'red'
                apple.taste.sweet = true
                [fruit.apple.texture]
                smooth = true
                [x.y.z]
                [x]
                a = 1
                """
            #expect(
                try values(toml).keys.sorted() == [
                    "fruit.apple.color", "fruit.apple.taste.sweet", "fruit.apple.texture.smooth", "x.a",
                ]
            )
        }

        @Test(arguments: [
            "a.", "[", "{a=", "a={", "\"", "'''", "[a]\n", "k = [", "[1,", "#", "a.b.", "\\", "1979-05-27 ", "1", "1,",
            "[1,1],", "{a=", "[{a=", "[[a]]\n", "[[a.b]]\n", "[a.b]\n[[a.c]]\n",
        ])
        func whateverIsRepeatedIsRefusedOrRead(part: String) {
            for text in [String(repeating: part, count: 300_000), "k = " + String(repeating: part, count: 300_000)] {
                _ = problem(text)
            }
        }

        @Test func brokenBytesAreRefusedWithTheirPlace() {
            var random = SeededGenerator(seed: 8)
            let text = "a = {b = [1, 2], c = \"t\\u00e9\"}\n[d.e]\nf = '''\nx'''\ng = 1979-05-27T07:32:00Z\n"
            let sound = Array(text.utf8)
            for _ in 0..<3000 {
                var bytes = sound
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
                }
                do throws(ConfigError) {
                    _ = try DocumentFormat.toml.document(bytes, source: "c.toml")
                } catch {
                    #expect(error.location != nil && error.source == "c.toml")
                }
            }
        }

        @Test func aFileOfTOMLIsFollowed() async throws {
            let folder = try TemporaryDirectory()
            try folder.replace("c.toml", with: "k = 1\n")
            try await following(FileSource(path: folder["c.toml"])) { running in
                try await running.shows(.integer(1))
                try folder.replace("c.toml", with: "k = 2\n")
                try await running.shows(.integer(2))
            }
        }
    }
#endif
