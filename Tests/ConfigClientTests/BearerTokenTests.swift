// SPDX-License-Identifier: Apache-2.0

import ConfigClient
import ConfigModel
import Foundation
import HTTPTransport
import TestSupport
import Testing

struct BearerTokenTests {
    @Test func neverShowsItself() throws {
        let token = try BearerToken("s3cret-token")
        var dumped = ""
        dump((token, [token], Optional(token)), to: &dumped)
        var request = HTTPRequest(url: .init(filePath: "/"))
        request.authorization = token.authorization
        let shown = [
            "\(token)", token.debugDescription, "\([token: token])", String(reflecting: Mirror(reflecting: token)),
            dumped,
        ]
        for text in shown + [String(reflecting: request), "\(request)"] { #expect(!text.contains("s3cret")) }
        #expect(dumped.contains("•••"))
    }

    @Test(arguments: ["", " ", "a b", "a\r\nX: y", "a\u{0}b", "a\u{7F}", "a\tb", "é", "\u{200B}a"])
    func rejectsInvalidTokenCharacters(_ text: String) {
        #expect { try BearerToken(text) } throws: { ($0 as? ConfigError)?.code == .invalidToken }
    }

    @Test func dropsTheLineBreakOfAFile() throws {
        #expect(try BearerToken("abc\n") == BearerToken("  abc"))
        #expect(try BearerToken("abc") != BearerToken("abd"))
    }
}
