// SPDX-License-Identifier: Apache-2.0

#if YAML
    import ConfigModel
    import TestSupport
    import Testing

    @testable import RemoteConfig

    @Suite(.timeLimit(.minutes(2)))
    struct YAMLTests {
        private func document(_ yaml: String) throws(ConfigError) -> ConfigDocument {
            try DocumentFormat.yaml.document(Array(yaml.utf8), source: "c.yaml")
        }

        private func values(_ yaml: String) throws(ConfigError) -> [String: EntryValue] {
            try document(yaml).entries.mapValues(\.value)
        }

        private func problem(_ yaml: String) -> ConfigError? {
            do throws(ConfigError) {
                return try document(yaml).problems.first
            } catch {
                return error
            }
        }

        @Test(arguments: EquivalentNames.pairs)
        func namesThatOnlyLookTheSameAreApart(_ left: String, _ right: String) throws {
            let found = try values("k:\n- \"\(left)\": 1\n  \"\(right)\": 2\n")
            #expect(found == ["k": [[left: 1, right: 2]]])
        }

        @Test func aMappingIsADocument() throws {
            let yaml = """
                # a comment
                app:
                  title: Hi there
                  "quoted": "a\\tb"
                  folded: >-
                    one
                    two
                app.size: 3
                ratio: -0.5
                names: [a, 'b']
                ports:
                  - 80
                  - 443
                dark: true
                empty: []
                nothing: {}
                menu:
                  - title: Home
                    tags: [a, 1, null]
                  - [{}]
                """
            #expect(
                try values(yaml) == [
                    "app.title": .string("Hi there"), "app.quoted": .string("a\tb"), "app.folded": .string("one two"),
                    "app.size": .integer(3), "ratio": .double(-0.5), "names": ["a", "b"],
                    "ports": [80, 443], "dark": .boolean(true), "empty": [],
                    "menu": [["title": "Home", "tags": ["a", 1, .null]], [[:]]],
                ]
            )
        }

        @Test func eachValueHasItsPlace() throws {
            let entries = try document("a: 1\nb:\n  c:   x\nd: [\n  1, 2]\n").entries
            #expect(entries["a"]?.location == TextLocation(line: 1, column: 4))
            #expect(entries["b.c"]?.location == TextLocation(line: 3, column: 8))
            #expect(entries["d"]?.location == TextLocation(line: 4, column: 4))
        }

        @Test(arguments: [
            ("no", EntryValue.string("no")), ("yes", .string("yes")), ("on", .string("on")), ("Off", .string("Off")),
            ("True", .boolean(true)), ("FALSE", .boolean(false)), ("2026-01-02", .string("2026-01-02")),
            ("12:30", .string("12:30")), ("1_000", .string("1_000")), ("0x1F", .integer(31)), ("0o17", .integer(15)),
            ("+7", .integer(7)), ("-7", .integer(-7)), (".5", .double(0.5)), ("1.", .integer(1)),
            ("1e3", .integer(1000)),
            ("-.25", .double(-0.25)), ("\"7\"", .string("7")), ("'true'", .string("true")), ("!!str 7", .string("7")),
            ("!!int \"7\"", .integer(7)), ("! 7", .string("7")), ("1.2.3", .string("1.2.3")), (".", .string(".")),
            ("-", .string("-")), ("9007199254740991", .integer(9_007_199_254_740_991)),
            ("|\n  a\n  b\n", .string("a\nb\n")),
            ("0.\(String(repeating: "0", count: 99))1", .double(1e-100)),
            ("1e\(String(repeating: "0", count: 99))2", .integer(100)),
            ("1\(String(repeating: "1", count: 99))x", .string("1\(String(repeating: "1", count: 99))x")),
            ("1e", .string("1e")), ("1e+", .string("1e+")), ("1.e5", .integer(100_000)), ("+.5E-1", .double(0.05)),
        ])
        func scalarsFollowTheCoreSchema(yaml: String, value: EntryValue) throws {
            if yaml == "-" { return #expect(problem("k: -")?.code != nil) }
            #expect(try values("k: \(yaml)") == ["k": value])
        }

        @Test(arguments: [
            ("k: .inf", "1:4", "a number must be finite"), ("k: -.INF", "1:4", "a number must be finite"),
            ("k: .nan", "1:4", "a number must be finite"), ("k: 0644", "1:4", "begin with 0"),
            ("k: 9007199254740993", "1:4", "exceeds ±(2^53 − 1)"),
            ("k: 0xFFFFFFFFFFFFFFFFFF", "1:4", "exceeds ±(2^53 − 1)"),
            ("k: \(String(repeating: "1", count: 65))", "1:4", "exceeds ±(2^53 − 1)"),
            ("k: \(String(repeating: "1", count: 500_000))", "1:4", "too large"),
            ("k:", "1:3", "null is not a value"), ("k: ~", "1:4", "null is not a value"),
            ("a: 1\nb: 2\na: 3", "3:1", "duplicate key, first defined at 1:4"),
            ("a:\n  b: 1\na.b: 2", "3:1", "duplicate key, first defined at 2:6"),
            ("k: [1, ~, 1e999]", "1:11", "too large"),
            ("k: !color x", "1:4", "unsupported tag !color"),
            ("k: !!binary AQID", "1:4", "unsupported tag"), ("k: !!set {a}", "1:4", "unsupported tag"),
            ("a: &x {b: 1}\nc:\n  <<: *x", "3:3", "merge keys"), ("k: *nobody", "1:4", "undefined anchor &nobody"),
            ("? [a]\n: 1", "1:3", "a key must be a string"), ("k: &a [*a]", "1:8", "undefined anchor"),
            ("[1, 2]", "1:1", "must be a mapping"), ("text", "1:1", "must be a mapping"), ("", "1:1", "is empty"),
            ("# only\n", "1:1", "is empty"), ("a: 1\n---\nb: 2", "2:1", "multiple documents"),
            ("a b: 1", "1:1", "must contain only ASCII letters"), ("a: 1\n b: 2", "2:3", "invalid YAML"),
            ("a: \"x", "1:6", "invalid YAML"), ("a: \u{1}", "1:4", "invalid YAML"),
            ("a: {", "2:1", "invalid YAML"),
            ("a: @x", "1:4", "invalid YAML"), ("k: !!int x", "1:4", "does not match the tag !!int"),
            ("k: !!bool 12", "1:4", "does not match the tag !!bool"), ("k: !!int true", "1:4", "the tag !!int"),
            ("k: !!int 1.5", "1:4", "the tag !!int"),
        ])
        func errorsHavePositions(yaml: String, place: String, message: String) throws {
            let error = try #require(problem(yaml))
            #expect(error.source == "c.yaml" && error.message.contains(message), "\(error)")
            #expect(error.location?.description == place, "\(error)")
        }

        @Test func aliasExpandsItsAnchor() throws {
            let yaml = """
                base: &base {x: 1, y: [a, b]}
                one: *base
                two:
                  three: *base
                name: &name Hi
                title: *name
                other: {*name : 2}
                """
            #expect(
                try values(yaml) == [
                    "base.x": .integer(1), "base.y": ["a", "b"], "one.x": .integer(1),
                    "one.y": ["a", "b"], "two.three.x": .integer(1), "two.three.y": ["a", "b"],
                    "name": .string("Hi"), "title": .string("Hi"), "other.Hi": .integer(2),
                ]
            )
        }

        @Test func billionLaughsAreRefused() {
            var yaml = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
            for level in 1...30 {
                let aliases = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
                yaml += "a\(level): &a\(level) [\(aliases)]\n"
            }
            #expect(problem(yaml)?.code == .tooLarge)
            // As a key, too.
            #expect(problem(yaml.replacing("a30: ", with: "? *a29\n: "))?.code != nil)
        }

        @Test(arguments: [
            "[", "{a: ", "- ", "? ", "a:\n", "{", "&a ", "*a ", "\"", "|\n", "!!x ", "[{", "%TAG ! x\n", "<<: ",
            "---\n",
        ])
        func manyRepetitionsAreReadOrRejected(part: String) {
            for text in [String(repeating: part, count: 300_000), "k: " + String(repeating: part, count: 300_000)] {
                _ = problem(text)
            }
        }

        @Test func moreDirectivesThanAnyoneNeedsAreRefused() {
            let text = (0..<100_000).map { "%TAG !t\($0)! tag:example.org,2026:\n" }.joined() + "---\nk: 1\n"
            #expect(problem(text)?.code == .tooLarge)
        }

        @Test func deepIndentationIsRefused() {
            let yaml = (0..<2000).map { String(repeating: " ", count: $0) + "a:\n" }.joined()
            #expect(problem(yaml) != nil)
        }

        @Test func brokenBytesAreRefusedWithTheirPlace() {
            #expect(throws: ConfigError.self) {
                try DocumentFormat.yaml.document([0x61, 0x3A, 0x20, 0xFF], source: "c.yaml")
            }
            var random = SeededGenerator(seed: 7)
            let sound = Array("a: &x {b: [1, 2], c: \"t\\u00e9\"}\nd: *x\ne: |\n  text\n? f\n: !!str 7\n".utf8)
            for _ in 0..<3000 {
                var bytes = sound
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
                }
                do throws(ConfigError) {
                    _ = try DocumentFormat.yaml.document(bytes, source: "c.yaml")
                } catch {
                    #expect(error.location != nil && error.source == "c.yaml")
                }
            }
        }

        @Test func aFileOfYAMLIsFollowed() async throws {
            let folder = try TemporaryDirectory()
            try folder.replace("c.yml", with: "k: 1\n")
            try await following(FileSource(path: folder["c.yml"])) { running in
                try await running.shows(.integer(1))
                try folder.replace("c.yml", with: "k: no\n")
                try await running.shows(.string("no"))
                try folder.replace("c.yml", with: "k: [")
                try await until("the problem is shown") { running.problem?.code == .syntax }
                #expect(running.value("k") == .string("no"))
            }
        }
    }
#endif
