// SPDX-License-Identifier: Apache-2.0

import ConfigSchemas
import Testing

/// Beside the cases of the official suite.
struct ValueFormatTests {
    @Test(
        arguments: [
            (.color, "#FFB6C1"), (.color, "#abc"), (.color, "ffb6c1"), (.semver, "1.0.0-rc.1+build.7"),
            (.uri, "urn:isbn:0451450523"), (.uri, "file:///etc/hosts"), (.uri, "http://[v7.a:b]:80/"),
            (.uri, "http://host:/?/?#/?"),
            (.uri, "a:"), (.uri, "http://a//b"), (.uri, "x://"),
            (.dateTime, "2016-12-31T23:59:60Z"), (.dateTime, "2017-01-01T05:29:60+05:30"),
            (.dateTime, "0000-01-01t00:00:00.5z"),
            (.date, "2000-02-29"), (.email, "a+b@localhost"), (.email, "\"a\\\"b\"@example.com"),
            (.hostname, "a.b-c.9"),
            (.ipv4, "0.0.0.0"), (.ipv6, "::ffff:255.255.255.255"), (.ipv6, "1::"), (.ipv6, "1:2:3:4:5:6:7::"),
            (.ipv6, "FE80::A"), (.ipv6, "::"),
            (.time, "23:59:60Z"), (.time, "08:30:00.5+01:00"), (.duration, "P1Y2M3DT4H5M6S"), (.duration, "PT1M"),
            (.duration, "P4W"), (.uriReference, ""), (.uriReference, "//a/b?c#d"), (.uriReference, "./a:b"),
            (.iri, "http://é.example/ü"), (.iriReference, "é"), (.uriTemplate, "a{?b,c*,d:3}é{/e.f}"),
            (.jsonPointer, ""), (.jsonPointer, "/a~1b/~0"), (.relativeJSONPointer, "0#"),
            (.relativeJSONPointer, "12/a"),
            (.regex, "^(a|b)*$"),
        ] as [(ValueFormat, String)]
    )
    func accepts(format: ValueFormat, text: String) {
        #expect(format.accepts(text))
    }

    @Test(
        arguments: [
            (.color, "pink"), (.color, "#FFB6C1FF"), (.color, ""), (.semver, "1.0"), (.semver, "v1.0.0"),
            (.semver, "01.0.0"),
            (.uri, ""), (.uri, ":"), (.uri, "http://a b/"), (.uri, "http://a/%2"), (.uri, "http://a/é"), (.uri, "1a:b"),
            (.uri, "http://[::1"),
            (.uri, "http://[1.2.3.4]/"), (.uri, "http://a:b/"), (.uri, "http://a@b@c/"), (.uri, "http://a/[b]"),
            (.uri, "a:b#c#d"), (.uri, "http://[v.a]/"),
            (.dateTime, "2016-12-31 23:59:59Z"), (.dateTime, "2016-12-31T23:59:59"),
            (.dateTime, "2016-12-31T24:00:00Z"),
            (.dateTime, "2016-12-31T23:59:59.Z"), (.dateTime, "2016-12-31T23:59:59+0100"),
            (.dateTime, "2016-12-31T23:59:60+01:00"),
            (.dateTime, "2016-12-31T23:59:59+01:60"), (.dateTime, "2016-12-31T23:59:59Z\n"),
            (.date, "2001-02-29"), (.date, "2026-11-23Z"), (.date, "2026-11-2\u{301}"), (.date, "2026-00-10"),
            (.date, "-026-01-01"),
            (.email, "@example.com"), (.email, "a@"), (.email, "a b@example.com"), (.email, "a@-example.com"),
            (.email, "é@example.com"),
            (.email, "\"a\"b\"@example.com"), (.email, "\"a\\\"@example.com"), (.email, "\"@example.com"),
            (.email, "a@[::1]"),
            (.hostname, ""), (.hostname, "a..b"), (.hostname, "a."), (.hostname, "é.com"), (.hostname, "a b"),
            (.ipv4, "1.2.3"), (.ipv4, "1.2.3.4 "), (.ipv4, "1.2.3.+4"), (.ipv4, "01.2.3.4"), (.ipv4, "1.2.3.1000"),
            (.ipv4, ""),
            (.ipv6, ""), (.ipv6, ":"), (.ipv6, ":1:2:3:4:5:6:7"), (.ipv6, "1:2:3:4:5:6:7:"), (.ipv6, "1.2.3.4::"),
            (.ipv6, "::1::"), (.ipv6, ":::"), (.ipv6, "1:2:3:4:5:6:7:8::"), (.ipv6, "::1.2.3.4:5"),
            (.ipv6, "1:2:3:4:5:6:7:1.2.3.4"),
            (.time, "24:00:00Z"), (.time, "08:30:00"), (.time, "08:30:60Z"), (.duration, "P"), (.duration, "P1DT"),
            (.duration, "P1Y2D"), (.duration, "PT1H2S"), (.duration, "P1W2D"), (.duration, "P1S"), (.duration, "1D"),
            (.uriReference, "a:b:\\"), (.uriReference, "1:a"), (.uriReference, "é"), (.iri, "é:a"),
            (.iri, "a:\u{E000}"),
            (.uriTemplate, "{"), (.uriTemplate, "{}"), (.uriTemplate, "a}"), (.uriTemplate, "{a:0}"),
            (.jsonPointer, "a"), (.jsonPointer, "/~2"), (.jsonPointer, "/~"), (.relativeJSONPointer, "01/a"),
            (.relativeJSONPointer, "/a"), (.relativeJSONPointer, "1a"), (.regex, "^(a"), (.regex, "\\a"),
            (.ipv6, "::12345"), (.ipv6, "[::1]"), (.uuid, ""), (.uuid, "123e4567-e89b-12d3-a456-42661417400g"),
        ] as [(ValueFormat, String)]
    )
    func refuses(format: ValueFormat, text: String) {
        #expect(!format.accepts(text))
    }

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
