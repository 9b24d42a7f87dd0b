// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import TerminalUI

struct ClipboardTests {
    private func sequence(_ text: String, in kind: TerminalKind) -> String? {
        Clipboard.sequence(for: text, in: kind).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func nothingInATextEndsTheSequence() throws {
        let text = "a\u{7}\u{1B}\\é"
        let sent = try #require(sequence(text, in: .xterm))
        #expect(sent == "\u{1B}]52;c;\(Data(text.utf8).base64EncodedString())\u{7}")
    }

    @Test func tmuxAlsoPassesItOn() throws {
        let sent = try #require(sequence("a", in: .tmux))
        #expect(sent == "\u{1B}]52;c;YQ==\u{7}\u{1B}Ptmux;\u{1B}\u{1B}]52;c;YQ==\u{7}\u{1B}\\")
    }

    @Test func aTextThatTerminalsIgnoreIsNotSent() throws {
        let longest = String(repeating: "x", count: Clipboard.maximumBytes)
        #expect(try #require(sequence(longest, in: .xterm)).utf8.count == 100_000)
        #expect(sequence(longest + "x", in: .xterm) == nil)
    }
}
