// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The screen of tweaks in the real program on a real terminal.
@Suite(.timeLimit(.minutes(5)))
struct TweakTerminalTests {
    @Test func anEditRecoloursTheMainScreenAndStays() throws {
        let demo = try RunningDemo()
        // Only the detail view resets one tweak.
        try demo.type("t/app.background\r\r", until: "z Reset  ")
        try demo.terminal.write("\u{15}#0000FF")
        try demo.waitForBackground(.indexed(21))
        try demo.terminal.write("\u{3}")
        #expect(try demo.terminal.waitForExit() == .signaled(SIGINT))

        let again = try RunningDemo(environment: ["XDG_CONFIG_HOME": demo.folder.path])
        try again.waitForBackground(.indexed(21))
        // Undo is of this run; a reset takes back what an earlier one has done.
        try again.type("tX", until: "Reset all tweaks?")
        try again.terminal.write("\u{13}")
        try again.waitForBackground(.indexed(217))
        try again.terminal.write("u")
        try again.waitForBackground(.indexed(21))
    }
}
