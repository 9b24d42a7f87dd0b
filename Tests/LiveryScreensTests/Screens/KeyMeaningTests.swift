// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import TerminalUI
import Testing

@testable import LiveryScreens

/// A letter means the same on every screen.
struct KeyMeaningTests {
    /// The words that mean the same for a letter, and letters that have another meaning where the first one is impossible.
    private static let words: [String: Set<String>] = [
        "/": ["Filter", "Find", "Search"], "h": ["Back", "Back,", "Cancel", "Clear", "Close", "Return"],
        "l": ["List", "Open"], "b": ["Restore", "Roll"], "m": ["Keep", "Mark"], "n": ["Cancel", "Go", "Reject"],
        "q": ["Clear", "Go", "Quit", "Return"], "t": ["Close", "Override", "Take"],
        "y": ["Approve", "Confirm", "Copy", "Publish", "Roll"], "p": ["Apply", "Propose"], "x": ["Close", "Remove"],
        "z": ["Reset", "Show"], "F": ["Fold", "Make", "Remove"], "Space": ["Go", "Mark", "Toggle"],
    ]

    /// The keys that lead to the operator's screens.
    private static let ways = [
        ["I"], ["i"], ["i", "Enter"], ["i", "Enter", "3"], ["i", "j", "a"], ["i", "j", "e"], ["i", "R"],
        ["i", "R", "1", "q"], ["v"], ["v", "Enter"],
        ["h"], ["h", "m", "j", "="], ["h", "j", "b"], ["i", "j", "e", "Space", "Enter", "Ctrl-N"],
        ["i", "j", "e", "Space", "Enter", "Ctrl-N", "P"], ["i", "j", "e", "Space", "Enter", "y"],
    ]

    private static func operatorScreens() async throws -> [DemoModel] {
        var models: [DemoModel] = []
        for way in ways {
            var desk = try EditDesk.revised()
            desk.source.change { $0.drafts = [.test()] }
            for key in way { try await desk.press(key) }
            models.append(desk.model)
        }
        for isFailure in [true, false] {
            var desk = try EditDesk(EditDesk.targeted)
            try await desk.press("i", "j", "e", "Space")
            if isFailure { desk.source.change { $0.failure = ConfigError(.unreachable, "no route to host") } }
            desk.source.write(ConfigDiff([KeyChange(key: "app.on", old: true, new: 1)]), by: "bob")
            try await desk.press("Enter")
            #expect(desk.review?.canPublish == false)
            models.append(desk.model)
        }
        return models
    }

    @Test func aLetterMeansTheSameOnEveryScreen() async throws {
        var verbs: [String: Set<String>] = [:]
        let catalog = try CatalogScreen.all.map { try $0.model(columns: 80, rows: 24) }
        for model in catalog + (try await Self.operatorScreens()) {
            for (keys, help) in model.panels.flatMap(\.meanings) + model.main.meanings {
                guard let verb = help.split(separator: " ").first else { continue }
                for key in keys where key.isTyped { verbs[key.description, default: []].insert(String(verb)) }
            }
        }
        for (key, verbs) in verbs where verbs.count > 1 {
            #expect(verbs.isSubset(of: Self.words[key] ?? []), "\(key): \(verbs.sorted())")
        }
        #expect(verbs.count > 20)
    }
}

extension Screen {
    /// The keys of each command, and its help.
    fileprivate var meanings: [(keys: [Key], help: String)] { commands.map { ($0.keys, $0.help) } }
}
