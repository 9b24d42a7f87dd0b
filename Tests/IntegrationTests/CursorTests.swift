// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The terminal's own cursor, which input methods and magnifiers follow.
@Suite(.timeLimit(.minutes(5)))
struct CursorTests {
    @Test func aFrameInWhichNothingChangesSendsNothing() throws {
        let demo = try RunningDemo(waitingFor: "#FFB6C1")
        try demo.terminal.write("t/ab")
        try demo.terminal.readUntil("the caret behind the text") { $0.cursor(isBehind: "/ab") }
        try demo.terminal.readUntilQuiet()
        var count = demo.terminal.bytesReceived.count
        // There is nothing to the right.
        try demo.terminal.write("\u{1B}[C\u{1B}[C")
        try demo.terminal.readUntilQuiet()
        #expect(demo.terminal.bytesReceived.count == count)
        try demo.terminal.write("\u{1B}[D")
        try demo.terminal.readUntil("the caret under the last character") { $0.cursor(isBehind: "/a") }
        try demo.terminal.readUntilQuiet()
        count = demo.terminal.bytesReceived.count
        try demo.terminal.write("\u{1B}[D")
        try demo.terminal.readUntil("the caret under the first character") { $0.cursor(isBehind: "/") }
        // Only the cursor has moved.
        #expect(demo.terminal.bytesReceived.count <= count + 10)
    }

    /// As on a terminal whose entry has no `civis`, or with a magnifier that shows it.
    @Test func whereItCannotBeHiddenItCoversNoText() throws {
        let entry = try TemporaryDirectory()
        let edit = "sed 's/civis=[^,]*, *//; s/xterm-256color/lvy-visible/'"
        let make = "infocmp -1 xterm-256color | \(edit) | tic -x -o '\(entry.path)' -"
        #expect(try Command.shell(make).run().status == .exited(0))
        let demo = try RunningDemo(
            columns: 60,
            terminal: "lvy-visible",
            environment: ["TERMINFO": entry.path],
            configuration: .xterm,
            waitingFor: "#FFB6C1"
        )
        try demo.terminal.readUntilQuiet()
        let sent = String(decoding: demo.terminal.bytesReceived, as: UTF8.self)
        #expect(!sent.contains("\u{1B}[?25l"))
        let closed = demo.terminal.screen.text
        // A key right after Esc is one that is pressed with Alt.
        for (keys, isOpen) in [
            ("i", true), ("\u{1B}", false), ("?", true), ("\u{1B}", false), ("t", true), ("/", true), ("a", true),
        ] {
            try demo.terminal.write(keys)
            let state = isOpen ? "opened" : "closed"
            try demo.terminal.readUntil("a panel to be \(state)") { ($0.text != closed) == isOpen }
            try demo.terminal.readUntilQuiet()
            let place = demo.terminal.screen.cursorPosition
            #expect(demo.terminal.screen.cell(row: place.row, column: place.column).text == " ", "after \(keys)")
        }
        try demo.terminal.readUntil("the caret behind the text") { $0.cursor(isBehind: "/a") }
    }

    /// A block may have the colour of the field, or hide what stands under it.
    @Test func itIsABarInTheColorOfTheText() throws {
        let demo = try RunningDemo(environment: ["COLORTERM": "truecolor"], waitingFor: "#FFB6C1")
        #expect(demo.terminal.screen.cursorColor == nil)
        #expect(demo.terminal.screen.cursorShape == 0)
        try demo.terminal.write("t/a")
        try demo.terminal.readUntil("the caret behind the text") { $0.cursor(isBehind: "/a") }
        try demo.terminal.readUntilQuiet()
        let place = demo.terminal.screen.cursorPosition
        let text = demo.terminal.screen.cell(row: place.row, column: place.column).foreground
        #expect(demo.terminal.screen.cursorColor.map(VirtualScreen.Color.rgb) == text)
        #expect(demo.terminal.screen.cursorShape == 6)
        try demo.terminal.write("\r")
        try demo.terminal.readUntil("its own look") { $0.cursorColor == nil && $0.cursorShape == 0 }
        try demo.terminal.write("/")
        try demo.terminal.readUntil("the colour of the text") { $0.cursorColor != nil }
        try demo.terminal.write("\u{3}")
        #expect(try demo.terminal.waitForExit() == .signaled(SIGINT))
        #expect(demo.terminal.screen.cursorColor == nil)
        #expect(demo.terminal.screen.cursorShape == 0)
        #expect(demo.terminal.screen.violations == [])
    }
}

extension VirtualScreen {
    /// Whether the cursor is seen right behind a text that is on the screen.
    fileprivate func cursor(isBehind text: String) -> Bool {
        guard let place = find(text) else { return false }
        // Wide characters take two columns.
        let columns = text.unicodeScalars.reduce(0) { $0 + GlyphWidths.standardWidth($1) }
        return isCursorVisible && cursorPosition == Position(row: place.row, column: place.column + columns)
    }
}
