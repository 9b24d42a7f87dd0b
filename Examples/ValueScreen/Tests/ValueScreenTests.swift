// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import TerminalUI
import Testing

@testable import ValueScreen

struct ValueScreenTests {
    @Test func drawsFixture() throws {
        let fixture = ##"{"app": {"color": "#FFB6C1", "limit": 12}}"##
        var screen = ValueScreen(try ConfigDocument(json: Array(fixture.utf8), source: "fixture.json"))
        #expect(screen.text().hasPrefix("▌ app.color = \"#FFB6C1\"\n  app.limit = 12\n"))
        #expect(screen.handle(.key(Key(.down))) == .handled)
        #expect(screen.text().hasPrefix("  app.color = \"#FFB6C1\"\n▌ app.limit = 12\n"))
        #expect(screen.handle(.key(Key(.escape))) == .close)
    }
}
