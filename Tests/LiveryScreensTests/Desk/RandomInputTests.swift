// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import TerminalUI
import TestSupport
import Testing

@testable import LiveryScreens

/// Random keys and uses of the mouse over an operator that answers now or later.
struct RandomInputTests {
    private static let contents = NamespaceContents(
        values: ["app.background.color": "#FFB6C1", "app.limit": 20, "app.on": true, "app.tags": ["a", ["b": 1]]],
        schemas: ["app.limit": ["type": "integer", "minimum": 1, "maximum": 100]],
        rules: ["app.on": ["variants": ["a": true, "b": false], "defaultVariant": "a"]]
    )

    private static let keys =
        Array("ieudaDMPEhltxy!?/jkrm7.#").map { Key.character($0) }
        + ["Enter", "Enter", "Enter", "Esc", "Up", "Down", "Right", "Tab", "Space", "PageDown", "Backspace"]
        .compactMap { Key($0) }
        + ["Ctrl-D", "Ctrl-N", "Ctrl-S", "Ctrl-X", "Ctrl-U", "Alt-e"].compactMap { Key($0) }

    private static let sizes = [(80, 24), (40, 10), (200, 60), (1, 1)].map { Size(columns: $0, rows: $1) }

    private func event(in size: Size, using random: inout SeededGenerator) -> TerminalEvent {
        switch Int.random(in: 0..<100, using: &random) {
        case 0: return .resized(Self.sizes.randomElement(using: &random) ?? size)
        case 1..<10:
            let column = Int.random(in: 0..<size.columns, using: &random)
            let point = Point(column: column, row: Int.random(in: 0..<size.rows, using: &random))
            let actions: [MouseEvent.Action] = [.press(button: 0), .release(button: 0), .drag(button: 0), .scroll(1)]
            return .input(.mouse(MouseEvent(actions.randomElement(using: &random) ?? .scroll(-1), at: point)))
        case 10: return .input(.paste("text\n"))
        default: return .input(.key(Self.keys.randomElement(using: &random) ?? Key(.enter)))
        }
    }

    /// Whether an event can confirm what is on the screen.
    private func confirms(_ event: TerminalEvent) -> Bool {
        switch event {
        case .input(.key(let key)): QuestionScreen.confirming.contains(key)
        case .input(.mouse(let mouse)): mouse.action == .press(button: 0)
        default: false
        }
    }

    @Test("Random input neither crashes nor writes without a confirmation", arguments: [1, 2, 3, 4] as [UInt64])
    func randomInputIsSafe(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        var desk = try EditDesk(Self.contents)
        var writes = 0
        for step in 0..<2500 {
            let event = event(in: desk.model.size, using: &random)
            let before = desk.requests.count { $0.isWrite }
            let wasAccepted = desk.review?.canPublish ?? (desk.model.panels.last is DiffScreen)
            desk.send(event)
            let after = desk.requests.count { $0.isWrite }
            if after > before {
                writes += 1
                #expect(wasAccepted && confirms(event), "\(event)")
            }
            if step.isMultiple(of: 20) { _ = desk.model.view() }
            let isAnswered = !desk.requests.isEmpty && Int.random(in: 0..<4, using: &random) > 0
            if isAnswered { try await desk.answer() }
            let text = Bool.random(using: &random) ? "[1]" : "{"
            if desk.external != nil { try await desk.endEditor(.success(text)) }
        }
        #expect(writes > 0)
        // Every state can be left.
        desk.send(.resized(Self.sizes[0]))
        for _ in 0..<20 where desk.top != nil { try await desk.press("Esc") }
        try await desk.press("i")
        #expect(desk.top == .inspector)
    }
}
