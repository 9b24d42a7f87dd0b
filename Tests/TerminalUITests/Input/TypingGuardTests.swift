// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TerminalUI

struct TypingGuardTests {
    /// A key, the milliseconds since the field closed, and whether it is dropped.
    typealias Step = (name: String, time: Int, isDropped: Bool)

    @Test(
        arguments: [
            [("u", 10, true), ("Enter", 20, true), ("s", 310, true), ("e", 615, false), ("r", 620, false)],
            [("j", 310, false), ("k", 320, false)], [("Enter", 10, false), ("u", 20, false)],
            [("Ctrl-S", 10, false), ("y", 20, false)], [("u", 10, true), ("Ctrl-P", 20, false), ("x", 30, false)],
            [("u", 10, true), ("Backspace", 20, true), ("Esc", 30, false), ("q", 40, false)],
        ] as [[Step]]
    )
    func textIsDroppedUntilAPause(steps: [Step]) throws {
        let start = ContinuousClock.now
        var typing = TypingGuard()
        typing.begin(at: start)
        for step in steps {
            let text = typing.drop(try #require(Key(step.name)), at: start + .milliseconds(step.time))
            #expect((text != nil) == step.isDropped, "\(step)")
        }
    }

    @Test func droppedTextIsCollected() {
        let start = ContinuousClock.now
        var typing = TypingGuard()
        #expect(typing.drop(.character("u"), at: start) == nil, "no field has closed")
        typing.begin(at: start)
        #expect(typing.drop(.character("u"), at: start) == "u")
        #expect(typing.drop(.character("s"), at: start) == "us")
        typing.begin(at: nil)
        #expect(typing.drop(.character("e"), at: start) == nil)
    }
}
