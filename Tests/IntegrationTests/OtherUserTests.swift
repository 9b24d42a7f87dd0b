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
            let folder = try TemporaryDirectory()
            try folder.allow(0o777, on: ".")
            try folder.write(RunningDemo.pink, to: "config.json")
            let user = ["/usr/bin/setpriv", "--reuid=54321", "--regid=54321", "--clear-groups"]
            let script = "\"$@\"; echo \"status $?\"; head -c 1 > /dev/null && echo 'the shell can wait'"
            let terminal = try PseudoTerminal(
                running: Command(
                    "/bin/sh",
                    ["-c", script, "sh"] + wrapper + user + [try builtProduct(named: "livery")],
                    environment: Command.environment(
                        terminal: "xterm-256color",
                        adding: ["HOME": folder.path, "XDG_CONFIG_HOME": folder.path]
                    ),
                    workingDirectory: folder.path
                )
            )
            try terminal.readUntil("the first frame") { $0.isAlternate && $0.contains("live ") }
            try terminal.write("q")
            try terminal.readUntil("its end") { !$0.isAlternate && $0.contains("status 0") }
            #expect(try terminal.terminalAttributes() == terminal.initialAttributes)
            try terminal.write("x\r")
            try terminal.readUntil("the shell") { $0.contains("the shell can wait") }
        }
    }
#endif
