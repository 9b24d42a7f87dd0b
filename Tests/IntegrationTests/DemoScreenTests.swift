// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct DemoScreenTests {
    @Test func showsTheColourTheTextAndTheURLInTheMiddle() throws {
        let demo = try RunningDemo()
        let screen = demo.terminal.screen
        #expect(demo.background == .indexed(217))
        #expect(screen.text(row: 23).contains("● live  config.json"))
        #expect(screen.text(row: 23).contains("#FFB6C1 → 217  "))
        let label = try #require(screen.find("Meeeeoowwww! 😸"))
        // 15 columns in the middle of 80, in one of the two middle rows of 24.
        #expect(label.column == 32)
        #expect(label.row == 11)
        #expect(screen.find("https://www.google.com/search?query=dogs%20are%20awesome")?.row == 14)
        #expect(screen.violations == [])
    }

    @Test func recoloursWhenTheFileChanges() throws {
        let demo = try RunningDemo()
        try demo.overwrite(RunningDemo.sky)
        try demo.waitFor("Can't wait!")
        try demo.waitFor("#87CEFA → 117")
        #expect(demo.background == .indexed(117))
        #expect(!demo.terminal.screen.contains("Meeeeoowwww"))
        #expect(demo.terminal.screen.violations == [])
    }

    @Test(arguments: [
        ("{\"app", "✖ error  config.json:1:6:"),
        (##"{"app.background.color": "pink"}"##, "config.json:1:26: app.background.color: \"pink\" is not a colour"),
    ])
    func keepsTheLastGoodScreenWhileTheFileIsBad(content: String, message: String) throws {
        let demo = try RunningDemo(columns: 120)
        try demo.overwrite(content)
        try demo.waitFor(message)
        #expect(demo.background == .indexed(217))
        try demo.overwrite(RunningDemo.sky)
        try demo.waitFor("● live")
        #expect(demo.background == .indexed(117))
    }

    @Test func waitsForAFileThatIsNotThereYet() throws {
        let demo = try RunningDemo(config: nil, waitingFor: "Quit")
        try demo.waitFor("Dogs are awesome!")
        try demo.waitFor("✖ missing")
        try demo.folder.write(RunningDemo.pink, to: "config.json")
        try demo.waitFor("Meeeeoowwww! 😸")
        #expect(demo.background == .indexed(217))
    }

    @Test(arguments: [(200, 60), (20, 5), (1, 1)])
    func fitsEverySize(columns: Int, rows: Int) throws {
        let demo = try RunningDemo(columns: columns, rows: rows, waitingFor: "")
        try demo.terminal.readUntil("a coloured screen") { screen in
            let corner = screen.cell(row: 0, column: 0).visibleBackground
            return corner == .indexed(217) || corner == .indexed(16)
        }
        // Curses sets a scrolling region of one row on a screen of one row; terminals pass that over.
        #expect(demo.terminal.screen.violations.filter { rows > 1 || !$0.contains("1;1r") } == [])
        #expect(try demo.quit() == .exited(0))
    }
}
