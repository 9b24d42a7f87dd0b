// SPDX-License-Identifier: Apache-2.0

import ConfigSchemas
import Testing

/// Beside the cases of the official suite.
struct ValueFormatTests {
    /// The formats that the official suite has no cases of, and what it leaves out of the others.
    @Test(
        arguments: [
            (.color, "#FFB6C1", true), (.color, "#abc", true), (.color, "ffb6c1", true), (.color, "pink", false),
            (.color, "#FFB6C1FF", false), (.color, "", false), (.semver, "1.0.0-rc.1+build.7", true),
            (.semver, "1.0", false), (.semver, "v1.0.0", false), (.semver, "01.0.0", false),
            // Cases that the suite leaves out.
            (.uri, "http://[v7.a:b]:80/", true), (.uri, "a:", true), (.uri, "http://a:b/", false),
            (.uri, "http://a@b@c/", false), (.uri, "http://[v.a]/", false), (.uri, "http://a/%2", false),
            (.uriReference, "./a:b", true), (.uriReference, "1:a", false), (.iri, "a:\u{E000}", false),
            (.dateTime, "2017-01-01T05:29:60+05:30", true), (.dateTime, "2016-12-31T23:59:60+01:00", false),
            (.date, "-026-01-01", false), (.time, "08:30:60Z", false), (.duration, "PT1H2S", false),
            (.email, "\"a\\\"b\"@example.com", true), (.email, "\"a\"b\"@example.com", false),
            (.ipv4, "1.2.3.+4", false), (.ipv6, "1:2:3:4:5:6:7::", true), (.ipv6, "1.2.3.4::", false),
            (.uriTemplate, "{é}", false), (.uriTemplate, "{?éa}", false),
            (.uriTemplate, "a\u{E000}\u{10FFFD}{b}", true),
            (.email, "a@[ipv6:::1]", true), (.email, "a@[IPV6:::1]", true), (.email, "a@[ipv4:192.0.2.1]", false),
            (.uriTemplate, "a{?b,c*,d:3}é{/e.f}", true), (.uriTemplate, "{a:0}", false),
            (.relativeJSONPointer, "01/a", false), (.uuid, "123e4567-e89b-12d3-a456-42661417400g", false),
        ] as [(ValueFormat, String, Bool)]
    )
    func formatsMatchCasesBeyondTheSuite(format: ValueFormat, text: String, isAccepted: Bool) {
        #expect(format.accepts(text) == isAccepted)
    }

    /// Also what the keyword `pattern` does not support.
    @Test(
        arguments: [
            #"^(?=.*\d)(?!x)[a-z]+(?<=a)(?<!b)$"#, #"(a)\1\k<n>(?<n>b)"#, #"a{3000}b{0,3001}?"#, #"[\b\-\d^-]"#, "[]",
            "[^]",
            #"\p{Script=Greek}\P{Lu}\p{gc=Nd}\p{scx=Latn}\p{Emoji}"#, #"\u{1F600}\uD83D\uDE00[\uD83D\uDE00-\u{1F64F}]"#,
            "(?<year>a)|(?<year>b)", #"(?<\u0061>x)\k<a>"#, #"\cA\0\x41\/\$"#, "(?i-s:a)(?-m:b)(?:c)*", "[--a]", "",
            String(repeating: "(?:", count: 9000) + String(repeating: ")", count: 9000),
        ]
    )
    func expressionsOfECMAScriptAreOnes(_ text: String) { #expect(ValueFormat.regex.accepts(text)) }

    @Test(
        arguments: [
            "(", ")", "^(abc]", "[", #"[\]"#, "[b-a]", #"[\d-z]"#, "a**", "*", "a{2,1}", "a{1", "{", "}", "]", "^*",
            "(?=a)+", #"\a"#,
            #"\-"#, #"\1"#, #"(a)\2"#, #"\k<n>"#, "(?<n>a)(?<n>b)", "(?<n>(?<n>a))", "(?<1>a)", "(?<>a)", "(?<a",
            "(?-:a)", "(?ii:a)",
            "(?x:a)", #"\p{Greek}"#, #"\p{Script=greek}"#, #"\pL"#, #"\p{Lu"#, #"\u{110000}"#, #"\u{}"#, #"\u12"#,
            #"\x4"#, #"\c1"#,
            #"\00"#, "\\",
        ]
    )
    func otherExpressionsAreNone(_ text: String) { #expect(!ValueFormat.regex.accepts(text)) }

    @Test func namesHaveTheirLongest() {
        let label = String(repeating: "a", count: 63)
        let name = [label, label, label, String(repeating: "a", count: 61)].joined(separator: ".")
        #expect(ValueFormat.hostname.accepts(name))
        #expect(!ValueFormat.hostname.accepts(name + "a"))
        #expect(ValueFormat.email.accepts(String(repeating: "a", count: 64) + "@b"))
        #expect(!ValueFormat.email.accepts(String(repeating: "a", count: 65) + "@b"))
    }

    @Test(arguments: ValueFormat.allCases)
    func theExampleInTheNameHasTheFormat(format: ValueFormat) throws {
        let example = try #require(format.displayName.split(separator: " ").last)
        #expect(format.accepts(String(example)))
    }
}
