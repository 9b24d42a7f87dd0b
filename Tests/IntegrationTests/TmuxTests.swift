// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The same program as a mature terminal shows it.
@Suite(.timeLimit(.minutes(5)))
struct TmuxTests {
    @Test(arguments: ["tmux-256color", "screen-256color"])
    func showsTheColourTheTextAndTheMiddle(terminal: String) throws {
        let (tmux, folder) = try Tmux.withDemo(terminal: terminal)
        try tmux.waitFor("the first frame") { $0.contains("live ") }
        try until("the colour all over") {
            try tmux.captureScreen().backgrounds() == [.indexed(217), .indexed(16)]
        }
        let screen = try tmux.captureScreen()
        #expect(screen.find("Meeeeoowwww! 😸")?.column == 32)
        #expect(screen.find("Meeeeoowwww! 😸")?.row == 11)
        try folder.write(RunningDemo.sky, to: "config.json")
        try tmux.waitFor("the new text") { $0.contains("Can't wait!") }
        try until("the new colour all over") {
            // The last change shows the former colour as well.
            try tmux.captureScreen().backgrounds() == [.indexed(117), .indexed(16), .indexed(217)]
        }
    }

    @Test func followsTheWindowsSizeWhileItRuns() throws {
        let (tmux, folder) = try Tmux.withDemo()
        defer { folder.remove() }
        for (columns, rows) in [(200, 60), (20, 5), (80, 24), (1, 1), (200, 60)] {
            try tmux.resize(columns: columns, rows: rows)
            try until("a full screen of \(columns)×\(rows)", lastState: try? tmux.capture()) {
                let screen = try tmux.captureScreen()
                let isColored = screen.backgrounds().isSubset(of: [.indexed(217), .indexed(16)])
                return screen.columns == columns && isColored && (columns < 80 || screen.contains("Meeeeoowwww! 😸"))
            }
        }
    }

    /// A terminal sends a program only the mouse events that it has requested.
    @Test func aDragReachesTheProgram() throws {
        let (tmux, folder) = try Tmux.withDemo()
        defer { folder.remove() }
        let client = try PseudoTerminal(running: tmux.attachCommand(), columns: 80, rows: 24)
        let place = try open("showcase.slider", "●", in: tmux, client)
        // The button goes down, strays to another row, and comes up.
        for (code, row, columns, end) in [(0, 0, 0, "M"), (32, 0, 3, "M"), (32, 2, 9, "M"), (0, 2, 9, "m")] {
            try client.write("\u{1B}[<\(code);\(place.column + 1 + columns);\(place.row + 1 + row)\(end)")
        }
        try client.readUntil("the knob nine columns further") { screen in
            screen.find("●") == VirtualScreen.Position(row: place.row, column: place.column + 9)
        }
        try tmux.sendKeys("q")
        #expect(try tmux.waitForExit() == .exited(0))
    }

    /// Opens a tweak, and returns where a part of its editor is.
    private func open(
        _ tweak: String,
        _ part: String,
        in tmux: Tmux,
        _ client: PseudoTerminal
    ) throws -> VirtualScreen.Position {
        try client.readUntil("the first frame") { $0.contains("live ") }
        try tmux.sendKeys("t", "/")
        try tmux.type(tweak)
        try tmux.sendKeys("Enter", "Enter")
        var place: VirtualScreen.Position?
        try client.readUntil("the editor") { screen in
            place = screen.find(part)
            return screen.contains("z Reset  ") && place != nil
        }
        return try #require(place)
    }
}
