// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import RemoteConfig
import TerminalUI
import Testing

@testable import LiveryScreens

struct DemoOverlayTests {
    @Test func escapeClosesTheOverlayFirst() throws {
        var model = try Demo.model()
        model.press("i", "?")
        #expect(model.press("Esc") == [])
        #expect(model.overlay == nil)
        #expect(model.inspector != nil)
        #expect(model.press("Esc") == [])
        #expect(model.inspector == nil)
        #expect(model.press("Esc") == [])
        #expect(model.lines.contains { $0.contains("No panel is open; ") }, "once too often is no harm")
    }

    @Test(
        arguments: [
            ("i Inspect", nil, [.request(.abilities)]), ("? Help", PanelKind?.some(.help), []), ("t Tweaks", nil, []),
            ("r Refresh", nil, [.refresh]), ("q Quit", nil, [.quit(signal: nil)]), ("● live", nil, []),
        ] as [(String, PanelKind?, [DemoModel.Effect])]
    )
    func hintsOfOverlaysCanBeClicked(hint: String, overlay: PanelKind?, effects: [DemoModel.Effect]) throws {
        var model = try Demo.model(size: Size(columns: 200, rows: 24))
        let range = try #require(model.statusLine.firstRange(of: hint))
        let column = model.statusLine[..<range.lowerBound].columnWidth
        #expect(model.mouse(.press(button: 0), column, 23) == effects)
        #expect(model.overlay == overlay)
        #expect((model.tweaks != nil) == (hint == "t Tweaks"))
        #expect((model.inspector != nil) == (hint == "i Inspect"))
    }

    @Test func screenIsRedrawn() throws {
        var model = try Demo.model()
        #expect(model.press("Ctrl-L") == [.redraw])
        model.press("t", "j", "Enter")
        #expect(model.press("Ctrl-L") == [.redraw], "on every screen")
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
        #expect(model.list.top == 0)
        let last = model.overlayLines.count - model.overlayPage
        #expect((model.overlayPage, last) == (3, model.overlayLines.count - 3))
        model.press("PageDown")
        #expect(model.list.top == 3)
        for _ in 0..<last { model.press("j") }
        #expect(model.list.top == last)
        #expect(model.lines[3].contains(model.overlayLines[last + 2]))
        model.press("Space", "k")
        #expect(model.list.top == last - 1)
    }

    @Test func aLargerScreenLeavesNoEmptyOverlay() throws {
        var model = try Demo.model(size: Size(columns: 80, rows: 6))
        model.press("?", "PageDown", "PageDown", "PageDown")
        #expect(model.list.top == 9)
        model.resize(80, 40)
        #expect(model.list.top == 0)
    }
}

extension DemoOverlayTests {
    @Test func theOverlayKeepsOffTheStatusLine() throws {
        var model = try Demo.model()
        model.press("?")
        for columns in [0, 1, 5, 20, 59, 60, 80, 200] {
            for rows in 2...30 {
                model.resize(columns, rows)
                #expect(model.overlayFrame.rows.upperBound <= rows - 1)
                #expect(model.overlayFrame.columns.upperBound <= columns)
                #expect(model.overlayFrame.columns.lowerBound >= 0)
            }
        }
    }

    /// The log, the errors and the help are lists like that of the inspector.
    @Test(arguments: ["l", "!", "?"])
    func listsGoToTheirEndsAndAreSearched(key: String) throws {
        var model = try Demo.model(size: Size(columns: 60, rows: 8))
        for number in 0..<30 { try model.read(Demo.document(text: "Meow \(number)!")) }
        model.main.state.values.problems = (0..<30).map { ConfigError(.typeMismatch, "wrong \($0)", key: "key") }
        model.press(key)
        let last = model.overlayLines.count - model.overlayPage
        #expect(last > 0)
        model.press("G")
        #expect(model.list.top == last)
        model.press("g", "PageDown")
        #expect(model.list.top == model.overlayPage)
        let word = ["l": "17!", "!": "17", "?": "copy"][key] ?? ""
        model.press("/", "{\(word)}")
        #expect(model.overlayLines.contains { $0.lowercased().contains(word) })
        #expect(model.overlayLines.count <= 6 && model.lines.contains { $0.contains("── /" + word) })
        model.press("Enter", "Esc")
        #expect(model.overlay != nil && model.overlayLines.count - model.overlayPage == last)
        model.press("Esc")
        #expect(model.overlay == nil)
    }

    @Test func feedbackIsSeenAboveAnOverlay() throws {
        var model = try Demo.model()
        for number in 0..<30 { try model.read(Demo.document(text: "Meow \(number)!")) }
        model.press("l", "F12")
        #expect(model.lines.contains { $0.contains("F12 is not bound here") })
        model.press("Esc", "i", "?", "F11")
        #expect(model.lines.contains { $0.contains("F11 is not bound here") })
    }

    @Test func aFailedRefreshIsForgottenOnceTheSourceIsRead() throws {
        for key in ["", "i", "t", "l"] {
            var model = try Demo.model(size: Size(columns: 160, rows: 24))
            model.press(key)
            model.fail(ConfigError(.unreachable, "no route"), phase: .offline)
            _ = model.update(.refreshed(.failed(ConfigError(.unreachable, "no route"))))
            #expect(model.lines.joined().contains("Refresh failed: no route"), "\(key)")
            try model.read(Demo.pink)
            #expect(!model.lines.joined().contains("Refresh failed"), "\(key)")
        }
    }

    /// Refresh and back mean the same wherever letters do not type.
    @Test(arguments: ["", "i", "i Enter", "l", "!", "?", "t", "t j Enter", "t j Enter Enter"])
    @MainActor func refreshAndBackMeanOneThing(keys: String) throws {
        let desk = try TweakDesk()
        for key in keys.split(separator: " ") { desk.press(String(key)) }
        if desk.model.tweaks?.takesText != true { #expect(desk.model.press("r") == [.refresh]) }
        desk.press("Esc")
        #expect(desk.model.overlay != .help)
    }

    @Test func theScrollbarCanBeDragged() throws {
        var model = try Demo.model(size: Size(columns: 80, rows: 8))
        model.press("?")
        let frame = model.overlayFrame
        let column = frame.columns.upperBound - 1
        _ = model.mouse(.press(button: 0), column, frame.origin.row + 1)
        #expect(model.list.top == 0)
        _ = model.mouse(.drag(button: 0), 0, frame.rows.upperBound)
        #expect(model.list.top == model.overlayLines.count - model.overlayPage, "wherever the pointer strays")
        _ = model.mouse(.release(button: 0), 0, 0)
        _ = model.mouse(.drag(button: 0), column, frame.origin.row + 1)
        #expect(model.list.top == model.overlayLines.count - model.overlayPage)
    }
}
