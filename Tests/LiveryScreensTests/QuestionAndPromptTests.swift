// SPDX-License-Identifier: Apache-2.0

import TerminalUI
import Testing

@testable import LiveryScreens

/// Questions and prompts with more lines than the screen has room for.
struct QuestionAndPromptTests {
    private static let size = Size(columns: 30, rows: 8)

    @Test func longQuestionScrolls() {
        let text = (1...8).map { "line \($0)" }.joined(separator: "\n")
        var screen = QuestionScreen(Question(text: text, intents: []), size: Self.size, keys: .none)
        #expect(screen.text().contains("line 1") && !screen.text().contains("line 6"))
        _ = screen.handle(InputEvent.key(Key(.pageDown)))
        #expect(screen.text().contains("line 8") && !screen.text().contains("line 3"), "\(screen.text())")
        _ = screen.handle(InputEvent.key(Key(.up)))
        #expect(screen.text().contains("line 3") && !screen.text().contains("line 8"), "\(screen.text())")
        _ = screen.handle(InputEvent.mouse(MouseEvent(.scroll(-1), at: Point(column: 9, row: 3))))
        #expect(screen.text().contains("line 1"), "\(screen.text())")
    }

    @Test(arguments: [["i", "C"], ["i", "D"], ["I"], [":"], ["i", "j", "j", "j", "e", "Space", "Ctrl-C"]])
    func smallPanelNamesTheHelpKey(keys: [String]) async throws {
        var desk = try EditDesk(EditDesk.sample, columns: Self.size.columns, rows: Self.size.rows)
        for key in keys { try await desk.press(key) }
        let border = try #require(desk.model.lines.last { $0.contains("╰") })
        #expect(border.contains("F1 Help") || border.contains("? Help"), "\(desk.screen)")
    }

    @Test func chosenSuggestionIsInSight() throws {
        let prompt = Prompt.attribute("", choices: (1...8).map { "choice\($0)" })
        var screen = PromptScreen(prompt, try Demo.model().panelState, size: Self.size)
        for number in 1...8 {
            _ = screen.handle(InputEvent.key(Key(.down)))
            let lines = screen.text().split(separator: "\n").filter { $0.contains("choice\(number)") }
            #expect(lines.count == 2, "in the field and in the list: \(screen.text())")
        }
    }
}
