// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The program in GNU screen, which draws on the test's terminal.
@Suite(
    .enabled(if: Command.isInstalled("screen"), "this needs screen, which Scripts/test installs"),
    .timeLimit(.minutes(5))
)
struct GNUScreenTests {
    @Test(arguments: [("xterm", 7, 6), ("xterm-256color", 217, 117)] as [(String, Int, Int)])
    func showsTheColourInEachSize(terminal name: String, pink: Int, sky: Int) throws {
        // The sockets are in a folder of the user alone.
        let sockets = try TemporaryDirectory(prefix: "s")
        let settings = try sockets.write("startup_message off\nautodetach off\n", to: "screenrc")
        let demo = try RunningDemo(
            terminal: name,
            environment: ["SCREENDIR": sockets.path],
            configuration: .terminal(named: name),
            wrapper: ["screen", "-U", "-c", settings]
        )
        let terminal = demo.terminal
        try demo.waitForBackground(.indexed(pink))
        #expect(terminal.screen.find("Meeeeoowwww! 😸") == VirtualScreen.Position(row: 11, column: 32))
        try demo.overwrite(RunningDemo.sky)
        try demo.waitForBackground(.indexed(sky))
        try terminal.write("i")
        for (columns, rows) in [(200, 60), (40, 10), (80, 24)] {
            try terminal.resize(columns: columns, rows: rows)
            try terminal.readUntil("the panel in \(columns)×\(rows)") { screen in
                let isWide = screen.contains("2 keys") && screen.find("╮")?.column == columns - 1
                return isWide && screen.text(row: rows - 1).contains("● live")
            }
        }
        #expect(try demo.quit() == .exited(0))
    }
}
