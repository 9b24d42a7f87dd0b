// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

struct VirtualScreenModeTests {
    @Test(arguments: [1, 12, 1000, 1002, 1003, 1004, 1006, 2004, 2026])
    func setsAndResetsModes(mode: Int) {
        var screen = screen("\u{1B}[?\(mode)h")
        #expect(screen.modes.contains(mode))
        screen.feed("\u{1B}[?\(mode)l")
        #expect(!screen.modes.contains(mode))
        #expect(screen.violations == [])
    }

    @Test func setsSeveralModesAtOnce() {
        let screen = screen("\u{1B}[?1000;1006;2004h\u{1B}[?25;7l")
        #expect(screen.modes == [1000, 1006, 2004])
        #expect(!screen.isCursorVisible)
    }

    @Test func keepsTheMainScreen() {
        var screen = screen("main\u{1B}[31m\u{1B}[2;2H\u{1B}[?1049h")
        #expect(screen.isAlternate)
        #expect(screen.lines == ["", "", ""])
        screen.feed("\u{1B}[1;1H\u{1B}[malternate\u{1B}7")
        screen.feed("\u{1B}[?1049lX")
        #expect(!screen.isAlternate)
        #expect(screen.lines == ["main", " X", ""])
        #expect(screen.cell(row: 1, column: 1).foreground == .indexed(1))
        #expect(screen.violations == [])
    }

    @Test func hasTheOlderAlternateScreensToo() {
        #expect(screen("a\u{1B}[?47hb\u{1B}[?47lc\u{1B}[?47h").lines[0] == " b")
        #expect(screen("a\u{1B}[?1047hb\u{1B}[?1047lc\u{1B}[?1047h").lines[0] == "")
        #expect(screen("a\u{1B}[?47hb\u{1B}[?47lc").lines[0] == "a c")
    }

    @Test func keepsTheTitle() {
        var screen = screen("\u{1B}]2;one\u{7}")
        #expect(screen.title == "one")
        screen.feed("\u{1B}[22;0;0t\u{1B}]0;zwei; drei é\u{1B}\\")
        #expect(screen.title == "zwei; drei é")
        screen.feed("\u{1B}[23;0;0t")
        #expect(screen.title == "one")
        screen.feed("\u{1B}kscreen\u{1B}\\")
        #expect(screen.title == "screen")
        #expect(screen.violations == [])
    }

    @Test func keepsKeypadShapeAndBell() {
        let screen = screen("\u{1B}=\u{7}\u{7}\u{1B}[4 q")
        #expect(screen.hasApplicationKeypad)
        #expect(screen.bellCount == 2)
        #expect(screen.cursorShape == 4)
        #expect(!TestSupportTests.screen("\u{1B}=\u{1B}>").hasApplicationKeypad)
        #expect(screen.violations == [])
    }

    @Test func resetsSoftly() {
        let screen = screen("ab\u{1B}[1;31m\u{1B}[?25l\u{1B}[4h\u{1B}[2;3r\u{1B}(0\u{1B}[!pq")
        #expect(screen.cell(row: 0, column: 0) == .init(text: "q"))
        #expect(screen.isCursorVisible)
        #expect(screen.text == "qb")
    }

    @Test func resetsFully() {
        let screen = screen("ab\u{1B}]2;title\u{7}\u{1B}[1;31m\u{1B}[?1049h\u{1B}[?1000hcd\u{1B}[99m\u{1B}cx\u{1B}[")
        #expect(screen.text == "x")
        #expect(!screen.isAlternate && screen.title == "" && !screen.modes.contains(1000))
        #expect(screen.violations.count == 1)
        #expect(screen.isInSequence)
    }

    @Test func takesTheResetStringsOfTerminfo() {
        let strings = [
            "\u{1B}c\u{1B}]104\u{7}", "\u{1B}[!p\u{1B}[?3;4l\u{1B}[4l\u{1B}>", "\u{1B}c\u{1B}]R",
            "\u{1B}<\u{1B}>\u{1B}[?3;4;5l\u{1B}[?7;8h\u{1B}[r", "\u{1B}[?69l", "\u{1B}[?1c", "\u{1B}[?0c", "\u{1B}[?8c",
            "\u{1B}[?12;25h", "\u{1B}[34h\u{1B}[?25h", "\u{1B}[34l", "\u{1B}(B\u{1B})0", "\u{1B}[?1034h", "\u{1B}%G",
            "\u{1B}[?5h\u{1B}[?5l", "\u{1B}[39;49m", "\u{1B}(B\u{1B}[m", "\u{1B}[0;10m\u{F}",
        ]
        for string in strings { #expect(screen(string).violations == [], "\(string.debugDescription)") }
    }
}
