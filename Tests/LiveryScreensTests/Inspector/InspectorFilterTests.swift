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
        #expect(model.inspector?.keyList.rows.texts == ["app.fun_button.text", "app.fun_button.url"])
        model.press("Backspace", "Backspace", "Backspace")
        #expect(model.inspector?.keyList.rows.count == 4)
        #expect(model.lines.joined().contains("4 keys"))
    }

    @Test(arguments: [
        ("CATS", ["url"]), ("meow", ["text"]), ("text meow", ["text"]), ("text cats", []), ("grüss", ["text"]),
        ("GRÜSS", ["text"]), ("ü", ["text"]), ("true", ["flag"]), ("[1,", ["list"]), (#""meow"#, ["text"]),
        (" ", ["flag", "list", "text", "url"]), ("世", ["text"]), ("xyz", []), ("tt", ["text", "url"]), ("'tt", ["url"]),
        ("!i", ["flag", "text", "url"]), ("l !1", ["flag", "url"]), ("/^.l", ["flag"]), ("//cat", ["url"]), ("/[", []),
        ("/^https", ["url"]),
    ])
    func itLooksForWordsInKeyAndValue(text: String, keys: [String]) throws {
        let json = #"{"flag": true, "list": [1, 2], "text": "Meow, GRÜSSE 世界", "url": "https://example.org/cats"}"#
        var model = try Demo.model(json)
        model.press("i", "/")
        _ = model.update(.terminal(.input(.paste(text))))
        #expect(model.inspector?.keyList.rows.texts == keys)
    }

    /// The oracle looks at every key.
    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func matchesEqualAFreshFilter(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var model = try Demo.model(Self.document(&random), size: Size(columns: 80, rows: 12))
        model.press("i", "/")
        for step in 0..<40 {
            switch Int.random(in: 0..<7, using: &random) {
            case 0: try model.read(Self.document(&random))
            case 1: model.press("Backspace")
            case 2: model.press("Down")
            case 3: model.press("Enter", "o", "/")
            default: model.press(["1", "2", "a", "k", "Space", "!"].randomElement(using: &random) ?? "1")
            }
            model.finishWork(limit: Int.random(in: 0..<8, using: &random))
            guard step % 5 == 4 else { continue }
            model.finishWork()
            let list = try #require(model.inspector).keyList
            let text = list.list.filterText ?? ""
            let ranking = KeyRanking(text.isEmpty ? nil : KeyQuery(text), list.order)
            var work = 0
            let expected = list.keys.compactMap { key -> RankedKey? in
                guard let ranking else { return RankedKey(key: key) }
                let rank = ranking.rank(of: key, in: model.configuration.snapshot.entries, work: &work)
                return rank.map { RankedKey(rank: $0, key: key) }
            }
            #expect(list.rows.texts == expected.sorted().map(\.key), "seed \(seed), step \(step): \(text)")
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
        let (first, next) = KeyListing.slices
        let count = first + 2 * next
        var model = try Demo.model(InspectorListTests.document(of: count))
        #expect(model.press("i", "/", "7") == [.work])
        #expect(model.inspector?.isWorking == true)
        #expect(model.lines.joined().contains("… of 36,864 ── /7"))
        #expect(model.press("x") == [], "one request is enough")
        #expect(model.update(.working) == [.work])
        #expect(model.update(.working) == [])
        #expect(model.inspector?.keyList.rows.count == (0..<count).count { $0 % 10 == 7 })
        #expect(model.press("Backspace") == [.work], "more keys match again")
        model.press("Esc")
        model.finishWork()
        #expect(model.visit("n") == "key100017", "the search goes on for the next match")
    }

    @Test func theBestMatchIsFirstAndSelected() throws {
        var model = try Demo.model(
            #"{"a.b": "fun", "app.fun_button.url": 1, "f.u.n": 2, "fun": 3, "fund": 4, "of.unit": 5}"#
        )
        model.press("i", "/", "f", "u", "n")
        #expect(
            model.inspector?.keyList.rows.texts == ["fun", "fund", "app.fun_button.url", "f.u.n", "of.unit", "a.b"]
        )
        #expect(model.inspector?.keyList.selectedKey == "fun")
        model.press("Down", "Esc")
        #expect(model.inspector?.keyList.selectedKey == "fund")
    }

    @Test func theMatchesAreMarked() throws {
        var model = try Demo.model(#"{"app.fun": "no", "other": "a fun text"}"#)
        model.press("i", "/", "a", "f", "u", "n", "Space", "o", "Enter", "Down")
        #expect(model.marked == ["a", "fun", "o"])
        model.press("/", "End", "Backspace", "Backspace", "Enter")
        #expect(model.marked == ["a", "fun"])
        model.press("/", "Ctrl-U")
        _ = model.update(.terminal(.input(.paste("/f[a-z]+"))))
        #expect(model.marked == ["fun", "fun"])
    }

    @Test func anInvalidExpressionIsReported() throws {
        var model = try Demo.model()
        model.press("i", "/", "/", "a", "(")
        #expect(model.inspectorLines.joined(separator: " ").contains("Invalid regular expression: character "))
    }

    @Test(arguments: [[], ["o"]])
    func theMatchesAreVisitedAfterTheFilterIsCleared(keys: [String]) throws {
        var model = try Demo.model(#"{"a": 1, "b.one": 2, "c": 3, "d.one": 4}"#)
        model.press("i")
        for key in keys { model.press(key) }
        #expect(model.visit("n") == "a", "nothing was filtered")
        model.press("/", "o", "n", "e", "Enter")
        #expect(["n", "n", "N", "N"].map { model.visit($0) } == ["d.one", "b.one", "d.one", "b.one"])
        model.press("Esc", "G")
        #expect(["n", "n", "n", "N", "N"].map { model.visit($0) } == ["b.one", "d.one", "b.one", "d.one", "b.one"])
        try model.read(#"{"a": 1, "b.one": 2, "c": "one", "d.one": 4}"#)
        #expect(model.visit("n") == "c")
    }

    @Test func leavingTheFilterKeepsTheRowWhereItIs() throws {
        for end in ["Esc", "Enter"] {
            var model = try Demo.model(InspectorListTests.document(of: 500), size: Size(columns: 80, rows: 12))
            model.press("i", "/", "4", "2", "7", "Down", "Down", end)
            let selected = model.inspector?.keyList.selectedKey
            #expect(selected == "key100427" || selected != nil)
            let row = model.inspectorLines.firstIndex { $0.hasPrefix("▌") }
            if end == "Enter" { model.press("Esc") }
            #expect(model.inspector?.keyList.rows.count == 500)
            #expect(model.inspector?.keyList.selectedKey == selected)
            #expect(model.inspectorLines.firstIndex { $0.hasPrefix("▌") } == row)
        }
    }

    @Test func escapeClosesValueFilterInspectorInOrder() throws {
        var model = try Demo.model()
        model.press("i", "/", "f", "u", "n", "Enter", "Enter")
        #expect(model.page?.content.key == "app.fun_button.text")
        model.press("Esc")
        #expect(model.page == nil && model.inspector?.keyList.rows.count == 2)
        model.press("Esc")
        #expect(model.inspector?.keyList.rows.count == 4)
        model.press("Esc")
        #expect(model.inspector == nil)
    }

    @Test func aReopenedFilterIsTypedOver() throws {
        var model = try Demo.model()
        model.press("i", "/", "f", "u", "n", "Enter", "/", "m", "i", "n")
        #expect(model.inspector?.list.filterText == "min")
    }

    @Test func typedTextIsNoCommand() throws {
        var model = try Demo.model(size: Size(columns: 160, rows: 24))
        model.press("i", "/")
        #expect(model.press("q", "i", "y", "?") == [])
        #expect(model.inspector?.list.filter?.text == "qiy?")
        #expect(model.statusLine.contains("F1 Help  Ctrl-C Quit"))
        #expect(!model.statusLine.contains("q Quit"))
        #expect(model.statusLine.hasSuffix("─╯") && model.statusLine.contains("╰ Enter Done  Esc Clear ─"))
        model.press("F1")
        #expect(model.overlay == .help)
    }
}

extension KeyRows {
    /// The keys, and the groups with a star.
    var texts: [String] {
        (0..<count).map { row in
            switch self[row] {
            case .key(let key): key
            case .group(let prefix, _): prefix + "*"
            }
        }
    }
}

extension DemoModel {
    /// The parts of the inspector that a filter marks, from top to bottom.
    fileprivate var marked: [String] {
        let (grid, theme) = (view(), main.theme)
        let styles = [theme.style(of: .found), theme.style(of: .selectedFound)]
        return (0..<size.rows).flatMap { row in
            let cells = grid.row(row).map { styles.contains($0.style) ? $0.cluster ?? " " : "\n" }
            return String(cells).split(separator: "\n").map(String.init)
        }
    }

    /// The key that the cursor is on after a key press.
    fileprivate mutating func visit(_ key: String) -> String? {
        press(key)
        finishWork()
        return inspector?.keyList.selectedKey
    }
}
