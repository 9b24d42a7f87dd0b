import ConfigModel
import TerminalUI
import Testing

@testable import LiveryApp

struct DemoOverlayTests {
    @Test func helpOpensAndClosesByTheSameKey() throws {
        var model = try Demo.model()
        #expect(model.press("?") == [])
        #expect(model.lines.contains { $0.contains("╭─ Keys ─") })
        #expect(model.lines.contains { $0.contains("r                Read the source again now") })
        #expect(model.lines.contains { $0.contains("q, Ctrl-C        Leave") })
        #expect(model.lines.contains { $0.contains("Ctrl-L           Draw the screen anew") })
        model.press("?")
        #expect(model.overlay == nil)
        #expect(!model.lines.joined().contains("Keys"))
    }

    @Test func escapeClosesTheOverlayFirst() throws {
        var model = try Demo.model()
        model.press("i")
        #expect(model.press("Esc") == [])
        #expect(model.overlay == nil)
        #expect(model.press("Esc") == [])
        #expect(model.lines.contains { $0.contains("Nothing is open here; q leaves") }, "once too often is no harm")
    }

    @Test(arguments: ["?", "F1", "h"])
    func helpHasThreeKeys(name: String) throws {
        var model = try Demo.model()
        model.press(name)
        #expect(model.overlay == .help)
    }

    @Test(
        arguments: [
            ("i Inspect", DemoModel.Overlay?.some(.inspector), []), ("? Help", .some(.help), []), ("t Tweaks", nil, []),
            ("r Refresh", nil, [.refresh]), ("q Quit", nil, [.quit(signal: nil)]), ("● live", nil, []),
        ] as [(String, DemoModel.Overlay?, [DemoModel.Effect])]
    )
    func whatLooksLikeAHintCanBeClicked(hint: String, overlay: DemoModel.Overlay?, effects: [DemoModel.Effect]) throws {
        var model = try Demo.model(size: Size(columns: 200, rows: 24))
        let range = try #require(model.statusLine.firstRange(of: hint))
        let column = model.statusLine[..<range.lowerBound].columnWidth
        #expect(model.mouse(.press(button: 0), column, 23) == effects)
        #expect(model.overlay == overlay)
        #expect((model.tweaks != nil) == (hint == "t Tweaks"))
    }

    @Test func theScreenIsDrawnAnew() throws {
        var model = try Demo.model()
        #expect(model.press("Ctrl-L") == [.redraw])
        model.press("t", "j", "Enter")
        #expect(model.press("Ctrl-L") == [.redraw], "on every screen")
    }

    @Test func oneOverlayReplacesTheOther() throws {
        var model = try Demo.model(size: Size(columns: 80, rows: 6))
        model.press("?", "Down", "i")
        #expect(model.overlay == .inspector)
        #expect(model.scroll == 0)
    }

    @Test(arguments: ["q", "Ctrl-C"])
    func anOverlayDoesNotKeepAnyoneFromLeaving(name: String) throws {
        var model = try Demo.model()
        model.press("?")
        #expect(model.press(name) == [.quit(signal: nil)])
    }

    @Test func scrollingEndsAtTheFirstAndTheLastLine() throws {
        var model = try Demo.model(size: Size(columns: 80, rows: 6))
        model.press("?", "Up", "PageUp")
        #expect(model.scroll == 0)
        let last = model.overlayLines.count - model.overlayPage
        #expect((model.overlayPage, last) == (3, 16))
        model.press("PageDown")
        #expect(model.scroll == 3)
        for _ in 0..<20 { model.press("j") }
        #expect(model.scroll == last)
        #expect(model.lines[3].contains(model.overlayLines[18]))
        model.press("Space", "k")
        #expect(model.scroll == last - 1)
    }

    @Test func aLargerScreenLeavesNoEmptyOverlay() throws {
        var model = try Demo.model(size: Size(columns: 80, rows: 6))
        model.press("?", "PageDown", "PageDown", "PageDown")
        #expect(model.scroll == 9)
        model.resize(80, 24)
        #expect(model.scroll == 0)
    }

    @Test func aShorterListLeavesNoEmptyOverlay() throws {
        let many = "{" + (10..<60).map { "\"key\($0)\": \($0)" }.joined(separator: ", ") + "}"
        var model = try Demo.model(many)
        model.press("i")
        for _ in 0..<10 { model.press("PageDown") }
        #expect(model.lines.joined().contains("key59 = 59"))
        try model.read("{\"only\": 1}")
        #expect(model.scroll == 0)
        #expect(model.lines.joined().contains("only = 1"))
    }

    @Test(arguments: [(20, 3), (20, 2), (4, 6), (20, 1)])
    func aTinyOverlayHasContentInsteadOfABorder(columns: Int, rows: Int) throws {
        var model = try Demo.model(size: Size(columns: columns, rows: rows))
        model.press("?")
        #expect(model.lines[0].hasPrefix("E"))
        #expect(!model.lines.joined().contains("╭"))
    }
}

extension DemoOverlayTests {
    @Test func theInspectorListsEveryKeyValuePlaceAndTime() throws {
        var model = try Demo.model(size: Size(columns: 100, rows: 24))
        let later = Timestamp(milliseconds: Demo.noon.milliseconds + 61_000)
        try model.read(#"{"z": [1, 2], "app.min_version": "1.0.0","n": 1.50, "flag": true}"#, at: later)
        let expected = [
            "This is livery 1.0.0. Up to date.",
            #"app.min_version = "1.0.0""#, "    config.json:1:34, changed 2026-11-20 12:03:44",
            "flag = true", "    config.json:1:61, changed 2026-11-20 12:04:45",
            "n = 1.5", "    config.json:1:47, changed 2026-11-20 12:04:45",
            "z = [1,2]", "    config.json:1:7, changed 2026-11-20 12:04:45",
        ]
        model.press("i")
        #expect(model.overlayLines == expected)
        for line in expected { #expect(model.lines.contains { $0.contains("│ \(line)") }, "\(line)") }
    }

    @Test func anEmptyConfigurationSaysSo() throws {
        var model = try Demo.model("{}")
        model.press("i")
        #expect(model.lines.joined().contains("config.json has no keys yet."))
    }

    @Test func theOverlayKeepsOffTheStatusLine() throws {
        var model = try Demo.model()
        for columns in [0, 1, 5, 20, 59, 60, 80, 200] {
            for rows in 2...30 {
                model.resize(columns, rows)
                model.overlay = .inspector
                #expect(model.overlayFrame.rows.upperBound <= rows - 1)
                #expect(model.overlayFrame.columns.upperBound <= columns)
                #expect(model.overlayFrame.columns.lowerBound >= 0)
            }
        }
    }
}
