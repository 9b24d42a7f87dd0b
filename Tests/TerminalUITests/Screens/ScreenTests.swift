// SPDX-License-Identifier: Apache-2.0

import TerminalUI
import Testing

/// A screen by public API alone.
private struct Counter: Screen {
    enum Command { case more, less, close }

    let name = "Counter"
    var size = Size(columns: 12, rows: 2)
    var count = 0
    var takesText = false

    var commands: [ScreenCommand<Command>] {
        [
            ScreenCommand(.more, [.character("+"), .character("=")], hint: "More", help: "Count up"),
            ScreenCommand(.less, [.character("-")], help: "Count down"), ScreenCommand(.close, [Key(.escape)]),
        ]
    }

    mutating func perform(_ command: Command) -> ScreenResponse<Never> {
        if command == .close { return .close }
        count += command == .more ? 1 : -1
        return .handled
    }

    func draw(on grid: inout Grid, _ theme: Theme) {
        grid.write("\(name) \(count)", at: Point(column: 0, row: 0), style: theme.page)
    }
}

struct ScreenTests {
    @Test func drawsItselfAsText() {
        var counter = Counter()
        #expect(counter.handle(.key(Key(.character("+")))) == .handled)
        #expect(counter.handle(.key(Key(.character("x")))) == .ignored)
        #expect(counter.handle(.key(Key(.escape))) == .close)
        #expect(counter.text() == "Counter 1\n\n")
    }

    /// Keys, hints and help follow from the declaration of a command.
    @Test func namesItsCommands() {
        let counter = Counter()
        #expect(counter.commands.map { $0.hintText() } == ["+ More", "", ""])
        #expect(counter.commands[0].hintText(isTyping: true) == "")
        let help = [
            ScreenHelp("+, =", "Count up", key: .character("+")), ScreenHelp("-", "Count down", key: .character("-")),
        ]
        #expect(counter.help == help)
    }

    @Test func typedKeysAreNoCommandsOfAField() {
        var counter = Counter(takesText: true)
        #expect(counter.handle(.key(.character("+"))) == .ignored)
        #expect(counter.count == 0)
        #expect(!counter.help.contains { $0.text == "Count up" })
        #expect(counter.help.contains { $0.keys.contains("Ctrl-W") }, "the keys of the field")
        #expect(counter.handle(.key(Key(.escape))) == .close)
    }
}
