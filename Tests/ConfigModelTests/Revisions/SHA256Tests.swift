// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import ConfigModel

struct SHA256Tests {
    /// Examples of RFC 4231.
    @Test(
        arguments: [
            (
                String(repeating: "\u{b}", count: 20), "Hi There",
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
            ),
            (
                "Jefe", "what do ya want for nothing?",
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
            ),
        ]
    )
    func codesAgreeWithTheStandard(key: String, message: String, expected: String) {
        let code = SHA256.authenticationCode(of: message.utf8, key: Array(key.utf8))
        #expect(code.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == expected)
    }

    @Test func agreesWithOpenSSLAroundBlockLengths() throws {
        var generator = SeededGenerator(seed: 7)
        let folder = try TemporaryDirectory(prefix: "messages")
        let messages = (0...260).map { length in
            (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
        }
        for (length, message) in messages.enumerated() { _ = try folder.write(Data(message), to: "\(length)") }
        let names = messages.indices.map { folder["\($0)"] }
        let output = try Command("openssl", ["dgst", "-r", "-sha256"] + names).run()
        // A line each: the digits, a space, an asterisk, the file's name.
        let expected = output.standardOutput.split(separator: "\n").map { String($0.prefix { $0 != " " }) }
        #expect(output.status == .exited(0), "\(output.standardError)")
        #expect(messages.map(hexDigits(hashing:)) == expected)
    }

    private func hexDigits(hashing message: [UInt8]) -> String {
        var hash = SHA256()
        hash.update(message)
        return hash.finish().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
