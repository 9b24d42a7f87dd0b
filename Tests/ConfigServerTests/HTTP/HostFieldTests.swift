// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ConfigServer

struct HostFieldTests {
    @Test(
        arguments: [
            ("localhost", "localhost"), ("LOCALHOST:3000", "LOCALHOST"), ("127.0.0.1:1", "127.0.0.1"),
            ("[::1]", "[::1]"), ("[fe80::1]:65535", "[fe80::1]"), ("a.example.", "a.example."), ("", ""), ("a:", "a"),
            ("[::]:80", "[::]"), ("%41.example", "%41.example"), ("a_b~c-d!$&'()*+,;=", "a_b~c-d!$&'()*+,;="),
        ]
    )
    func hostIsParsedWithAndWithoutAPort(text: String, host: String) throws {
        #expect(try #require(HostField(text)).host == host)
    }

    @Test(arguments: [
        "a b", "a/b", "a?b", "a#b", "user@host", "a\\b", "[::1", "::1", "[::1]x", "[]", "[a%25b]:1", "[fe80::1%eth0]",
        "a:x", "a:-1", "a:65536", "a:1:2", "%4", "%zz", "é", "a\u{0}", "a,b c", "\"a\"", "<a>", "a:１",
    ])
    func invalidHostsAreRefused(text: String) {
        #expect(HostField(text) == nil)
    }
}
