// SPDX-License-Identifier: Apache-2.0

import TerminalUI
import Testing

@testable import LiveryScreens

struct HelpPageTests {
    /// Everything visible while the help is scrolled from its top to its end, and the expected words.
    @Test(arguments: [(40, 12), (20, 5), (80, 24)], ["", "t", "i"])
    func everyWordOfTheHelpCanBeRead(size: (columns: Int, rows: Int), screen: String) throws {
        var model = try Demo.model(size: Size(columns: size.columns, rows: size.rows))
        model.press(screen)
        model.press("?")
        var seen = ""
        for _ in 0..<300 {
            seen += model.lines.joined(separator: " ")
            model.press("Down")
        }
        let words = Set(seen.split { " │╭╮╰╯█░".contains($0) })
        let below = model.panels.dropLast().last?.help ?? model.main.help
        for line in below {
            for word in (line.keys + " " + line.text).split(separator: " ") {
                #expect(words.contains(word), "\(word) of “\(line.text)”")
            }
        }
        #expect(!model.overlayLines.joined().contains("…"))
    }

    @Test func textIsNextToItsKeysOrBelow() {
        let help = HelpPage(help: [.init("Space", "Toggles what is selected"), .init("g", "Goes to the first")])
        let text = { (columns: Int) in help.sections(columns: columns).joined().map { $0.spans.map(\.text).joined() } }
        #expect(text(24) == ["Space  Toggles what is", "       selected", "g      Goes to the first"])
        #expect(text(15) == ["Space", "  Toggles what", "  is selected", "g", "  Goes to the", "  first"])
        #expect(text(60).count == 2)
    }

    @Test func aClickOnALineOfTheHelpDoesIt() throws {
        var model = try Demo.model(size: Size(columns: 80, rows: 60))
        model.press("?")
        let row = try #require(model.lines.firstIndex { $0.contains("Refresh from the source") })
        #expect(model.mouse(.press(button: 0), 20, row) == [.refresh])
        #expect(model.overlay == nil)
        model.press("?")
        let other = try #require(model.lines.firstIndex { $0.contains("Go up by a page") })
        #expect(model.mouse(.press(button: 0), 20, other) == [])
        #expect(model.overlay == .help)
    }
}
