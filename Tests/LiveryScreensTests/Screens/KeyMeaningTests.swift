// SPDX-License-Identifier: Apache-2.0

import TerminalUI
import Testing

@testable import LiveryScreens

/// A letter means the same on every screen.
struct KeyMeaningTests {
    /// The words that mean the same for a letter, and letters that have another meaning where the first one is impossible.
    private static let words: [String: Set<String>] = [
        "/": ["Filter", "Search"], "h": ["Back", "Back,", "Cancel", "Clear", "Close", "Return"], "l": ["List", "Open"],
        "m": ["Mark", "Replace"], "n": ["Cancel", "Go"], "r": ["Check", "Refresh"], "t": ["Close", "Override"],
        "y": ["Copy", "Do"], "z": ["Reset", "Show"], "Space": ["Scroll", "Toggle"],
    ]

    @Test func aLetterMeansTheSameOnEveryScreen() throws {
        var verbs: [String: Set<String>] = [:]
        for screen in CatalogScreen.all {
            let model = try screen.model(columns: 80, rows: 24)
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
