// SPDX-License-Identifier: Apache-2.0

import TerminalUI

/// What the keys and the mouse do on the open screen.
struct HelpText {
    struct Entry {
        var keys: String
        var text: String
        /// What a click on the entry does.
        var action: Action?

        init(_ keys: String, _ text: String, _ action: Action? = nil) {
            (self.keys, self.text, self.action) = (keys, text, action)
        }
    }

    let entries: [Entry]

    /// The lines of each entry, none wider than asked.
    func sections(columns: Int) -> [[ActiveLine<Action>]] {
        let widest = entries.map(\.keys.columnWidth).max() ?? 0
        return entries.map { entry in
            ActiveLine<Action>.hanging(
                .init(entry.keys, .accent, target: entry.action),
                indent: widest + 2,
                .init(entry.text, target: entry.action),
                columns: columns
            )
        }
    }
}

extension DemoModel {
    /// The help of the screen that is open.
    var help: HelpText {
        let open = panels.last?.help
        let actions: [Action] = open == nil ? Action.allCases : [.help, .redraw, .quit]
        let own = actions.compactMap { action -> HelpText.Entry? in
            let names = keys.keys(for: action).map(\.description)
            let clicked = Self.ofHelp.contains(action) ? nil : action
            return names.isEmpty ? nil : .init(names.joined(separator: ", "), action.facts.explanation, clicked)
        }
        guard let open else { return HelpText(entries: own + Self.mouseHelp) }
        return HelpText(entries: open.map { .init($0.keys, $0.text) } + own)
    }

    /// What is done to the help itself, where a click on a line closes it.
    private static let ofHelp = Set(Action.allCases.filter { $0.listKey != nil }).union([.help, .close])

    private static let mouseHelp: [HelpText.Entry] = [
        .init("Click", "Press the button, what the bottom row names, or a line of this list"),
        .init("Click beside", "Close what is open"),
        .init("Wheel", "Scroll what is open"),
    ]
}
