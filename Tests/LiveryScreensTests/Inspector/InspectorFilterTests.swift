// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import RemoteConfig
import TerminalUI
import TestSupport
import Testing

@testable import LiveryScreens

struct InspectorFilterTests {
    @Test func itFiltersAsOneTypesAndCounts() throws {
        var model = try Demo.model()
        model.press("i", "/", "f", "u", "n")
        #expect(model.lines.joined().contains("2 of 4 ── /fun"))
        #expect(model.inspector?.list.rows == ["app.fun_button.text", "app.fun_button.url"])
        model.press("Backspace", "Backspace", "Backspace")
        #expect(model.inspector?.list.rows.count == 4)
        #expect(model.lines.joined().contains("4 keys"))
    }

    @Test(arguments: [
        ("CATS", ["url"]), ("meow", ["text"]), ("text meow", ["text"]), ("text cats", []), ("grüss", ["text"]),
        ("GRÜSS", ["text"]), ("ü", ["text"]), ("true", ["flag"]), ("[1,", ["list"]), (#""meow"#, ["text"]),
        (" ", ["flag", "list", "text", "url"]), ("世", ["text"]), ("xyz", []),
    ])
    func itLooksForWordsInKeyAndValue(text: String, keys: [String]) throws {
        let json = #"{"flag": true, "list": [1, 2], "text": "Meow, GRÜSSE 世界", "url": "https://example.org/cats"}"#
        var model = try Demo.model(json)
        model.press("i", "/")
        _ = model.update(.terminal(.input(.paste(text))))
        #expect(model.inspector?.list.rows == keys)
    }

    /// The oracle looks at every key.
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func matchesEqualThoseOfAFreshFilter(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var model = try Demo.model(Self.document(&random), size: Size(columns: 80, rows: 12))
        model.press("i", "/")
        for step in 0..<40 {
            switch Int.random(in: 0..<6, using: &random) {
            case 0: try model.read(Self.document(&random))
            case 1: model.press("Backspace")
            case 2: model.press("Down")
            default: model.press(["1", "2", "a", "k", "Space"].randomElement(using: &random) ?? "1")
            }
            model.filterToTheEnd(limit: Int.random(in: 0..<8, using: &random))
            guard step % 5 == 4 else { continue }
            model.filterToTheEnd()
            let inspector = try #require(model.inspector)
            let words = inspector.list.field.text.split(separator: " ")
            let expected = inspector.list.keys.filter { key in
                let value = inspector.state.snapshot.entries[key]?.value.canonicalJSON ?? ""
                return words.allSatisfy { key.contains($0) || value.contains($0) }
            }
            #expect(inspector.list.rows == expected, "seed \(seed), step \(step): \(inspector.list.field.text)")
        }
    }

    private static func document(_ random: inout SeededGenerator) -> String {
        let members = (0..<Int.random(in: 9000...9010, using: &random)).map { number in
            let isOther = Int.random(in: 0..<2000, using: &random) == 0
            return "\"k\(number)\": \"\(isOther ? "a1" : "\(number % 37)b")\""
        }
        return "{\(members.joined(separator: ", "))}"
    }

    /// A key press filters one slice; the rest follows in separate requests, one at a time.
    @Test func aKeyPressDoesNotWaitForManyKeys() throws {
        let (first, next) = KeyFilter.slices
        let count = first + 2 * next
        var model = try Demo.model(InspectorListTests.document(of: count))
        #expect(model.press("i", "/", "7") == [.work])
        #expect(model.inspector?.isWorking == true)
        #expect(model.lines.joined().contains("… of 36,864 ── /7"))
        #expect(model.press("x") == [], "one request is enough")
        #expect(model.update(.working) == [.work])
        #expect(model.update(.working) == [])
        #expect(model.inspector?.list.rows.count == (0..<count).count { $0 % 10 == 7 })
        #expect(model.press("Backspace") == [.work], "more keys match again")
        model.press("Esc")
        #expect(model.update(.working) == [])
    }

    @Test func leavingTheFilterKeepsTheRowWhereItIs() throws {
        for end in ["Esc", "Enter"] {
            var model = try Demo.model(InspectorListTests.document(of: 500), size: Size(columns: 80, rows: 12))
            model.press("i", "/", "4", "2", "7", "Down", "Down", end)
            let selected = model.inspector?.list.selectedKey
            #expect(selected == "key100427" || selected != nil)
            let row = model.inspectorLines.firstIndex { $0.hasPrefix("▌") }
            if end == "Enter" { model.press("Esc") }
            #expect(model.inspector?.list.rows.count == 500)
            #expect(model.inspector?.list.selectedKey == selected)
            #expect(model.inspectorLines.firstIndex { $0.hasPrefix("▌") } == row)
        }
    }

    @Test func escapeClosesValueFilterInspectorInOrder() throws {
        var model = try Demo.model()
        model.press("i", "/", "f", "u", "n", "Enter", "Enter")
        #expect(model.page?.content.key == "app.fun_button.text")
        model.press("Esc")
        #expect(model.page == nil && model.inspector?.list.rows.count == 2)
        model.press("Esc")
        #expect(model.inspector?.list.rows.count == 4)
        model.press("Esc")
        #expect(model.inspector == nil)
    }

    @Test func whatIsTypedIsNoCommandAndHintsSaySo() throws {
        var model = try Demo.model(size: Size(columns: 160, rows: 24))
        model.press("i", "/")
        #expect(model.press("q", "i", "y", "?") == [])
        #expect(model.inspector?.list.field.text == "qiy?")
        #expect(model.statusLine.contains("F1 Help  Ctrl-C Quit"))
        #expect(!model.statusLine.contains("q Quit"))
        #expect(model.statusLine.hasSuffix("─╯") && model.statusLine.contains("╰ Enter Done  Esc Clear ─"))
        model.press("F1")
        #expect(model.overlay == .help)
    }
}

extension DemoModel {
    /// Answers the requests of the filter.
    mutating func filterToTheEnd(limit: Int = .max) {
        var count = 0
        while inspector?.isWorking == true, count < limit {
            _ = update(.working)
            count += 1
        }
    }

    /// The position of a text on the screen.
    func place(of text: String) -> Point? {
        for (row, line) in lines.enumerated() {
            if let range = line.firstRange(of: text) {
                return Point(column: line[..<range.lowerBound].columnWidth, row: row)
            }
        }
        return nil
    }
}
