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
        let folder = try TemporaryDirectory()
        try folder.write(RunningDemo.pink, to: "config.json")
        try folder.write("startup_message off\nautodetach off\n", to: "screenrc")
        // The sockets are in a folder of the user alone.
        let sockets = try TemporaryDirectory(prefix: "s")
        let terminal = try PseudoTerminal(
            running: Command(
                "screen",
                ["-U", "-c", folder["screenrc"], try builtProduct(named: "livery")],
                environment: Command.environment(
                    terminal: name,
                    adding: ["XDG_CONFIG_HOME": folder.path, "SCREENDIR": sockets.path]
                ),
                workingDirectory: folder.path
            ),
            columns: 80,
            rows: 24,
            configuration: .terminal(named: name)
        )
        try terminal.readUntil("the colour") { $0.contains("live ") && $0.cell(row: 0, column: 0).hasBackground(pink) }
        #expect(terminal.screen.find("Meeeeoowwww! 😸") == VirtualScreen.Position(row: 11, column: 32))
        try folder.write(RunningDemo.sky, to: "config.json")
        try terminal.readUntil("the next colour") { $0.cell(row: 0, column: 0).hasBackground(sky) }
        try terminal.write("i")
        for (columns, rows) in [(200, 60), (40, 10), (80, 24)] {
            try terminal.resize(columns: columns, rows: rows)
            try terminal.readUntil("the panel in \(columns)×\(rows)") { screen in
                let isWide = screen.contains("2 keys") && screen.find("╮")?.column == columns - 1
                return isWide && screen.text(row: rows - 1).contains("● live")
            }
        }
        try terminal.write("q")
        #expect(try terminal.waitForExit() == .exited(0))
    }
}

extension VirtualScreen.Cell {
    fileprivate func hasBackground(_ index: Int) -> Bool { visibleBackground == .indexed(index) }
}
