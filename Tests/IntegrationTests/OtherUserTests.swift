// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
    import Foundation
    import TestSupport
    import Testing

    /// The program on the terminal of another user, as after `su`.
    @Suite(.timeLimit(.minutes(2)), .enabled(if: geteuid() == 0, "Only the superuser can become another user"))
    struct OtherUserTests {
        /// With `setsid`, as after `su -c`, the terminal is not that of the process either, and its descriptors are all there is.
        @Test(arguments: [[], ["/usr/bin/setsid", "--wait"]])
        func theFullScreenUsesTheTerminalOfAnotherUser(wrapper: [String]) throws {
            let user = ["/usr/bin/setpriv", "--reuid=54321", "--regid=54321", "--clear-groups"]
            let script = "\"$@\"; echo \"status $?\"; head -c 1 > /dev/null && echo 'the shell can wait'"
            let demo = try RunningDemo(wrapper: ["/bin/sh", "-c", script, "sh"] + wrapper + user)
            let terminal = demo.terminal
            #expect(terminal.screen.isAlternate)
            try terminal.write("q")
            try terminal.readUntil("its end") { !$0.isAlternate && $0.contains("status 0") }
            #expect(try terminal.terminalAttributes() == terminal.initialAttributes)
            try terminal.write("x\r")
            try terminal.readUntil("the shell") { $0.contains("the shell can wait") }
        }
    }
#endif
